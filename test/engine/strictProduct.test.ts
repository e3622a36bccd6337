import { expect } from "chai";
import {
  alertsAt,
  chartPoints,
  chartQuery,
  declaredAt,
  requestsOf,
  settingsOf,
} from "../fakeProduct/declared";
import { type FakeProduct, startFakeProduct } from "../fakeProduct/fakeProduct";
import { createWorkspace, type Workspace } from "./workspace";

/** All resources and functions, at one threshold. */
function programOf(threshold: number): string {
  const { scaling, key, keyWithRoles, endpoint, board, errors, search } = declaredAt("both", threshold);
  return `const p = require("pipestack");
    new p.ServiceScaling("scaling", ${JSON.stringify(scaling)});
    const key = new p.ApiKey("key", ${JSON.stringify(key)});
    new p.ApiKey("keyWithRoles", ${JSON.stringify(keyWithRoles)});
    new p.QueryEndpoint("endpoint", { ...${JSON.stringify(endpoint)}, openApiKeys: [key.id] });
    const board = new p.Dashboard("board", ${JSON.stringify(board)});
    new p.Alert("errors", { ...${JSON.stringify(errors)}, dashboardId: board.id, tileId: board.tileIds.Errors });
    new p.Alert("search", ${JSON.stringify(search)});
    exports.pipes = p.getPipesOutput();
    exports.pipe = p.getPipesOutput().apply(([{ id }]) => p.getPipe({ pipeId: id }));
    exports.settings = p.getPipesOutput().apply(([{ id }]) => p.getPipeSettings({ pipeId: id }));
    exports.endpoints = p.getReversePrivateEndpointsOutput();
    exports.points = p.getChartSeriesOutput(${JSON.stringify(chartQuery)});
    exports.webhooks = p.getWebhooksOutput().apply((all) => all.length);
    exports.sources = p.getSourcesOutput().apply((all) => all.length);`;
}

// test/unit/resources/strictProduct.test.ts has the same with each of the APIs alone.
describe("All resources, applied by the engine on a product that tolerates nothing unknown", () => {
  let product: FakeProduct;
  let workspace: Workspace;
  let requests: () => string[];
  const count = 7;

  before(async () => {
    product = await startFakeProduct();
    requests = requestsOf(product);
    workspace = await createWorkspace({ settings: settingsOf("both", product), program: programOf(10) });
  });
  after(async () => {
    await workspace?.close();
    await product?.close();
  });

  it("are created, beside functions", async () => {
    const { summary } = await workspace.up();
    expect(summary).to.deep.equal({ create: count });
    requests();
    expect([product.dashboards.size, product.alerts.size, alertsAt(product, 10)]).to.deep.equal([1, 2, 2]);
    expect([product.keys.size, product.queryEndpoint !== undefined]).to.deep.equal([2, true]);
    expect(product.service).to.include({ numReplicas: 2, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 40 });
    const outputs = await workspace.outputs();
    expect(outputs.webhooks).to.be.greaterThan(0);
    expect(outputs.sources).to.be.greaterThan(0);
    expect(outputs.points).to.deep.equal(chartPoints);
    expect(outputs.settings).to.deep.equal({ engine_max_threads: 8 });
    expect(outputs.pipe).to.deep.include({ name: "orders", settings: outputs.settings });
    expect([outputs.pipes, outputs.endpoints].map((list) => (list as unknown[]).length)).to.deep.equal([
      1, 1,
    ]);
  });

  it("show no changes after a refresh", async () => {
    await workspace.preview({ args: ["--refresh", "--expect-no-changes"] });
    const writes = requests().filter((line) => !/^GET |\/charts\/series$/.test(line));
    expect(writes).to.deep.equal([]);
  });

  it("ask in the preview of a change whether the product would accept the dashboard, and write nothing", async () => {
    await workspace.write(programOf(20));
    const { summary } = await workspace.preview();
    expect(summary).to.deep.equal({ update: count });
    const asked = requests().filter((line) => !/^GET |\/charts\/series$/.test(line));
    expect(asked).to.have.length(1);
    expect(asked[0]).to.match(/^POST .*\/dashboards\/validate$/);
  });

  it("are updated in place", async () => {
    const ids = () => [product.keys, product.dashboards, product.alerts].flatMap((all) => [...all.keys()]);
    const before = ids();
    await workspace.write(programOf(20));
    const { summary } = await workspace.up();
    expect(summary).to.deep.equal({ update: count });
    expect(ids()).to.have.members(before);
    expect(alertsAt(product, 20)).to.equal(2);
    requests();
    const [key, keyWithRoles] = ["key 20", "key with roles 20"].map((name) =>
      [...product.keys.values()].find((each) => each.name === name),
    );
    expect(key?.ipAccessList).to.deep.equal([{ source: "10.0.0.20" }]);
    expect(keyWithRoles).to.have.deep.nested.property("assignedRoles[0]", {
      roleId: declaredAt("both", 20).keyWithRoles.assignedRoleIds[0],
      roleName: "custom",
      roleType: "custom",
    });
    expect(product.service).to.include({ numReplicas: 4, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 80 });
    expect(product.queryEndpoint?.allowedOrigins).to.include("https://a20.example");
  });

  it("put back what others changed, and nothing else", async () => {
    const [alert] = [...product.alerts.values()].filter(({ name }) => name === "Errors");
    const [dashboard] = product.dashboards.values();
    const [, tile] = (dashboard?.tiles ?? []) as object[];
    Object.assign(alert ?? {}, { threshold: 99 });
    Object.assign(tile ?? {}, { w: 3 });
    const { steps } = await workspace.up({ args: ["--refresh"] });
    const updated = steps.filter(({ op }) => op === "update").map(({ name }) => name);
    expect(updated).to.have.members(["board", "errors"]);
    expect([alertsAt(product, 20), alertsAt(product, 99)]).to.deep.equal([2, 0]);
    requests();
  });

  it("are deleted, and nothing is left", async () => {
    const { summary } = await workspace.destroy();
    expect(summary).to.deep.equal({ delete: count });
    expect([product.dashboards.size, product.alerts.size]).to.deep.equal([0, 0]);
    expect([product.keys.size, product.queryEndpoint]).to.deep.equal([0, undefined]);
    requests();
  });
});
