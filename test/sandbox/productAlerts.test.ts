import { expect } from "chai";
import type { ApiName } from "../../sandbox/core/request";
import { apis, connectionId, savedSearchId, sourceId, useSandbox, webhookId } from "./requests";

const webhook = { type: "webhook", webhookId };
const alert = {
  ...{ source: "saved_search", savedSearchId, threshold: 1, thresholdType: "above", interval: "5m" },
  channel: webhook,
};
const refusalOf = (member: string) => `BAD_REQUEST: request body property can't be validated: ${member}`;

describe("Alerts of an older server of the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", version: "2.36" });

  it("the observability API of ClickStack 2.36 drops the members of anomaly alerts", async () => {
    const body = { ...alert, detectionMode: "anomaly", anomalyConfig: { zScoreThreshold: 3 } };
    const { payload, text } = await client.observability("POST", "/alerts", body);
    expect(payload, text).to.be.an("object").and.not.have.any.keys("detectionMode", "anomalyConfig");
  });
});

describe("Alerts of the sandbox in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });
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
    const { status } = await post("management", { channel: { ...webhook, severity: "high" } });
    expect(status).to.equal(400);
  });

  it("the management API refuses unknown properties of an alert, and the observability API drops them", async () => {
    const silenced = { at: "2026-01-01T00:00:00Z", until: "2026-01-02T00:00:00Z" };
    expect((await post("management", { silenced })).reason).to.equal(refusalOf("silenced"));
    const listed = { channel: undefined, channels: [webhook] };
    for (const api of apis) expect(await created(api, listed)).to.deep.include({ channels: [webhook] });
    expect(await created("observability", { silenced })).to.not.have.property("silenced");
  });

  for (const api of apis) {
    it(`PUT of an alert on the ${api} API requires the properties that a create requires`, async () => {
      const { id } = await created(api);
      for (const name of ["source", "threshold", "thresholdType", "interval", "savedSearchId"])
        expect((await put(api, id, { [name]: undefined })).status, name).to.equal(400);
    });

    it(`PUT of an alert on the ${api} API keeps an omitted schedule, which null clears`, async () => {
      const { id } = await created(api, { scheduleOffsetMinutes: 3 });
      const after = async (change: object) => (await put(api, id, change)).payload;
      expect(await after({})).to.include({ scheduleOffsetMinutes: 3 });
      const started = { scheduleOffsetMinutes: 0, scheduleStartAt: "2026-03-01T10:00:00.000Z" };
      expect(await after({ scheduleStartAt: "2026-03-01T10:00:00Z" })).to.include(started);
      expect(await after({})).to.include(started);
      const cleared = { scheduleOffsetMinutes: 0, scheduleStartAt: null };
      expect(await after({ scheduleStartAt: null })).to.include(cleared);
    });

    it(`deleting a saved search on the ${api} API deletes the alerts on it`, async () => {
      const { id } = await created(api);
      await client.stack(api, "DELETE", `/saved-searches/${savedSearchId}`);
      expect((await client.stack(api, "GET", `/alerts/${id}`)).status).to.equal(404);
    });

    it(`an alert that changes to a tile on the ${api} API loses its saved search`, async () => {
      const { id } = await created(api, { groupBy: "ServiceName" });
      const series = [{ type: "number", sourceId, aggFn: "count", where: "", whereLanguage: "lucene" }];
      const tiles = [{ name: "Tile", x: 0, y: 0, w: 6, h: 3, series }];
      const { payload: board } = await client.observability("POST", "/dashboards", { name: "Board", tiles });
      const onTile = { source: "tile", dashboardId: board.id, tileId: board.tiles[0].id };
      const { payload, text } = await put(api, id, onTile);
      expect(payload, text).to.include(onTile);
      expect([payload.savedSearchId ?? null, payload.groupBy ?? null]).to.deep.equal([null, null]);
    });
  }

  const anomaly = {
    ...{ detectionMode: "anomaly", interval: "15m" },
    anomalyConfig: { bucketSizeSeconds: 300, zScoreThreshold: 3, condition: "above", nonNegative: true },
  };
  const detection = ({ detectionMode, anomalyConfig }: typeof anomaly) => [detectionMode, anomalyConfig];

  for (const api of apis) {
    it(`PUT of an anomaly alert on the ${api} API makes a threshold alert of it without detectionMode`, async () => {
      const { id } = await created(api, anomaly);
      for (const other of apis) expect(await get(other, id)).to.deep.include(anomaly);
      const { payload } = await put(api, id, anomaly);
      expect(payload).to.deep.include(anomaly);
      await put(api, id, { interval: "15m" });
      expect(detection(await get("management", id))).to.deep.equal(["threshold", null]);
      expect(await get("observability", id)).to.not.have.any.keys("detectionMode", "anomalyConfig");
    });

    it(`PUT of an anomaly alert on the ${api} API clears an omitted anomalyConfig`, async () => {
      const { id } = await created(api, anomaly);
      await put(api, id, { ...anomaly, anomalyConfig: undefined });
      expect(detection(await get("management", id))).to.deep.equal(["anomaly", null]);
    });

    it(`an anomaly alert on the ${api} API needs one of four intervals`, async () => {
      for (const interval of ["1m", "6h", "12h", "1d"])
        expect((await post(api, { ...anomaly, interval })).reason).to.include(
          'interval: must be one of 5m, 15m, 30m, 1h when detectionMode is "anomaly"',
        );
    });

    it(`a threshold alert on the ${api} API refuses anomalyConfig`, async () => {
      for (const detectionMode of [undefined, "threshold"])
        expect((await post(api, { ...anomaly, detectionMode })).reason).to.include(
          'anomalyConfig: is only supported when detectionMode is "anomaly"',
        );
    });

    it(`the ${api} API refuses an unknown detectionMode of an alert`, async () => {
      expect((await post(api, { detectionMode: "forecast" })).status).to.equal(400);
    });
  }

  it("an update of an alert keeps its state, and ignores a state in the body", async () => {
    const { id } = await created("observability");
    Object.assign(client.sandbox.store.alerts.get(id) ?? {}, { state: "ALERT" });
    expect((await put("observability", id, { state: "OK" })).payload).to.include({ state: "ALERT" });
  });

  it("both APIs show until when an alert is silenced, and the errors of its evaluation", async () => {
    const { id } = await created("observability");
    const timestamp = "2026-01-01T00:00:00.000Z";
    const silenced = { at: timestamp, until: "2026-01-02T00:00:00.000Z" };
    const executionErrors = [{ timestamp, type: "QUERY_ERROR", message: "no such column" }];
    Object.assign(client.sandbox.store.alerts.get(id) ?? {}, { silenced, executionErrors });
    for (const api of apis) expect(await get(api, id)).to.deep.include({ silenced, executionErrors });
  });

  it("an alert on a tile in raw SQL needs a single number or a query by the alert's interval", async () => {
    const sql = { configType: "sql", connectionId, sqlTemplate: "SELECT 1" };
    const overTime = "SELECT toStartOfInterval(ts, INTERVAL {intervalSeconds:Int64} second)";
    for (const [config, status] of [
      [{ ...sql, displayType: "number" }, 200],
      [{ ...sql, displayType: "line", sqlTemplate: overTime }, 200],
      [{ ...sql, displayType: "line" }, 400],
      [{ ...sql, displayType: "table" }, 400],
    ] as const)
      expect((await alertOn(config)).status).to.equal(status);
  });

  const [line, table] = ["line", "table"].map((displayType) => ({
    ...{ displayType, sourceId, select: [{ aggFn: "count" }] },
  }));
  for (const [title, first = {}, then, left] of [
    ["stays if an update of the dashboard keeps its tile a line chart", line, line, 1],
    ["is deleted if an update of the dashboard makes its tile a table", line, table, 0],
    ["on a table is deleted by the next update of the dashboard", table, table, 0],
  ] as const)
    it(`an alert ${title}`, async () => {
      const { status, board } = await alertOn(first);
      expect([status, client.sandbox.store.alerts.size]).to.deep.equal([200, 1]);
      const tiles = [{ ...board.tiles[0], config: then }];
      await client.observability("PUT", `/dashboards/${board.id}`, { name: "Board", tiles });
      expect(client.sandbox.store.alerts.size).to.equal(left);
    });

  async function alertOn(config: object) {
    const tiles = [{ name: "Tile", x: 0, y: 0, w: 6, h: 3, config }];
    const { payload: board } = await client.observability("POST", "/dashboards", { name: "Board", tiles });
    const place = { source: "tile", dashboardId: board.id, tileId: board.tiles[0].id };
    const { status } = await post("observability", { ...place, savedSearchId: undefined });
    return { board, status };
  }
});
