import { expect } from "chai";
import { idsOfDeclared, keysOf } from "../../../provider/resources/tiles/tiles";
import { createSandbox, type Sandbox } from "../../../sandbox/index";
import { Declared, sessionOf } from "../drift/fixture";

const tile = (name: string, x = 0) => ({ name, x, y: 0, w: 6, h: 4, series: [{ type: "number" }] });

describe("Tiles with repeated names", () => {
  const names = ["Errors", "Errors", "Errors (2)", "Errors (2)"];

  it("each tile has a unique key, which is its name unless an earlier tile has the same name", () => {
    expect(keysOf(names.map((name) => ({ name })))).to.deep.equal([
      "Errors",
      "Errors (3)",
      "Errors (2)",
      "Errors (2) (2)",
    ]);
  });

  it("tiles with a repeated name get the ids of the dashboard's tiles in the order of the program", () => {
    const found = names.map((name, index) => ({ name, id: `tile ${index}` }));
    const all = found.map(({ id }) => id);
    const declared = names.map((name) => ({ name }));
    expect(idsOfDeclared(declared, {}, found)).to.deep.equal(all);
    expect(idsOfDeclared(declared, { Errors: "tile 0" }, found)).to.deep.equal(all);
  });
});

describe("Tiles whose ids somebody has changed", () => {
  let sandbox: Sandbox;
  const open = () => sessionOf(sandbox).session;
  const ids = ({ id }: Declared) => sandbox.store.dashboards.get(id)?.tiles.map((each) => each.id) ?? [];

  beforeEach(async () => {
    sandbox = await createSandbox();
  });
  afterEach(() => sandbox.close());

  async function watched({ id: dashboardId }: Declared, tileId = ""): Promise<string> {
    const { organizationId, serviceId } = sandbox.credentials;
    const [webhookId] = sandbox.store.webhooks.keys();
    const rule = {
      threshold: 1,
      thresholdType: "above",
      interval: "5m",
      channel: { type: "webhook", webhookId },
    };
    const body = { source: "tile", dashboardId, tileId, ...rule };
    return (await open().call("createAlert", { organizationId, serviceId }, body)).id;
  }

  it("an update of a dashboard keeps the ids and alerts that tiles have since somebody recreated them", async () => {
    const declared = new Declared("Dashboard", { name: "Board", tiles: [tile("Errors"), tile("Rows", 6)] });
    await declared.up(open());
    const { organizationId, serviceId } = sandbox.credentials;
    const anew = { name: "Board", tiles: [tile("Rows", 6), tile("Errors"), tile("By hand", 12)] };
    await open().call("updateDashboard", { organizationId, serviceId, id: declared.id }, anew);
    const [rows, errors] = ids(declared);
    const alert = await watched(declared, errors);

    Object.assign(declared, { program: { ...declared.program, name: "Other" } });
    await declared.up(open());
    expect(ids(declared)).to.deep.equal([errors, rows]);
    expect(declared.state.tileIds).to.deep.equal({ Errors: errors, Rows: rows });
    expect([...sandbox.store.alerts.keys()]).to.include(alert);
  });
});
