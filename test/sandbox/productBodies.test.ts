import { expect } from "chai";
import type { ApiName } from "../../sandbox/core/request";
import { judge } from "../strictProduct/judge";
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

/** Changes of a valid body, by their titles. */
type Changes = { readonly [title: string]: object };

interface Bodies {
  readonly operation: "createAlert" | "createDashboard";
  readonly path: "/alerts" | "/dashboards";
  readonly valid: object;
  readonly taken: Changes;
  readonly takenBy: { readonly [api in ApiName]: Changes };
  /** Against the documents of both APIs. */
  readonly refused: Changes;
  /** Against rules of which no schema knows, such as that something exists. */
  readonly refusedByRule: Changes;
}

const webhook = { type: "webhook", webhookId };
const email = { type: "email", emailRecipients: ["on-call@example.com"] };

const count = { aggFn: "count" };
const max = { aggFn: "max", valueExpression: "Duration" };
const line = { displayType: "line", sourceId, select: [count] };
const sql = { configType: "sql", connectionId, sqlTemplate: "SELECT 1" };
const inline = (chartConfig: object) => ({ source: "inline", savedSearchId: undefined, chartConfig });
const [number, ratio] = [
  { ...line, displayType: "number" },
  { ...line, select: [count, max], asRatio: true },
];
const overTime = { ...sql, sqlTemplate: "SELECT $__timeInterval(ts) FROM t" };
const [byFirst, bySecond] = ["A", "B"].map((expression) => ({ expression }));

const alerts: Bodies = {
  operation: "createAlert",
  path: "/alerts",
  valid: {
    ...{ source: "saved_search", savedSearchId, threshold: 1, thresholdType: "above", interval: "5m" },
    channel: webhook,
  },
  taken: {
    "no more than it needs": {},
    "null for the members of the other source and for the group": {
      ...{ dashboardId: null, tileId: null, groupBy: null },
      ...{ name: null, message: null, note: null, numConsecutiveWindows: null },
    },
  },
  takenBy: {
    management: { "a channel of e-mail": { channel: email } },
    observability: {
      "a list of channels": { channel: undefined, channels: [webhook] },
      "a name in lists and tags": { displayName: "Errors", tags: ["a".repeat(32)] },
      "no tags": { displayName: null, tags: [] },
      "null for its chart": { chartConfig: null },
      "a chart with everything": inline({
        ...{
          ...ratio,
          name: "Errors",
          where: "Level:error",
          whereLanguage: "lucene",
          groupBy: "ServiceName",
        },
        ...{ alignDateRangeToGranularity: false, fillNulls: false, showOperandSeries: false, seriesLimit: 5 },
        ...{ compareToPreviousPeriod: true, fitYAxisToData: true, numberFormat: { output: "percent" } },
      }),
      "bars with a formula": inline({ ...line, displayType: "stacked_bar", formulas: [byFirst] }),
      "a number": inline({ ...number, color: "chart-red", backgroundChart: { type: "area" } }),
      "a number of two series": inline({ ...number, select: [count, max], formulas: [bySecond] }),
      "a query for a number": inline({ ...sql, displayType: "number", name: "Errors" }),
      "a query for a line": inline({ ...overTime, displayType: "line", sourceId, fitYAxisToData: true }),
      "a query for bars": inline({ ...overTime, displayType: "stacked_bar", seriesLimit: 3 }),
    },
  },
  refused: {
    "a chart beside a saved search": { chartConfig: line },
    "a table as its chart": inline({ ...line, displayType: "table" }),
    "a chart in PromQL": inline({ ...line, configType: "promql" }),
    "a ratio of one series": inline({ ...line, asRatio: true }),
    "a ratio beside a formula": inline({ ...ratio, formulas: [byFirst] }),
    "two series in a number": inline({ ...number, select: [count, max] }),
    "two formulas in a number": inline({ ...number, formulas: [byFirst, byFirst] }),
    "a filter of a query": inline({ ...sql, displayType: "number", where: "1" }),
    "a query for a line without an interval": inline({ ...sql, displayType: "line" }),
    "a range without an end": { thresholdType: "between" },
    "a start with another time zone": { scheduleStartAt: "2026-01-01T00:00:00+01:00" },
  },
  refusedByRule: {
    "a saved search that does not exist": { savedSearchId: unknownId },
    "a malformed saved search": { savedSearchId: "errors" },
    "a chart of a source that does not exist": inline({ ...line, sourceId: unknownId }),
    "a query on a connection that does not exist": inline({
      ...sql,
      displayType: "number",
      connectionId: unknownId,
    }),
    "a webhook that does not exist": { channel: { ...webhook, webhookId: unknownId } },
    "a range that ends before it begins": { thresholdType: "not_between", thresholdMax: 0 },
    "an offset as long as the interval": { scheduleOffsetMinutes: 5 },
    "a start in two years": { scheduleStartAt: new Date(Date.now() + 7.3e10).toISOString() },
    "both an offset and a start": { scheduleOffsetMinutes: 1, scheduleStartAt: new Date().toISOString() },
    "channels beside another channel": { channels: [{ ...webhook, webhookId: unknownId }] },
  },
};

const tile = { name: "Lines", x: 0, y: 0, w: 6, h: 3 };
const showing = (config: object, place: object = {}) => ({ tiles: [{ ...tile, config, ...place }] });
const chart = (displayType: string, further: object = {}) =>
  showing({ displayType, sourceId, select: [count], ...further });
const table = (onClick: object) => chart("table", { onClick });
const series = { type: "time", sourceId, aggFn: "count", where: "", whereLanguage: "lucene", groupBy: [] };
const inSeries = (...all: object[]) => ({ tiles: [{ ...tile, series: all }] });
const filter = { type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName", sourceId };
const variable = { ...filter, isVariableEnabled: true, variableName: "service" };
const containers = [{ id: "top", title: "Top", collapsed: false, tabs: [{ id: "first", title: "First" }] }];
const search = { displayType: "search", sourceId, select: "Body" };

const dashboards: Bodies = {
  operation: "createDashboard",
  path: "/dashboards",
  valid: { name: "Board", ...showing(line) },
  taken: {
    "no more than it needs": {},
    "a name and a tile that say nothing": { name: "", ...showing(line, { name: "" }) },
    "a tag twice": { tags: ["a", "a"] },
    "a link to a search": table({ type: "search", target: { mode: "id", id: sourceId } }),
  },
  takenBy: {
    management: {},
    observability: {
      formulas: chart("line", { formulas: [{ expression: "A / 2" }], showOperandSeries: false }),
      "a limit of series": chart("line", { seriesLimit: 5 }),
      "a variable in a filter": { filters: [variable] },
      "fractions for a place": showing(line, { h: 2.5 }),
      "a search without a language": showing(search),
      "a series without a language": inSeries({ ...series, whereLanguage: undefined }),
    },
  },
  refused: {
    "a tile that shows nothing": { tiles: [tile] },
    "a container that does not say whether it is collapsed": { containers: [{ id: "a", title: "A" }] },
    "a filter with an id": { filters: [{ ...filter, id: "mine" }] },
    "a saved value in Lucene": { savedFilterValues: [{ condition: "a", type: "lucene" }] },
    "two selects of a pie": chart("pie", { select: [count, count] }),
    "a count of an expression": chart("line", { select: [{ ...max, aggFn: "count" }] }),
    "a maximum of nothing": chart("line", { select: [{ aggFn: "max" }] }),
    "a level without a quantile": chart("line", { select: [{ ...max, level: 0.9 }] }),
    "a rule between one bound": chart("number", {
      colorRules: [{ operator: "between", value: [1], color: "chart-red" }],
    }),
    "raw SQL as a heatmap": showing({ ...sql, displayType: "heatmap" }),
    "a link to no address": table({ type: "external" }),
    "series beside a config": showing(line, { series: [series] }),
    "series without where": inSeries({ ...series, where: undefined }),
  },
  refusedByRule: {
    "two tiles of one id": { tiles: ["a", "a"].map((id) => ({ ...tile, config: line, id })) },
    "two containers of one id": { containers: [...containers, ...containers] },
    "a tile in an unknown container": showing(line, { containerId: "bottom" }),
    "a tile on an unknown tab": { containers, ...showing(line, { containerId: "top", tabId: "second" }) },
    "a filter on an unknown source": { filters: [{ ...filter, sourceId: unknownId }] },
    "a filter that does nothing": {
      ...{
        filters: [
          { ...variable, isBroadcastEnabled: false, isVariableEnabled: false, variableName: undefined },
        ],
      },
    },
    "a variable that is none": { filters: [{ ...variable, isVariableEnabled: false }] },
    "a query of no language": { savedQuery: "a", savedQueryLanguage: null },
    "a line on an unknown source": chart("line", { sourceId: unknownId }),
    "two selects of a number": chart("number", { select: [count, count] }),
    "a ratio of one": chart("line", { asRatio: true }),
    "a heatmap of logs": chart("heatmap", { select: [{ valueExpression: "Duration" }] }),
    "raw SQL on an unknown connection": showing({ ...sql, displayType: "line", connectionId: unknownId }),
    "a link to a search of metrics": table({ type: "search", target: { mode: "id", id: metricSourceId } }),
    "a link to an unknown dashboard": table({ type: "dashboard", target: { mode: "id", id: sourceId } }),
    "a series of an unknown source": inSeries({ ...series, sourceId: unknownId }),
    "series of two types": inSeries(series, { ...series, type: "number", groupBy: undefined }),
    "a ratio beside a config": showing(line, { asRatio: true }),
  },
};

for (const { operation, path, valid, taken, takenBy, refused, refusedByRule } of [alerts, dashboards]) {
  describe(`Bodies of ${operation}`, () => {
    const client = useSandbox({ dialect: "clickhouse" });
    const noun = operation === "createAlert" ? "an alert" : "a dashboard";
    const judged = async (api: ApiName, change: object) => {
      const body = { ...valid, ...change };
      const failure = judge.requestFailure(api, operation, JSON.parse(JSON.stringify(body)));
      return { failure, ...(await client.stack(api, "POST", path, body)) };
    };

    for (const api of apis) {
      const other = api === "management" ? "observability" : "management";
      const rows = (changes: Changes) => Object.entries(changes);

      for (const [title, change] of rows({ ...taken, ...takenBy[api] }))
        it(`the ${api} API takes ${noun} with ${title}, as its document does`, async () => {
          const { status, text, failure, payload } = await judged(api, change);
          expect([status, failure], text).to.deep.equal([200, undefined]);
          expect(judge.answerFailure(api, operation, payload)).to.equal(undefined);
        });

      for (const [title, change] of rows({ ...refused, ...takenBy[other], ...refusedByRule }))
        it(`the ${api} API refuses ${noun} with ${title}`, async () => {
          const { status, reason, failure } = await judged(api, change);
          expect([status, typeof reason]).to.deep.equal([400, "string"]);
          if (!(title in refusedByRule)) expect(failure).to.be.a("string");
          expect(client.sandbox.store.alerts.size + client.sandbox.store.dashboards.size).to.equal(0);
        });
    }
  });
}
