import { expect } from "chai";
import {
  apis,
  connectionId,
  metricSourceId,
  savedSearchId,
  sourceId,
  unknownId,
  useSandbox,
  webhookId,
} from "./requests";

type Changes = { readonly [title: string]: object };

const webhook = { type: "webhook", webhookId };
const count = { aggFn: "count" };
const line = { displayType: "line", sourceId, select: [count] };
const sql = { configType: "sql", connectionId, sqlTemplate: "SELECT 1" };
const max = { aggFn: "max", valueExpression: "Duration" };
const inline = (chartConfig: object) => ({ source: "inline", savedSearchId: undefined, chartConfig });

const alert = {
  ...{ source: "saved_search", savedSearchId, threshold: 1, thresholdType: "above", interval: "5m" },
  channel: webhook,
};
const [number, ratio] = [
  { ...line, displayType: "number" },
  { ...line, select: [count, max], asRatio: true },
];
const formula = { expression: "A" };
const alerts: Changes = {
  "a chart beside a saved search": { chartConfig: line },
  "a table as its chart": inline({ ...line, displayType: "table" }),
  "a ratio of one series": inline({ ...line, asRatio: true }),
  "a ratio beside a formula": inline({ ...ratio, formulas: [formula] }),
  "two series in a number": inline({ ...number, select: [count, max] }),
  "two formulas in a number": inline({ ...number, formulas: [formula, formula] }),
  "a formula of a series that the chart lacks": inline({ ...line, formulas: [{ expression: "A / B" }] }),
  "a filter of a query": inline({ ...sql, displayType: "number", where: "1" }),
  "a query for a line without an interval": inline({ ...sql, displayType: "line" }),
  "a range without an end": { thresholdType: "between" },
  "a start with another time zone": { scheduleStartAt: "2026-01-01T00:00:00+01:00" },
  "a saved search that does not exist": { savedSearchId: unknownId },
  "a malformed saved search": { savedSearchId: "errors" },
  "a chart of a source that does not exist": inline({ ...line, sourceId: unknownId }),
  "a query on a connection that does not exist": inline({
    ...{ ...sql, displayType: "number", connectionId: unknownId },
  }),
  "a webhook that does not exist": { channel: { ...webhook, webhookId: unknownId } },
  "a range that ends before it begins": { thresholdType: "not_between", thresholdMax: 0 },
  "an offset as long as the interval": { scheduleOffsetMinutes: 5 },
  "a start in two years": { scheduleStartAt: new Date(Date.now() + 7.3e10).toISOString() },
  "both an offset and a start": { scheduleOffsetMinutes: 1, scheduleStartAt: new Date().toISOString() },
  "a query for a table": inline({ ...sql, displayType: "table" }),
  "anomalies in an interval of six hours": { detectionMode: "anomaly", interval: "6h" },
  "anomalies of a threshold": { detectionMode: "threshold", anomalyConfig: { zScoreThreshold: 3 } },
  "channels beside another channel": { channels: [{ ...webhook, webhookId: unknownId }] },
};

/** What the refusal of some of these bodies says. */
const words: { readonly [title: string]: string } = {
  "a chart beside a saved search": 'chartConfig is only supported when source is "inline"',
  "anomalies in an interval of six hours": "interval: must be one of 5m, 15m, 30m, 1h when detectionMode is",
  "anomalies of a threshold": 'anomalyConfig: is only supported when detectionMode is "anomaly"',
};

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 3 };
const showing = (config: object, place: object = {}) => ({ tiles: [{ ...tile, config, ...place }] });
const chart = (displayType: string, further: object = {}) =>
  showing({ displayType, sourceId, select: [count], ...further });
const linked = (type: string, id: string) =>
  chart("table", { onClick: { type, target: { mode: "id", id } } });
const series = { type: "time", sourceId, aggFn: "count", where: "", whereLanguage: "lucene", groupBy: [] };
const inSeries = (...all: object[]) => ({ tiles: [{ ...tile, series: all }] });
const filter = { type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId };
const containers = [{ id: "top", title: "Top", collapsed: false, tabs: [{ id: "first", title: "First" }] }];

const dashboards: Changes = {
  "two selects of a pie": chart("pie", { select: [count, count] }),
  "a count of an expression": chart("line", { select: [{ ...max, aggFn: "count" }] }),
  "a maximum of nothing": chart("line", { select: [{ aggFn: "max" }] }),
  "a level without a quantile": chart("line", { select: [{ ...max, level: 0.9 }] }),
  "a rule between one bound": chart("number", {
    colorRules: [{ operator: "between", value: [1], color: "chart-red" }],
  }),
  "series beside a config": showing(line, { series: [series] }),
  "two tiles of one id": { tiles: ["a", "a"].map((id) => ({ ...tile, config: line, id })) },
  "two containers of one id": { containers: [...containers, ...containers] },
  "a tile in an unknown container": showing(line, { containerId: "bottom" }),
  "a tile on an unknown tab": { containers, ...showing(line, { containerId: "top", tabId: "second" }) },
  "a filter on an unknown source": { filters: [{ ...filter, sourceId: unknownId }] },
  "a filter that does nothing": {
    filters: [{ ...filter, isBroadcastEnabled: false, isVariableEnabled: false }],
  },
  "a variable that is none": { filters: [{ ...filter, isVariableEnabled: false, variableName: "service" }] },
  "a query of no language": { savedQuery: "a", savedQueryLanguage: null },
  "a line on an unknown source": chart("line", { sourceId: unknownId }),
  "a formula of a series that the tile lacks": chart("line", { formulas: [{ expression: "A / (A + C)" }] }),
  "a formula that is no arithmetic": chart("line", { formulas: [{ expression: "A 2" }] }),
  "a formula of no series": chart("line", { formulas: [{ expression: "1 + 2" }] }),
  "two selects of a number": chart("number", { select: [count, count] }),
  "a ratio of one": chart("line", { asRatio: true }),
  "a heatmap of logs": chart("heatmap", { select: [{ valueExpression: "Duration" }] }),
  "raw SQL on an unknown connection": showing({ ...sql, displayType: "line", connectionId: unknownId }),
  "a link to a search of metrics": linked("search", metricSourceId),
  "a link to an unknown dashboard": linked("dashboard", sourceId),
  "a series of an unknown source": inSeries({ ...series, sourceId: unknownId }),
  "series of two types": inSeries(series, { ...series, type: "number", groupBy: undefined }),
  "a ratio beside a config": showing(line, { asRatio: true }),
};

describe("Request bodies that the sandbox refuses in the dialect clickhouse", () => {
  const client = useSandbox({ dialect: "clickhouse" });

  for (const [path, valid, changes] of [
    ["/alerts", alert, alerts],
    ["/dashboards", { name: "Board", ...showing(line) }, dashboards],
  ] as const) {
    it(`POST ${path} accepts a valid body on both APIs`, async () => {
      for (const api of apis) expect((await client.stack(api, "POST", path, valid)).status).to.equal(200);
    });

    it(`POST ${path} refuses bodies that break a rule on both APIs`, async () => {
      for (const api of apis)
        for (const [title, change] of Object.entries(changes)) {
          const { status, reason } = await client.stack(api, "POST", path, { ...valid, ...change });
          expect(status, `${title}, ${api}`).to.equal(400);
          expect(reason).to.include(words[title] ?? "");
        }
    });
  }

  it("only the observability API accepts fractions in a tile's position", async () => {
    const body = { name: "Board", ...showing(line, { h: 2.5 }) };
    const answers = await Promise.all(apis.map((api) => client.stack(api, "POST", "/dashboards", body)));
    expect(answers.map(({ status }) => status)).to.deep.equal([400, 200]);
  });
});
