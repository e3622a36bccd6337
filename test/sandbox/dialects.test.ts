import { expect } from "chai";
import { createSandbox } from "../../sandbox/src";
import { Client, dashboard, tile } from "./requests";

const savedSearchId = "65f1c0a2b3d4e5f607182931";

describe("A sandbox of the clickhouse dialect", () => {
  let client: Client;
  let alert: Record<string, unknown>;

  before(async () => {
    client = await Client.start({ dialect: "clickhouse" });
    const channel = { type: "webhook", webhookId: client.webhookId };
    alert = {
      threshold: 1,
      interval: "5m",
      thresholdType: "above",
      source: "saved_search",
      savedSearchId,
      channel,
    };
  });
  beforeEach(() => client.sandbox.reset());
  after(() => client.sandbox.close());

  const alerts = (method: string, path = "", body?: unknown) =>
    client.service(method, `/clickstack/alerts${path}`, body);

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

  it("answers an alert with savedSearchId, dashboardId and teamId, on both APIs", async () => {
    const { result } = (await alerts("POST", "", { ...alert, groupBy: "ServiceName" })).body;
    expect(result).to.deep.include({ ...alert, groupBy: "ServiceName", channels: [alert.channel] });
    expect(result).to.have.property("teamId");
    const { data } = (await client.observability("GET", `/alerts/${result.id}`)).body;
    expect(data).to.deep.equal(result);

    const board = (await client.service("POST", "/clickstack/dashboards", dashboard)).body.result;
    const onTile = { source: "tile", dashboardId: board.id, tileId: board.tiles[0].id };
    const { savedSearchId: _, ...rest } = alert;
    expect((await alerts("POST", "", { ...rest, ...onTile })).body.result).to.deep.include(onTile);
  });

  const refused: [string, object][] = [
    ["the source search", { source: "search" }],
    ["savedSearch", { savedSearch: savedSearchId }],
    ["no saved search", { savedSearchId: undefined }],
    ["an interval of 10m", { interval: "10m" }],
    ["a threshold type of another kind", { thresholdType: "over" }],
    ["a range without an end", { thresholdType: "between" }],
    ["a range that ends before it begins", { thresholdType: "not_between", thresholdMax: 0.5 }],
    ["no channel", { channel: undefined }],
    ["no entry in channels", { channels: [] }],
    [
      "a webhook that does not exist",
      { channels: [{ type: "webhook", webhookId: savedSearchId }], channel: undefined },
    ],
  ];
  for (const [what, change] of refused) {
    it(`refuses an alert with ${what}`, async () => {
      const answer = await alerts("POST", "", { ...alert, ...change });
      expect(answer.status, answer.text).to.equal(400);
      expect(client.sandbox.store.alerts.size).to.equal(0);
    });
  }

  it("takes a range, and channels in place of channel", async () => {
    const { channel, ...rest } = alert;
    const body = { ...rest, thresholdType: "between", thresholdMax: 2, channels: [channel] };
    expect((await alerts("POST", "", body)).body.result).to.deep.include({ ...body, channel });
  });
});

describe("A sandbox of either dialect", () => {
  const config = { displayType: "line", sourceId: "s", select: [{ aggFn: "count" }], engine_x: "search" };
  for (const dialect of ["neutral", "clickhouse"] as const) {
    it(`takes tiles with config and answers them as they were sent: ${dialect}`, async () => {
      const client = await Client.start({ dialect });
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
  }
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
