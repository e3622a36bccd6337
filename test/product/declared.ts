import type { StrictProduct } from "./strictSandbox";

/** The settings of a user of both APIs. The limits of the product would only make the tests wait. */
export function settingsOf({ sandbox }: StrictProduct): Record<string, string> {
  const { baseUrl, obsBaseUrl, credentials } = sandbox;
  const { secondServiceId, ...access } = credentials;
  return { dialect: "clickhouse", requestsPerSecond: "1000", baseUrl, obsBaseUrl, ...access };
}

const sourceId = "65f1c0a2b3d4e5f607182911";

/**
 * What a program declares of each resource at one threshold, in the order in which they refer to each other.
 *
 * @param idOf how a resource that comes before is referred to, by its name here; `Errors of board` is that tile
 */
export const declaredAt = (threshold: number, idOf: (name: string) => string) => {
  const connection = idOf("lake");
  const channel = { type: "webhook", webhookId: idOf("pager") };
  return {
    scaling: { numReplicas: threshold / 5, minReplicaMemoryGb: 12, maxReplicaMemoryGb: 4 * threshold },
    key: {
      name: `key ${threshold}`,
      roles: ["developer", "query_endpoints"],
      ipAccessList: [{ source: `10.0.0.${threshold}` }],
    },
    endpoint: {
      roles: ["sql_console_read_only"],
      openApiKeys: [idOf("key")],
      allowedOrigins: ["https://b.example", `https://a${threshold}.example`],
    },
    lake: {
      name: "Lake",
      host: `https://lake${threshold}.example.com:8443`,
      username: "reader",
      password: "secret-of-the-lake",
      hyperdxSettingPrefix: `lake_${threshold}`,
    },
    events: {
      name: "Events",
      kind: "log",
      connection,
      from: { databaseName: "otel", tableName: "otel_logs" },
      timestampValueExpression: "Timestamp",
      defaultTableSelectExpression: `Timestamp, Body, ${threshold}`,
      serviceNameExpression: "ServiceName",
    },
    spans: {
      name: "Spans",
      kind: "trace",
      connection,
      from: { databaseName: "otel", tableName: `spans_${threshold}` },
      timestampValueExpression: "Timestamp",
      defaultTableSelectExpression: "SpanName",
      durationExpression: "Duration",
      ...{ traceIdExpression: "TraceId", spanIdExpression: "SpanId", parentSpanIdExpression: "ParentSpanId" },
      ...{ spanNameExpression: "SpanName", spanKindExpression: "SpanKind" },
      querySettings: [{ setting: "max_threads", value: `${threshold}` }],
      logSourceId: idOf("events"),
    },
    load: {
      name: "Load",
      kind: "metric",
      connection,
      from: { databaseName: "otel" },
      timestampValueExpression: "TimeUnix",
      metricTables: { gauge: "load_gauge", exponentialHistogram: `load_histogram_${threshold}` },
      resourceAttributesExpression: "ResourceAttributes",
    },
    pager: {
      name: "Pager",
      service: "generic",
      url: `https://hooks.example.com/secret-of-the-pager-${threshold}`,
      description: "Wakes somebody",
      body: "{{title}}",
      headers: { Authorization: "secret-of-the-header" },
    },
    slow: {
      name: "Slow",
      sourceId: idOf("spans"),
      where: `Duration:>${threshold}`,
      orderBy: "Duration DESC",
      tags: ["b", "a"],
      filters: [{ type: "sql", condition: `ServiceName IN ('api', '${threshold}')` }],
    },
    board: {
      name: "Board",
      tags: ["b", "a"],
      tiles: [
        {
          name: "Errors",
          ...{ x: 0, y: 0, w: 12, h: 4 },
          series: [
            {
              type: "time",
              sourceId: idOf("events"),
              aggFn: "quantile",
              level: 0.95,
              field: "Duration",
              where: "level:error",
              whereLanguage: "lucene",
              alias: "slowest",
              groupBy: ["host", "service"],
            },
          ],
        },
        {
          name: `Over ${threshold}`,
          ...{ x: 12, y: 0, w: 6, h: 4 },
          config: { displayType: "line", sourceId: idOf("events"), select: [{ aggFn: "count", where: "" }] },
        },
        {
          name: "Latest",
          ...{ x: 0, y: 4, w: 12, h: 4 },
          config: {
            ...{ displayType: "search", sourceId: idOf("events") },
            ...{ select: "Timestamp, Body", where: "level:error" },
          },
        },
      ],
      filters: [{ name: "Service", expression: "ServiceName", sourceId: idOf("spans") }],
    },
    errors: {
      ...{ name: "Errors", source: "tile", dashboardId: idOf("board"), tileId: idOf("Errors of board") },
      ...{ threshold, thresholdType: "above", interval: "5m", channel },
    },
    search: {
      source: "search",
      savedSearch: idOf("slow"),
      groupBy: "ServiceName",
      thresholdType: "between",
      threshold,
      thresholdMax: threshold + 1,
      interval: "1h",
      channels: [channel],
    },
  };
};

/** The type of each of them, in that order. */
export const declaredTypes = {
  scaling: "ServiceScaling",
  key: "ApiKey",
  endpoint: "QueryEndpoint",
  lake: "Connection",
  events: "Source",
  spans: "Source",
  load: "Source",
  pager: "Webhook",
  slow: "SavedSearch",
  board: "Dashboard",
  errors: "Alert",
  search: "Alert",
} as const satisfies { readonly [name in keyof ReturnType<typeof declaredAt>]: string };

/** What a program asks for by `getChartSeries`, and the answer. */
export const chartQuery = {
  series: [{ sourceId, aggFn: "count", where: "", groupBy: ["SeverityText"] }],
  startTime: 1749999600000,
  endTime: 1750000200000,
  granularity: "10m",
  seriesReturnType: "column",
} as const;

/** The sample data is the same each time. */
export const chartPoints = Object.entries({ info: 875, warn: 180, error: 89 }).map(([level, count]) => ({
  tsBucket: 1749999600000,
  values: [count],
  group: [level],
}));

/**
 * The requests since the last look at a product, without the status; throws if one of them did not succeed, save the look
 * for a query endpoint that is not there yet.
 */
export function requestsOf(product: StrictProduct): () => string[] {
  let earlier = 0;
  return () => {
    const lines = product.lines.slice(earlier);
    earlier += lines.length;
    const failed = lines.filter((line) => !/ 200$|^GET \/serviceQueryEndpoint 404$/.test(line));
    if (failed.length > 0) throw new Error(`the product refused: ${failed.join(", ")}`);
    return lines.map((line) => line.replace(/ \d+$/, ""));
  };
}

/** How many alerts have a threshold. */
export const alertsAt = ({ alerts }: StrictProduct, threshold: unknown): number =>
  [...alerts.values()].filter((alert) => alert.threshold === threshold).length;
