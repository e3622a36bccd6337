import { expect } from "chai";
import { declarationOf, importObject } from "../../../provider/lifecycle/read";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { Declared } from "../drift/fixture";
import { sentBy, sessionOfProduct, useProduct } from "./product";

const sourceId = "65f1c0a2b3d4e5f607182911";
const config = { displayType: "line", sourceId, select: [{ aggFn: "count", where: "level:error" }] };
const service = { name: "Service", expression: "ServiceName", sourceId };
const host = { ...service, name: "Host", expression: "HostName", appliesToSourceIds: [sourceId] };
const board = { name: "Board", tiles: [{ name: "Lines", x: 0, y: 0, w: 6, h: 4, config }] };

describe("Dashboards in the dialect clickhouse", () => {
  const product = useProduct();
  const session = () => sessionOfProduct(product.sandbox).session;
  const stored = ({ id }: Declared) =>
    product.sandbox.store.dashboards.get(id) as unknown as PropertyMap & { filters: PropertyMap[] };
  const become = async (declared: Declared, program: PropertyMap) => {
    Object.assign(declared, { program });
    await declared.up(session());
    expect(await declared.refresh(session())).to.deep.equal([]);
  };
  const applied = async (program: PropertyMap) => {
    const declared = new Declared("Dashboard", program);
    await become(declared, program);
    return declared;
  };

  it("an update of a dashboard makes new ids only for new filters", async () => {
    const sent = () => {
      const [, body] = sentBy(product, "PUT").at(-1) ?? [];
      return (body as { filters: PropertyMap[] }).filters.map(({ id }) => id);
    };
    const declared = await applied({ ...board, filters: [service, host] });
    const [ofService, ofHost] = stored(declared).filters.map(({ id }) => id);
    expect(declared.state.filterIds).to.deep.equal({ Service: ofService, Host: ofHost });
    const others = ["Renamed", "New"].map((name) => ({ ...service, name }));
    await become(declared, { ...board, filters: [host, ...others] });
    expect(sent()).to.deep.equal([ofHost, "new1", "new2"]);
    await become(declared, { ...board, filters: [{ ...host, name: "Machine" }] });
    expect(sent()).to.deep.equal([ofHost]);
    await become(declared, { ...board, filters: [{ ...service, name: "Other" }] });
    expect(sent()).to.deep.equal(["new0"]);
    await become(declared, board);
    expect(declared.state.filterIds).to.deep.equal({});
  });

  it("filters that an update with a lost answer has added are nobody else's after a refresh", async () => {
    const declared = await applied(board);
    await product.sandbox.faults.set([
      { kind: "reset", when: "after", operation: "updateDashboard", from: 1 },
    ]);
    const { resource, id, inputs } = declared;
    const failure = await failureOf(
      resource.update(id, declared.state, { ...inputs, filters: [service] }, session()),
    );
    await product.sandbox.faults.clear();
    Object.assign(declared, { state: (failure as UpdatedIncompletely).state });
    await declared.refresh(session());
    expect(stored(declared).filters).to.have.length(1);
    await declared.up(sessionOfProduct(product.sandbox, { onConflict: "fail" }).session);
    expect(stored(declared).filters).to.deep.equal([]);
  });
});

describe("Dashboard parts that programs cannot declare", () => {
  const product = useProduct();
  const onObservability = { observabilityVia: "observability" };
  const opened = () => sessionOfProduct(product.sandbox, onObservability);
  const stored = ({ id }: Declared) => product.sandbox.store.dashboards.get(id) as unknown as PropertyMap;
  const inPromql = {
    ...{ id: "t1", name: "Lines", x: 0, y: 4, w: 6, h: 4 },
    config: {
      displayType: "line",
      configType: "promql",
      sourceId,
      expressions: [{ expression: "up" }],
      step: "5m",
    },
  };
  const adHoc = { id: "f1", type: "ADHOC", name: "Service", sourceType: "sql", sources: [sourceId] };
  const list = { type: "STATIC_LIST", name: "Region", options: ["eu"] };

  before(() => {
    const { store } = product.sandbox;
    const promql = { ...store.sources.get(sourceId), id: "65f1c0a2b3d4e5f607182919", kind: "promql" };
    store.sources.set(promql.id, promql as never);
    Object.assign(inPromql.config, { sourceId: promql.id });
  });

  /**
   * Changes the dashboard as a person may in the console: adds a PromQL tile and an ad hoc filter between the dashboard's own.
   */
  const extended = async (filters: readonly PropertyMap[] = []) => {
    const declared = new Declared("Dashboard", { ...board, ...(filters.length > 0 ? { filters } : {}) });
    await declared.up(opened().session);
    const record = stored(declared) as { tiles: PropertyMap[]; filters: PropertyMap[] };
    record.tiles.unshift(structuredClone(inPromql));
    record.filters.splice(1, 0, adHoc);
    return declared;
  };
  const updated = async (declared: Declared, program: PropertyMap) => {
    const { session, warnings } = opened();
    Object.assign(declared, { program });
    await declared.up(session);
    expect(warnings).to.deep.equal([]);
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    return stored(declared) as { tiles: PropertyMap[]; filters: PropertyMap[] };
  };

  it("PromQL tiles and ad hoc filters that somebody added stay without drift", async () => {
    const declared = await extended([service, list]);
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    const [own] = Object.values(declared.state.tileIds as object);
    const filters = [{ ...service, name: "Renamed" }, list];
    const { tiles, filters: now } = await updated(declared, { ...board, name: "Renamed", filters });
    expect(tiles.map(({ id }) => id)).to.deep.equal([own, inPromql.id]);
    expect(tiles[1]).to.deep.equal(inPromql);
    expect(now.map(({ name }) => name)).to.deep.equal(["Renamed", "Service", "Region"]);
    expect(now[1]).to.deep.equal(adHoc);
    expect(declared.state.tileIds).to.deep.equal({ Lines: own });
    expect(declared.state.filterIds).to.have.keys("Renamed", "Region");
  });

  it("the adoption of a dashboard keeps PromQL tiles and ad hoc filters", async () => {
    const { id } = await extended([service]);
    const adopted = Object.assign(new Declared("Dashboard", { ...board, adoptId: id, filters: [service] }));
    const record = await updated(adopted, adopted.program);
    expect([record.tiles.length, record.filters.length]).to.deep.equal([2, 2]);
  });

  it("an import of a dashboard declares neither PromQL tiles nor ad hoc filters", async () => {
    const { id, resource } = await extended([service]);
    const imported = await importObject(resource, id, {}, opened().session);
    const { tiles, filters } = (
      imported as unknown as { inputs: { tiles: PropertyMap[]; filters: PropertyMap[] } }
    ).inputs;
    expect([tiles, filters].map((all) => all.map(({ name }) => name))).to.deep.equal([
      ["Lines"],
      ["Service"],
    ]);
  });

  it("an import names the saved filter values in Lucene that it leaves out", async () => {
    const declared = await extended([service]);
    const { id, resource } = declared;
    const savedFilterValues = [{ type: "lucene", condition: "level:error" }];
    Object.assign(stored(declared), { savedFilterValues });
    const imported = await importObject(resource, id, {}, opened().session);
    const { inputs } = imported as { inputs: PropertyMap };
    expect(inputs).to.include.keys("tiles").and.not.any.keys("savedFilterValues");
    const leftOut: string[] = [];
    declarationOf(resource, { ...inputs, savedFilterValues }, {}, (path) => leftOut.push(path));
    expect(leftOut).to.deep.equal(["savedFilterValues"]);
  });

  it("an update removes a PromQL tile that the program declared before and no longer declares", async () => {
    const tile = { ...inPromql, id: undefined, name: "Up" };
    const program = { ...board, tiles: [...board.tiles, JSON.parse(JSON.stringify(tile))] };
    const declared = new Declared("Dashboard", program);
    await declared.up(opened().session);
    expect(await declared.refresh(opened().session)).to.deep.equal([]);
    expect(declared.state.tileIds).to.have.keys("Lines", "Up");
    const { tiles } = await updated(declared, board);
    expect(tiles.map(({ name }) => name)).to.deep.equal(["Lines"]);
  });
});
