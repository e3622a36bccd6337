import type { PropertyMap } from "../../../provider/values/data";
import type { Sandbox, Source } from "../../../sandbox/index";
import { type Example, type JsonObject, placed } from "./example";

const connection = "65f1c0a2b3d4e5f607182900";
const [logs, traces] = ["65f1c0a2b3d4e5f607182911", "65f1c0a2b3d4e5f607182912"];

const ofAllKinds = {
  connection,
  from: { databaseName: "otel", tableName: "requests" },
  timestampValueExpression: "Timestamp",
};
const requests = { name: "Requests", kind: "log", ...ofAllKinds, defaultTableSelectExpression: "Timestamp" };

export const sourcesByKind = {
  log: requests,
  trace: {
    name: "Spans",
    kind: "trace",
    ...ofAllKinds,
    defaultTableSelectExpression: "SpanName",
    durationExpression: "Duration",
    traceIdExpression: "TraceId",
    spanIdExpression: "SpanId",
    parentSpanIdExpression: "ParentSpanId",
    spanNameExpression: "SpanName",
    spanKindExpression: "SpanKind",
  },
  metric: {
    name: "Load",
    kind: "metric",
    ...ofAllKinds,
    from: { databaseName: "otel" },
    metricTables: { gauge: "load_gauge" },
    resourceAttributesExpression: "ResourceAttributes",
  },
  session: { name: "Sessions", kind: "session", ...ofAllKinds, traceSourceId: traces },
  promql: { name: "Prometheus", kind: "promql", ...ofAllKinds },
} as const;

/** The id of a source that another person has created and that no other object uses. */
const homeSource = "65f1c0a2b3d4e5f607182913";

/** Renames a metric table as servers do: their name contains a space, which some languages cannot write. */
const tablesSent = ({ exponentialHistogram, ...tables }: PropertyMap) => ({
  ...tables,
  ...(exponentialHistogram === undefined ? {} : { "exponential histogram": exponentialHistogram }),
});

/** The optional properties of a source of logs that the management API and the observability API have in common. */
const furtherOfLogs: JsonObject = {
  section: "Web",
  disabled: true,
  querySettings: [{ setting: "max_threads", value: "2" }],
  serviceNameExpression: "ServiceName",
  severityTextExpression: "SeverityText",
  bodyExpression: "Body",
  eventAttributesExpression: "LogAttributes",
  resourceAttributesExpression: "ResourceAttributes",
  displayedTimestampValueExpression: "Timestamp",
  implicitColumnExpression: "Body",
  knownColumnsListExpression: "Body, ServiceName",
  useTextIndexForImplicitColumn: "enabled",
  highlightedTraceAttributeExpressions: [{ sqlExpression: "a", luceneExpression: "b", alias: "c" }],
  highlightedRowAttributeExpressions: [{ sqlExpression: "a", luceneExpression: "b", alias: "c" }],
  materializedViews: [
    {
      databaseName: "otel",
      tableName: "requests_5m",
      dimensionColumns: "ServiceName, SeverityText",
      minGranularity: "5m",
      minDate: "2026-01-31T08:00:00.000Z",
      timestampColumn: "Timestamp",
      aggregatedColumns: [
        { aggFn: "count", mvColumn: "count" },
        { aggFn: "sum", mvColumn: "bytes", sourceColumn: "Bytes" },
      ],
    },
  ],
  metadataMaterializedViews: { keyRollupTable: "keys", kvRollupTable: "values", granularity: "15m" },
  traceIdExpression: "TraceId",
  spanIdExpression: "SpanId",
  metricSourceId: "65f1c0a2b3d4e5f607182913",
  traceSourceId: traces,
};

/**
 * Further optional properties of a source of logs, some of which only one API (the management or the observability API) has.
 */
const further: JsonObject = {
  ...{ serviceVersionExpression: "Version", orderByExpression: "a DESC" },
  filterSettings: {
    ...{ databaseName: "otel", tableName: "requests" },
    columns: [{ name: "Body", label: "Text", valueExpression: "lower(Body)", allowAll: true }],
  },
};
const furtherOfTraces: JsonObject = {
  ...{ durationPrecision: 6, logSourceId: logs, sessionSourceId: "65f1c0a2b3d4e5f607182913" },
  ...{ statusCodeExpression: "Status", statusMessageExpression: "Message" },
  ...{ spanEventsValueExpression: "Events", spanLinksValueExpression: "Links", sampleRateExpression: "2" },
};

export const sourceExample: Example = {
  valid: placed("66f0c2d8a1b2c3d4e5f60714", { ...requests, ...furtherOfLogs }),
  wholes: {
    ...(sourcesByKind as { readonly [kind: string]: JsonObject }),
    "metric with all": {
      ...{ ...sourcesByKind.metric, logSourceId: logs },
      metricTables: {
        ...{ gauge: "load_gauge", histogram: "load_buckets", sum: "load_sum", summary: "load_quantiles" },
        exponentialHistogram: "load_histogram",
      },
    },
    "log with all": { ...requests, ...furtherOfLogs, ...further },
    "trace with all": { ...sourcesByKind.trace, ...furtherOfTraces },
    "log of a server": { ...requests, tableFilterExpression: "TenantId = 1" },
    "metric of a server": { ...sourcesByKind.metric, seriesTable: "load_series" },
    "log of a newer server": {
      ...{ ...requests, name: "Events", eventNameExpression: "EventName" },
      severityNumberExpression: "SeverityNumber",
    },
    "metric of a newer server": { ...sourcesByKind.metric, minAutoGranularity: "15 second" },
    "promql of a newer server": { ...sourcesByKind.promql, minAutoGranularity: "1 minute" },
  },
  // ClickHouse Cloud refuses the programs with properties of a self-hosted or newer server, so these programs need such a
  // server.
  needs: Object.fromEntries([
    ...["log", "metric"].map((kind) => [`${kind} of a server`, { apis: "observability" }]),
    ...["log", "metric", "promql"].map((kind) => [
      `${kind} of a newer server`,
      { dialect: "clickhouse", apis: "observability" },
    ]),
  ]),
  bodyOf: (program) => ({
    ...program,
    ...(program.kind === "trace" ? { durationPrecision: 3, ...program } : {}),
    from: { tableName: "", ...(program.from as PropertyMap) },
    ...(program.metricTables === undefined
      ? {}
      : { metricTables: tablesSent(program.metricTables as PropertyMap) }),
  }),
  alternatives: {
    minAutoGranularity: ["2 minute"],
    connection: [],
    traceSourceId: [],
    logSourceId: [logs],
    metricSourceId: [],
    sessionSourceId: [],
  },
  programs: () => [requests, { ...requests, bodyExpression: "Body" }],
  find: ({ store }, id) => store.sources.get(id),
  home: homeSource,
  creatable: {
    id: "bbbbbbbbbbbbbbbbbbbbbbb9",
    add: ({ sandbox }, id) => addSource(sandbox, { id, bodyExpression: "by hand" }),
  },
};

export function addSource({ store, credentials }: Sandbox, changed: Partial<Source>): void {
  const record: Source = {
    id: "",
    serviceId: credentials.serviceId,
    name: "Requests",
    kind: "log",
    connection: "65f1c0a2b3d4e5f607182900",
    from: { databaseName: "otel", tableName: "requests" },
    timestampValueExpression: "Timestamp",
    defaultTableSelectExpression: "Timestamp",
    disabled: false,
    querySettings: [],
    highlightedTraceAttributeExpressions: [],
    highlightedRowAttributeExpressions: [],
    materializedViews: [],
    ...changed,
  };
  store.sources.set(record.id, record);
}
