import { expect } from "chai";
import { createSandbox } from "../../sandbox/index";
import { Client, tile } from "./requests";

describe("A sandbox of the clickhouse dialect", () => {
  let client: Client;

  before(async () => {
    client = Client.inProcess({ dialect: "clickhouse" });
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  for (const path of [
    "/clickstack/dashboards",
    "/clickstack/alerts",
    "/clickstack/sources",
    "/clickstack/webhooks",
    "/clickpipes",
    "/clickpipesReversePrivateEndpoints",
  ]) {
    it(`GET ${path} answers, and the words of the API document are no route`, async () => {
      expect((await client.service("GET", path)).status).to.equal(200);
      const neutral = path.replace("/clickstack", "/stack").replace("/clickpipes", "/pipes");
      const missing = await client.service("GET", neutral);
      expect([missing.status, missing.type]).to.deep.equal([404, "text/html; charset=utf-8"]);
    });
  }

  it("calls the version of a service clickhouseVersion", async () => {
    const { result } = (await client.service("GET", "")).body;
    expect(result).to.include({ clickhouseVersion: "25.6" }).and.not.have.property("engineVersion");
    const scaled = (await client.service("PATCH", "/scaling", { numReplicas: 4 })).body.result;
    expect(scaled).to.include({ clickhouseVersion: "25.6", numReplicas: 4 });
  });

  it("calls the settings of pipes clickhouse_…, in both directions", async () => {
    const [pipe] = (await client.service("GET", "/clickpipes")).body.result;
    expect(pipe.settings)
      .to.include({ clickhouse_max_threads: 8 })
      .and.not.have.property("engine_max_threads");
    const path = `/clickpipes/${pipe.id}/settings`;
    const changed = await client.service("PUT", path, { clickhouse_max_threads: 4 });
    expect(changed.body.result).to.deep.equal({ clickhouse_max_threads: 4 });
    expect((await client.service("GET", path)).body.result).to.deep.equal({ clickhouse_max_threads: 4 });
    expect((await client.service("PUT", path, { engine_max_threads: 4 })).status).to.equal(400);
  });
});

describe("A sandbox of the neutral dialect", () => {
  const config = { displayType: "line", sourceId: "s", select: [{ aggFn: "count" }], engine_x: "search" };
  it("takes tiles with config and answers them as they were sent", async () => {
    const client = Client.inProcess();
    const { series, ...rest } = tile;
    const sent = { ...rest, config };
    const { data } = (await client.observability("POST", "/dashboards", { name: "n", tiles: [sent, tile] }))
      .body;
    expect(data.tiles[0]).to.deep.include(sent).and.not.have.property("series");
    for (const wrong of [rest, { ...tile, config }]) {
      const answer = await client.observability("POST", "/dashboards", { name: "n", tiles: [wrong] });
      expect([answer.status, answer.body]).to.deep.equal([
        400,
        { message: "tiles.0 must have either series or config" },
      ]);
    }
    await client.sandbox.close();
  });
});

describe("A sandbox of one API alone", () => {
  it("serves the management API", async () => {
    const client = await Client.start({ apis: "management" });
    expect(client.sandbox.obsBaseUrl).to.equal("");
    expect((await client.service("GET", "/stack/alerts")).status).to.equal(200);
    await client.sandbox.close();
  });

  it("serves the observability API", async () => {
    const client = await Client.start({ apis: "observability" });
    expect(client.sandbox.baseUrl).to.equal("");
    expect((await client.observability("GET", "/alerts")).status).to.equal(200);
    await client.sandbox.close();
  });

  for (const options of [{ apis: "none" }, { dialect: "hyperdx" }]) {
    it(`is not made by createSandbox(${JSON.stringify(options)})`, async () => {
      const error = await createSandbox(options as never).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(TypeError);
      expect((error as Error).message).to.match(/^(apis|dialect) must be one of /);
    });
  }
});
