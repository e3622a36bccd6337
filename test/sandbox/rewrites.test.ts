import { expect } from "chai";
import { rewriteNames } from "../../sandbox/index";
import { Client, dashboard } from "./requests";

describe("sandbox: rewrites", () => {
  let client: Client;
  before(async () => {
    client = Client.inProcess({ rewrites: ["dashboardId"] });
  });
  beforeEach(() => client.sandbox.reset());
  afterEach(() => client.sandbox.rewrites.clear());
  after(() => client.sandbox.close());

  const createDashboard = async () =>
    (await client.observability("POST", "/dashboards", dashboard)).body.data;
  const createAlert = async () => {
    const board = await createDashboard();
    const body = {
      dashboardId: board.id,
      tileId: board.tiles[0].id,
      threshold: 5,
      interval: "5m",
      source: "tile",
      thresholdType: "above",
      channel: { type: "webhook", webhookId: client.webhookId },
      name: "Too many",
    };
    return (await client.observability("POST", "/alerts", body)).body.data;
  };
  const createKey = async () => {
    const body = { roles: ["admin", "developer"], expireAt: "2099-01-01T02:00:00+02:00" };
    return (await client.organizationRequest("POST", "/keys", body)).body.result.key;
  };
  const createEndpoint = async () => {
    const openApiKeys = [...client.sandbox.store.keys.keys()];
    const roles = ["sql_console_admin", "sql_console_read_only"];
    const allowedOrigins = "https://a.example.com,https://b.example.com";
    return (await client.service("POST", "/serviceQueryEndpoint", { openApiKeys, roles, allowedOrigins }))
      .body.result;
  };

  it("dashboardId, given as an option: an alert has dashboardId in place of dashboard", async () => {
    client.sandbox.rewrites.add("dashboardId");
    const alert = await createAlert();
    expect(alert.dashboardId).to.match(/^[0-9a-f]{24}$/);
    expect(alert).to.not.have.property("dashboard");
    client.sandbox.rewrites.clear();
    const { data } = (await client.observability("GET", "/alerts")).body;
    expect(data[0].dashboard).to.equal(alert.dashboardId);
  });

  it("defaults: members that were not sent come back", async () => {
    client.sandbox.rewrites.add("defaults");
    expect(await createAlert()).to.include({ silenced: false, state: "OK" });
    const body = { name: "Numbers", tiles: [{ ...dashboard.tiles[0], series: [{ type: "number" }] }] };
    const [tile] = (await client.observability("POST", "/dashboards", body)).body.data.tiles;
    expect(tile.asRatio).to.equal(false);
    expect(tile.series[0]).to.deep.include({ type: "number", where: "", aggFn: "count", groupBy: [] });
    const { result } = (await client.organizationRequest("POST", "/keys", { roles: ["admin"] })).body;
    expect(result.key.expireAt).to.equal(null);
  });

  it("defaults: members that were sent stay as they are", async () => {
    client.sandbox.rewrites.add("defaults");
    const { tiles } = await createDashboard();
    expect(tiles[0].series[0].groupBy).to.deep.equal(["ServiceName"]);
  });

  it("reorder: arrays that are sets come back in another order", async () => {
    client.sandbox.rewrites.add("reorder");
    expect((await createDashboard()).tags).to.deep.equal(["b", "a"]);
    expect((await createKey()).roles).to.deep.equal(["developer", "admin"]);
    expect(await createEndpoint()).to.deep.include({
      roles: ["sql_console_read_only", "sql_console_admin"],
      openApiKeys: [...client.sandbox.store.keys.keys()].reverse(),
      allowedOrigins: "https://b.example.com,https://a.example.com",
    });
  });

  it("reorderedTiles: the tiles come back in another order", async () => {
    client.sandbox.rewrites.add("reorderedTiles");
    const [tile] = dashboard.tiles;
    const body = { ...dashboard, tiles: [tile, { ...tile, name: "Second" }] };
    const { tiles } = (await client.observability("POST", "/dashboards", body)).body.data;
    expect(tiles.map(({ name }: { name: string }) => name)).to.deep.equal(["Second", tile?.name]);
  });

  it("normalizedOrigins: the domains are separated by a comma and a space", async () => {
    client.sandbox.rewrites.add("normalizedOrigins");
    expect((await createEndpoint()).allowedOrigins).to.equal("https://a.example.com, https://b.example.com");
  });

  it("normalizedTimes: expireAt comes back in UTC with milliseconds", async () => {
    expect((await createKey()).expireAt).to.equal("2099-01-01T02:00:00+02:00");
    client.sandbox.rewrites.add("normalizedTimes");
    expect((await createKey()).expireAt).to.equal("2099-01-01T00:00:00.000Z");
  });

  it("numbersAsStrings: numbers come back as texts", async () => {
    client.sandbox.rewrites.add("numbersAsStrings");
    expect((await createAlert()).threshold).to.equal("5");
    expect((await createDashboard()).tiles[1]).to.include({ x: "12", w: "12", name: "Errors" });
    const { result } = (await client.service("GET", "")).body;
    expect(result).to.include({ numReplicas: "3", idleTimeoutMinutes: "15", idleScaling: true });
  });

  it("seriesAsConfig: tiles come back with config in place of series", async () => {
    client.sandbox.rewrites.add("seriesAsConfig");
    const [tile] = (await createDashboard()).tiles;
    expect(tile).to.have.all.keys("id", "name", "x", "y", "w", "h", "config");
    expect(tile.config).to.deep.equal({
      displayType: "line",
      sourceId: [...client.sandbox.store.sources.keys()][0],
      asRatio: false,
      groupBy: "ServiceName",
      select: [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "lucene" }],
    });
  });

  it("laggingScaling: two answers show the old value, the next 0, then the new one", async () => {
    client.sandbox.rewrites.add("laggingScaling");
    const patched = (await client.service("PATCH", "/scaling", { numReplicas: 5, idleScaling: false })).body
      .result;
    const seen = [patched];
    for (let count = 0; count < 4; count += 1) seen.push((await client.service("GET", "")).body.result);
    expect(seen.map(({ numReplicas }) => numReplicas)).to.deep.equal([3, 3, 0, 5, 5]);
    expect(seen.map(({ idleScaling }) => idleScaling)).to.deep.equal([true, true, true, false, false]);
    expect(seen.map(({ idleTimeoutMinutes }) => idleTimeoutMinutes)).to.deep.equal(Array(5).fill(15));
    expect(
      (await client.secondService("PATCH", "/scaling", { numReplicas: 1 })).body.result.numReplicas,
    ).to.equal(1);
  });

  it("movingState: state and updatedAt of an alert differ in each answer", async () => {
    client.sandbox.rewrites.add("movingState");
    const { id } = await createAlert();
    const get = async () => (await client.observability("GET", `/alerts/${id}`)).body.data;
    const [first, second] = [await get(), await get()];
    expect(first.state).to.not.equal(second.state);
    expect(first.updatedAt).to.not.equal(second.updatedAt);
  });

  it("no rewrite changes what is stored", async () => {
    const plain = await createAlert();
    const stored = JSON.stringify(client.sandbox.store.contents().alerts);
    for (const rewrite of rewriteNames) client.sandbox.rewrites.add(rewrite);
    const { data } = (await client.observability("GET", "/alerts")).body;
    expect(data[0]).to.not.deep.equal(plain);
    await client.observability("GET", "/dashboards");
    expect(JSON.stringify(client.sandbox.store.contents().alerts)).to.equal(stored);
  });
});
