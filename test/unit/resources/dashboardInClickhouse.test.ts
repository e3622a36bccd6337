import { expect } from "chai";
import type { Data } from "../../../provider/values/data";
import { Declared } from "../drift/fixture";
import { sentBy, sessionOfProduct, useProduct } from "./product";

const sourceId = "65f1c0a2b3d4e5f607182911";
const config = { displayType: "line", sourceId, select: [{ aggFn: "count", where: "level:error" }] };
const service = { name: "Service", expression: "ServiceName", sourceId };
const host = { ...service, name: "Host", expression: "HostName", appliesToSourceIds: [sourceId] };
const board = { name: "Board", tiles: [{ name: "Lines", x: 0, y: 0, w: 6, h: 4, config }] };

describe("Dashboards of the product", () => {
  const product = useProduct();
  const session = () => sessionOfProduct(product.sandbox).session;
  const stored = ({ id }: Declared) =>
    product.sandbox.store.dashboards.get(id) as unknown as Data & { filters: Data[] };
  const become = async (declared: Declared, program: Data) => {
    Object.assign(declared, { program });
    await declared.up(session());
    expect(await declared.refresh(session())).to.deep.equal([]);
  };
  const applied = async (program: Data) => {
    const declared = new Declared("Dashboard", program);
    await become(declared, program);
    return declared;
  };

  it("keeps the ids of filters by name, then by position, and leaves new ids to the service", async () => {
    const sent = () => {
      const [, body] = sentBy(product, "PUT").at(-1) ?? [];
      return (body as { filters: Data[] }).filters.map(({ id }) => id);
    };
    const declared = await applied({ ...board, filters: [service, host] });
    const [ofService, ofHost] = stored(declared).filters.map(({ id }) => id);
    expect(declared.state.filterIds).to.deep.equal({ Service: ofService, Host: ofHost });
    const others = ["Renamed", "New"].map((name) => ({ ...service, name }));
    await become(declared, { ...board, filters: [host, ...others] });
    expect(sent()).to.deep.equal([ofHost, "new1", "new2"]);
    await become(declared, { ...board, filters: [{ ...service, name: "Other" }] });
    expect(sent()).to.deep.equal([ofHost]);
    await become(declared, board);
    expect(declared.state.filterIds).to.deep.equal({});
  });

  it("sends a dashboard without the language of a removed query, and tiles without a removed container", async () => {
    const containers = [{ id: "top", title: "Top" }];
    const inContainer = { ...board, tiles: [{ ...board.tiles[0], containerId: "top" }] };
    const query = { savedQuery: "level:error", savedQueryLanguage: "lucene" };
    const declared = await applied({ ...inContainer, containers, ...query });
    await become(declared, board);
    const [[, body] = []] = sentBy(product, "PUT");
    expect(body).to.deep.include({ containers: [], savedQuery: null, savedQueryLanguage: null });
    expect((body as Data & { tiles: Data[] }).tiles[0]).not.to.have.property("containerId");
  });

  it("keeps another client's additions to a filter, and undeclared filters", async () => {
    const declared = await applied({ ...board, filters: [service] });
    Object.assign(stored(declared).filters[0] ?? {}, { where: "a = 1" });
    await become(declared, { ...board, filters: [service], name: "Renamed" });
    expect(stored(declared).filters[0]).to.include({ where: "a = 1" });

    const plain = await applied(board);
    const byHand = { id: "f1", type: "QUERY_EXPRESSION", ...service };
    Object.assign(stored(plain), { filters: [byHand] });
    await become(plain, { ...board, name: "Renamed" });
    expect(stored(plain).filters).to.deep.equal([byHand]);
  });
});
