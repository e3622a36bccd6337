import { expect } from "chai";
import { type Rewrite, rewriteNames } from "../../sandbox/index";
import { Client, createTileAlert, dashboard, sourceId, useSandbox } from "./requests";

describe("answers that differ from requests while meaning the same", () => {
  const client = useSandbox();
  const { store, rewrites } = client.sandbox;

  const createDashboard = async (body: object = dashboard) =>
    (await client.observability("POST", "/dashboards", body)).payload;
  const createAlert = async () => (await createTileAlert(client)).alert;
  const createKey = async (body: object = { expireAt: "2099-01-01T02:00:00+02:00" }) =>
    (await client.organization("POST", "/keys", { roles: ["admin", "developer"], ...body })).payload.key;
  const [admin = ""] = store.keys.keys();
  const createEndpoint = async () => {
    const roles = ["sql_console_admin", "sql_console_read_only"];
    const allowedOrigins = "https://a.example.com,https://b.example.com";
    const other = (await createKey()).id;
    const body = { openApiKeys: [admin, other], roles, allowedOrigins };
    const { payload } = await client.service("POST", "/serviceQueryEndpoint", body);
    return {
      ...payload,
      openApiKeys: payload.openApiKeys.map((id: string) => (id === admin ? "admin" : "other")),
    };
  };
  const [tile] = dashboard.tiles;
  const select = [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "lucene" }];

  const rows: readonly [rewrite: Rewrite, shown: string, ask: () => Promise<object>, expected: object][] = [
    ["defaults", "of an alert", createAlert, { silenced: false, state: "OK" }],
    ["defaults", "of a key", () => createKey({}), { expireAt: null }],
    [
      "defaults",
      "of a tile",
      async () => {
        const series = [{ type: "number" }];
        const [made] = (await createDashboard({ name: "A", tiles: [{ ...tile, series }] })).tiles;
        return { asRatio: made.asRatio, ...made.series[0] };
      },
      { asRatio: false, type: "number", where: "", aggFn: "count", groupBy: [] },
    ],
    [
      "defaults",
      "beside the members that were sent",
      async () => (await createDashboard()).tiles[0].series[0],
      { groupBy: ["ServiceName"] },
    ],
    ["reorder", "of tags", createDashboard, { tags: ["b", "a"] }],
    ["reorder", "of roles", createKey, { roles: ["developer", "admin"] }],
    [
      "reorder",
      "of a query endpoint",
      createEndpoint,
      {
        roles: ["sql_console_read_only", "sql_console_admin"],
        openApiKeys: ["other", "admin"],
        allowedOrigins: "https://b.example.com,https://a.example.com",
      },
    ],
    [
      "reorderedTiles",
      "of a dashboard",
      async () => ({ names: (await createDashboard()).tiles.map(({ name }: { name: string }) => name) }),
      { names: ["Errors", "Requests"] },
    ],
    [
      "normalizedOrigins",
      "with a comma and a space",
      createEndpoint,
      { allowedOrigins: "https://a.example.com, https://b.example.com" },
    ],
    ["normalizedTimes", "in UTC with milliseconds", createKey, { expireAt: "2099-01-01T00:00:00.000Z" }],
    ["numbersAsStrings", "of an alert", createAlert, { threshold: "5" }],
    [
      "numbersAsStrings",
      "of a tile",
      async () => (await createDashboard()).tiles[1],
      { x: "12", w: "12", name: "Errors" },
    ],
    [
      "numbersAsStrings",
      "of a service",
      async () => (await client.service("GET", "")).payload,
      { numReplicas: "3", idleTimeoutMinutes: "15", idleScaling: true },
    ],
    [
      "seriesAsConfig",
      "in place of series",
      async () => (await createDashboard()).tiles[0],
      { config: { displayType: "line", sourceId, asRatio: false, groupBy: "ServiceName", select } },
    ],
  ];
  for (const [rewrite, shown, ask, expected] of rows)
    it(`${rewrite} shows other values ${shown}`, async () => {
      rewrites.add(rewrite);
      expect(await ask()).to.deep.include(expected);
    });

  it("no rewrite is active unless it is asked for", async () => {
    expect(await createKey()).to.deep.include({
      expireAt: "2099-01-01T02:00:00+02:00",
      roles: ["admin", "developer"],
    });
  });

  it("dashboardId, given as an option, takes the place of dashboard in an alert", async () => {
    const other = Client.inProcess({ rewrites: ["dashboardId"] });
    const { board, alert } = await createTileAlert(other);
    expect(alert).to.include({ dashboardId: board.id }).and.not.have.property("dashboard");
    other.sandbox.rewrites.clear();
    expect((await other.observability("GET", "/alerts")).payload[0]).to.include({ dashboard: board.id });
  });

  it("seriesAsConfig leaves no series in a tile", async () => {
    rewrites.add("seriesAsConfig");
    expect((await createDashboard()).tiles[0]).to.have.all.keys("id", "name", "x", "y", "w", "h", "config");
  });

  it("laggingScaling shows the old values twice, then 0, then the new ones", async () => {
    rewrites.add("laggingScaling");
    const { payload } = await client.service("PATCH", "/scaling", { numReplicas: 5, idleScaling: false });
    const seen = [payload];
    while (seen.length < 5) seen.push((await client.service("GET", "")).payload);
    expect(seen.map(({ numReplicas }) => numReplicas)).to.deep.equal([3, 3, 0, 5, 5]);
    expect(seen.map(({ idleScaling }) => idleScaling)).to.deep.equal([true, true, true, false, false]);
    expect(seen.map(({ idleTimeoutMinutes }) => idleTimeoutMinutes)).to.deep.equal(Array(5).fill(15));
    const unchanged = await client.secondService("PATCH", "/scaling", { numReplicas: 1 });
    expect(unchanged.payload.numReplicas).to.equal(1);
  });

  it("movingState shows another state and updatedAt of an alert in each answer", async () => {
    rewrites.add("movingState");
    const { id } = await createAlert();
    const get = async () => (await client.observability("GET", `/alerts/${id}`)).payload;
    const [first, second] = [await get(), await get()];
    expect(first.state).to.not.equal(second.state);
    expect(first.updatedAt).to.not.equal(second.updatedAt);
  });

  it("no rewrite changes the records", async () => {
    const plain = await createAlert();
    const stored = JSON.stringify([store.contents().alerts, store.contents().dashboards]);
    for (const rewrite of rewriteNames) rewrites.add(rewrite);
    expect((await client.observability("GET", "/alerts")).payload[0]).to.not.deep.equal(plain);
    await client.observability("GET", "/dashboards");
    expect(JSON.stringify([store.contents().alerts, store.contents().dashboards])).to.equal(stored);
  });
});
