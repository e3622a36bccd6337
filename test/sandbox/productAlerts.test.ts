import { expect } from "chai";
import type { ApiName } from "../../sandbox/core/request";
import { apis, connectionId, savedSearchId, sourceId, useSandbox, webhookId } from "./requests";

const webhook = { type: "webhook", webhookId };
const alert = {
  ...{ source: "saved_search", savedSearchId, threshold: 1, thresholdType: "above", interval: "5m" },
  channel: webhook,
};
const refusalOf = (member: string) => `BAD_REQUEST: request body property can't be validated: ${member}`;

describe("Alerts of the sandbox in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
  const older = useSandbox({ dialect: "clickhouse", version: "2.36" });
  const post = (api: ApiName, change: object) =>
    client.stack(api, "POST", "/alerts", { ...alert, ...change });
  const put = (api: ApiName, id: string, change: object) =>
    client.stack(api, "PUT", `/alerts/${id}`, { ...alert, ...change });
  const get = async (api: ApiName, id: string) => (await client.stack(api, "GET", `/alerts/${id}`)).payload;
  const created = async (api: ApiName, change: object = {}) => {
    const { payload, text } = await post(api, change);
    expect(payload, text).to.be.an("object");
    return payload;
  };

  it("the answer to an invalid alert names all its invalid properties at once", async () => {
    const { reason } = await post("observability", { threshold: "1", interval: "2m" });
    expect(reason).to.match(/^Body validation failed: .*interval.*; .*threshold/);
  });

  it("the management API shows properties of an alert's channel that the observability API hides", async () => {
    const severe = { ...webhook, severity: "critical", slackChannelId: null, webhookService: "slack_api" };
    const { id } = await created("management", { channel: severe });
    expect((await get("management", id)).channel).to.deep.equal(severe);
    expect(await get("observability", id)).to.deep.include({ channel: webhook, channels: [webhook] });
    expect(await created("observability", { channel: severe })).to.deep.include({ channel: webhook });
  });

  it("the management API refuses unknown properties of an alert, and the observability API drops them", async () => {
    const silenced = { at: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" };
    expect((await post("management", { silenced })).reason).to.equal(refusalOf("silenced"));
    const listed = { channel: undefined, channels: [webhook] };
    for (const api of apis) expect(await created(api, listed)).to.deep.include({ channels: [webhook] });
    expect(await created("observability", { silenced })).to.not.have.property("silenced");
  });

  it("an update of an alert keeps its state, and ignores a state in the body", async () => {
    const { id } = await created("observability");
    Object.assign(client.sandbox.store.alerts.get(id) ?? {}, { state: "ALERT" });
    expect((await put("observability", id, { state: "OK" })).payload).to.include({ state: "ALERT" });
  });

  const [line, table] = ["line", "table"].map((displayType) => ({
    ...{ displayType, sourceId, select: [{ aggFn: "count" }] },
  }));
  for (const [title, first = {}, then, left] of [
    ["stays if an update of the dashboard keeps its tile a line chart", line, line, 1],
    ["is deleted if an update of the dashboard makes its tile a table", line, table, 0],
  ] as const)
    it(`an alert ${title}`, async () => {
      const place = await onTile(first);
      await created("observability", place);
      const tiles = [{ id: place.tileId, name: "Tile", x: 0, y: 0, w: 6, h: 3, config: then }];
      await client.observability("PUT", `/dashboards/${place.dashboardId}`, { name: "Board", tiles });
      expect(client.sandbox.store.alerts.size).to.equal(left);
    });

  const sql = { configType: "sql", connectionId, sqlTemplate: "SELECT 1" };
  const overTime = "SELECT toStartOfInterval(ts, INTERVAL {intervalSeconds:Int64} second)";
  for (const [title, config, status] of [
    ["takes a number", { ...sql, displayType: "number" }, 200],
    ["takes a line by the alert's interval", { ...sql, displayType: "line", sqlTemplate: overTime }, 200],
    ["refuses a line of no interval", { ...sql, displayType: "line" }, 400],
    ["refuses a table", { ...sql, displayType: "table" }, 400],
  ] as const)
    it(`an alert on a tile in raw SQL ${title}`, async () => {
      expect((await post("observability", await onTile(config))).status).to.equal(status);
    });

  async function onTile(config: object) {
    const tiles = [{ name: "Tile", x: 0, y: 0, w: 6, h: 3, config }];
    const { payload: board } = await client.observability("POST", "/dashboards", { name: "Board", tiles });
    return { source: "tile", dashboardId: board.id, tileId: board.tiles[0].id, savedSearchId: undefined };
  }

  const inline = { source: "inline", savedSearchId: undefined, chartConfig: line };
  const filledIn = {
    ...{ displayType: "line", sourceId, asRatio: false, fillNulls: true },
    select: [{ aggFn: "count", valueExpression: "", where: "", whereLanguage: "lucene" }],
  };

  it("POST, PUT and GET of an inline alert return its chart with defaults", async () => {
    const { id, chartConfig } = await created("observability", inline);
    expect(chartConfig).to.deep.equal(filledIn);
    expect((await put("observability", id, inline)).payload.chartConfig).to.deep.equal(filledIn);
    expect((await get("observability", id)).chartConfig).to.deep.equal(filledIn);
  });

  const [unknown, where] = [{ having: "1", name: "", select: [{ aggFn: "count", hint: 1 }] }, "Level:error"];
  for (const [title, sent, added] of [
    ["drops unknown properties of", unknown, {}],
    ["adds the language of a filter to", { where }, { where, whereLanguage: "lucene" }],
  ] as const)
    it(`the sandbox ${title} an inline alert's chart`, async () => {
      const { chartConfig } = await created("observability", {
        ...inline,
        chartConfig: { ...line, ...sent },
      });
      expect(chartConfig).to.deep.equal({ ...filledIn, ...added });
    });

  it("an inline alert cannot be sent back as GET shows it if no request can describe its chart", async () => {
    const { id } = await created("observability", inline);
    const unsayable = [
      { filters: [{ type: "sql", condition: "1" }] },
      { having: "1" },
      { granularity: "5 minute" },
      { select: "count()" },
      { select: Array(21).fill({ aggFn: "count" }) },
      { select: [{ aggFn: "quantile", valueExpression: "Duration", level: 0.75 }] },
      { where: "a".repeat(10_001) },
    ];
    for (const change of unsayable) {
      Object.assign(client.sandbox.store.alerts.get(id) ?? {}, { chartConfig: { ...filledIn, ...change } });
      const { createdAt, updatedAt, state, teamId, ...shown } = await get("observability", id);
      expect(shown, JSON.stringify(change).slice(0, 80)).to.include({ source: "inline" });
      expect(shown).to.not.have.property("chartConfig");
      expect((await put("observability", id, shown)).reason).to.include("chartConfig");
    }
  });

  it("the sandbox of an older ClickStack version refuses inline alerts", async () => {
    expect((await older.observability("POST", "/alerts", { ...alert, ...inline })).status).to.equal(400);
  });

  const range = { ...alert, thresholdType: "between", thresholdMax: 5, displayName: "Mine", tags: ["a"] };

  it("the sandbox of an older ClickStack version drops an alert's displayName and tags", async () => {
    const { payload, text } = await older.observability("POST", "/alerts", range);
    expect(payload, text).to.be.an("object").and.not.have.any.keys("displayName", "tags");
  });

  it("only the sandbox of an older ClickStack version keeps a thresholdMax that an update omits", async () => {
    const left = async (server: typeof client) => {
      const { payload } = await server.observability("POST", "/alerts", range);
      return (await server.observability("PUT", `/alerts/${payload.id}`, alert)).payload;
    };
    expect(await left(older)).to.include({ thresholdMax: 5 });
    expect(await left(client)).to.not.have.property("thresholdMax");
  });
});
