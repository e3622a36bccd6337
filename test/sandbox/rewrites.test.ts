import { expect } from "chai";
import type { Rewrite } from "../../sandbox/index";
import { Client, createTileAlert, dashboard, sourceId, useSandbox } from "./requests";

describe("Rewrites of the sandbox's answers", () => {
  const client = useSandbox();
  const { store, rewrites } = client.sandbox;

  const [tile] = dashboard.tiles;
  const board = { ...dashboard, tiles: [...dashboard.tiles, { ...tile, series: [{ type: "number" }] }] };
  const expireAt = "2099-01-01T02:00:00+02:00";
  const createKey = async (body: object) =>
    (await client.organization("POST", "/keys", { roles: ["admin", "developer"], ...body })).payload.key;

  async function shown() {
    const [admin] = store.keys.keys();
    const [key, endlessKey] = [await createKey({ expireAt }), await createKey({})];
    const endpoint = {
      openApiKeys: [admin, key.id],
      roles: ["sql_console_admin", "sql_console_read_only"],
      allowedOrigins: "https://a.example.com,https://b.example.com",
    };
    return {
      ...{ key, endlessKey, alert: (await createTileAlert(client)).alert },
      dashboard: (await client.observability("POST", "/dashboards", board)).payload,
      endpoint: (await client.service("POST", "/serviceQueryEndpoint", endpoint)).payload,
      service: (await client.service("GET", "")).payload,
    };
  }

  const select = [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "lucene" }];
  const expected: { readonly [rewrite in Rewrite]?: { readonly [path: string]: unknown } } = {
    defaults: {
      "alert.silenced": false,
      "alert.state": "OK",
      "endlessKey.expireAt": null,
      "dashboard.tiles[0].series[0].groupBy": ["ServiceName"],
      "dashboard.tiles[2].asRatio": false,
      "dashboard.tiles[2].series": [
        { type: "number", where: "", aggFn: "count", groupBy: [], whereLanguage: "lucene" },
      ],
    },
    reorder: {
      "dashboard.tags": ["b", "a"],
      "key.roles": ["developer", "admin"],
      "endpoint.roles": ["sql_console_read_only", "sql_console_admin"],
      "endpoint.allowedOrigins": "https://b.example.com,https://a.example.com",
    },
    reorderedTiles: { "dashboard.tiles[1].name": "Errors", "dashboard.tiles[2].series": tile?.series },
    normalizedOrigins: { "endpoint.allowedOrigins": "https://a.example.com, https://b.example.com" },
    normalizedTimes: { "key.expireAt": "2099-01-01T00:00:00.000Z" },
    numbersAsStrings: {
      "alert.threshold": "5",
      "dashboard.tiles[1].x": "12",
      "dashboard.tiles[1].name": "Errors",
      "service.numReplicas": "3",
      "service.idleScaling": true,
    },
    seriesAsConfig: {
      "dashboard.tiles[0].config": {
        ...{ displayType: "line", sourceId, asRatio: false, groupBy: "ServiceName", select },
      },
    },
  };
  for (const [rewrite, members] of Object.entries(expected))
    it(`the rewrite ${rewrite} shows properties in another form`, async () => {
      const plain = await shown();
      await client.sandbox.reset();
      rewrites.add(rewrite as Rewrite);
      const rewritten = await shown();
      for (const [path, value] of Object.entries(members))
        expect(rewritten).to.have.deep.nested.property(path, value);
      expect(plain.key).to.deep.include({ expireAt, roles: ["admin", "developer"] });
      expect(plain.dashboard.tiles[0].series).to.deep.equal(tile?.series);
    });

  it("a sandbox with the rewrite dashboardId names an alert's property dashboard dashboardId", async () => {
    const other = Client.inProcess({ rewrites: ["dashboardId"] });
    const { board, alert } = await createTileAlert(other);
    expect(alert).to.include({ dashboardId: board.id }).and.not.have.property("dashboard");
    other.sandbox.rewrites.clear();
    expect((await other.observability("GET", "/alerts")).payload[0]).to.include({ dashboard: board.id });
  });

  it("the rewrite laggingScaling shows the old replicas twice, then 0, then the new ones", async () => {
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
});
