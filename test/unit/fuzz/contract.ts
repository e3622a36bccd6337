import Ajv, { type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

/** The requests of the API document, written down from it and from nothing of the provider. */

const text = { type: "string" };
const strict = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const list = (items: object, further: object = {}) => ({ type: "array", items, ...further });
const words = (...values: string[]) => ({ enum: values });

const totalMemory = { type: "number", minimum: 24, maximum: 1068, multipleOf: 12 };
const key = {
  name: text,
  expireAt: { anyOf: [{ type: "null" }, { const: "" }, { type: "string", format: "date-time" }] },
  state: words("enabled", "disabled"),
  roles: list(words("admin", "developer", "query_endpoints"), { minItems: 1 }),
  ipAccessList: list(strict({ source: text, description: text })),
};
/** Not in the document either: what newer servers have in the series of a tile and of a chart. */
const newerSeries = {
  field: text,
  level: { type: "number", minimum: 0, maximum: 1 },
  whereLanguage: text,
  metricName: text,
  metricDataType: text,
  sortOrder: words("asc", "desc"),
};
/** The same: what they have in the series of a tile alone. */
const newerTileSeries = {
  ...newerSeries,
  sourceId: text,
  whereLanguage: words("lucene", "sql"),
  alias: text,
  displayType: words("line", "stacked_bar"),
  numberFormat: { type: "object", properties: { output: text }, required: ["output"] },
  fields: list(text),
  content: text,
};
const tile = strict({
  id: text,
  name: text,
  x: { type: "number" },
  y: { type: "number" },
  w: { type: "number" },
  h: { type: "number" },
  asRatio: { type: "boolean" },
  series: list(
    strict({
      type: text,
      dataSource: text,
      aggFn: text,
      where: text,
      groupBy: list(text),
      ...newerTileSeries,
    }),
  ),
  // Not in the document: what newer servers take in place of series.
  config: { type: "object" },
});

const texts = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [`${name}Expression`, { type: "string", minLength: 1 }]));
const ofKind = (kind: string, ...required: string[]) => ({
  if: { properties: { kind: { const: kind } } },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required },
});

const bodies = {
  scaling: strict({
    minTotalMemoryGb: totalMemory,
    maxTotalMemoryGb: totalMemory,
    numReplicas: { type: "integer", minimum: 1, maximum: 20 },
    idleScaling: { type: "boolean" },
    idleTimeoutMinutes: { type: "number", minimum: 5 },
  }),
  createKey: strict({
    ...key,
    hashData: strict({ keyIdHash: text, keyIdSuffix: text, keySecretHash: text }),
  }),
  updateKey: strict(key),
  queryEndpoint: strict({
    roles: list(words("sql_console_read_only", "sql_console_admin")),
    openApiKeys: list(text),
    allowedOrigins: text,
  }),
  dashboard: strict({ name: text, tiles: list(tile), tags: list(text) }),
  alert: strict({
    dashboardId: text,
    tileId: text,
    threshold: { type: "number" },
    interval: { type: "string", pattern: "^\\d+[a-z]+$" },
    source: words("tile", "search"),
    thresholdType: words("above", "below"),
    channel: strict({ type: text, webhookId: text }),
    name: text,
    message: text,
  }),
  // Not in the document: what newer servers have.
  webhook: strict(
    {
      name: { type: "string", pattern: "^\\S" },
      service: words("slack", "incidentio", "generic"),
      url: { type: "string", pattern: "^[Hh][Tt]{2}[Pp][Ss]?:" },
      description: text,
      body: text,
      headers: { type: "object", additionalProperties: text },
      queryParams: { type: "object", additionalProperties: text },
    },
    ["name", "service", "url"],
  ),
  connection: strict(
    {
      name: { type: "string", minLength: 1 },
      host: { type: "string", pattern: "^[Hh][Tt]{2}[Pp][Ss]?://[^/@]+" },
      username: text,
      password: { type: "string", minLength: 1 },
      hyperdxSettingPrefix: { type: ["string", "null"], pattern: "^\\w+$" },
      isPrometheusEndpoint: { type: "boolean" },
    },
    ["name", "host", "username"],
  ),
  source: {
    ...strict(
      {
        name: { type: "string", minLength: 1 },
        ...{ section: text, disabled: { type: "boolean" }, connection: text },
        kind: words("log", "trace", "metric", "session", "promql"),
        from: strict({ databaseName: text, tableName: text }, ["databaseName", "tableName"]),
        querySettings: list(strict({ setting: text, value: text }, ["setting", "value"])),
        ...texts(
          ...[
            "timestampValue",
            "defaultTableSelect",
            "serviceName",
            "severityText",
            "body",
            "eventAttributes",
          ],
          ...[
            "resourceAttributes",
            "displayedTimestampValue",
            "implicitColumn",
            "knownColumnsList",
            "duration",
          ],
          ...["traceId", "spanId", "parentSpanId", "spanName", "spanKind", "statusCode", "statusMessage"],
          ...["spanEventsValue"],
        ),
        useTextIndexForImplicitColumn: words("auto", "enabled", "disabled"),
        highlightedTraceAttributeExpressions: list({ type: "object", required: ["sqlExpression"] }),
        highlightedRowAttributeExpressions: list({ type: "object", required: ["sqlExpression"] }),
        materializedViews: list({ type: "object", required: ["tableName", "aggregatedColumns"] }),
        metadataMaterializedViews: { type: "object", required: ["kvRollupTable", "granularity"] },
        durationPrecision: { type: "integer", minimum: 0, maximum: 9 },
        metricTables: { type: "object", minProperties: 1, additionalProperties: text },
        ...{ logSourceId: text, traceSourceId: text, metricSourceId: text, sessionSourceId: text },
      },
      ["name", "kind", "connection", "from", "timestampValueExpression"],
    ),
    allOf: [
      ofKind("log", "defaultTableSelectExpression"),
      ofKind("trace", "durationPrecision", "spanKindExpression"),
      ofKind("metric", "metricTables", "resourceAttributesExpression"),
      ofKind("session", "traceSourceId"),
    ],
  },
  savedSearch: strict(
    {
      name: { type: "string", pattern: "^\\S" },
      sourceId: text,
      select: text,
      where: text,
      whereLanguage: words("lucene", "sql"),
      orderBy: text,
      tags: list(text),
      filters: list(strict({ type: words("sql"), condition: text }, ["type", "condition"])),
    },
    ["name", "sourceId"],
  ),
  chartSeries: strict(
    {
      series: list(
        strict({ sourceId: text, aggFn: text, where: text, groupBy: list(text), ...newerSeries }, [
          "sourceId",
          "aggFn",
          "where",
          "groupBy",
        ]),
        { minItems: 1, maxItems: 5 },
      ),
      startTime: { type: "number", minimum: 1e12 },
      endTime: { type: "number", minimum: 1e12 },
      granularity: words(
        ...["30s", "1m", "5m", "10m", "15m", "30m", "1h", "2h", "6h", "12h", "1d", "2d", "7d", "30d", "auto"],
      ),
      seriesReturnType: words("ratio", "column"),
    },
    ["series", "startTime", "endTime"],
  ),
} as const;

export type BodyName = keyof typeof bodies;

const uuid = "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}";
const organization = `/v1/organizations/${uuid}`;
const service = `${organization}/services/${uuid}`;
const id = "/(?!\\.{1,2}$)(?:[\\w.~!*'()-]|%[0-9A-F]{2})+";

/** Method and path of every request that the provider may send, and the name of its body. */
export const routes: readonly { line: RegExp; body?: BodyName; api: "management" | "observability" }[] = [
  [`GET ${organization}/services`],
  [`GET ${service}`],
  [`PATCH ${service}/scaling`, "scaling"],
  [`GET ${organization}/keys`],
  [`POST ${organization}/keys`, "createKey"],
  [`GET ${organization}/keys${id}`],
  [`PATCH ${organization}/keys${id}`, "updateKey"],
  [`DELETE ${organization}/keys${id}`],
  [`GET ${service}/serviceQueryEndpoint`],
  [`POST ${service}/serviceQueryEndpoint`, "queryEndpoint"],
  [`DELETE ${service}/serviceQueryEndpoint`],
  [`GET ${service}/(?:pipes|pipesReversePrivateEndpoints)`],
  [`GET ${service}/pipes/${uuid}(?:/settings)?`],
  [`GET ${service}/stack/(?:dashboards|alerts|sources|webhooks)`],
  [`GET /api/v2/connections(?:${id})?`],
  [`DELETE /api/v2/connections${id}`],
  ["POST /api/v2/connections", "connection"],
  [`PUT /api/v2/connections${id}`, "connection"],
  [`GET ${service}/stack/sources${id}`],
  [`DELETE ${service}/stack/sources${id}`],
  [`POST ${service}/stack/sources`, "source"],
  [`PUT ${service}/stack/sources${id}`, "source"],
  [`GET ${service}/stack/(?:dashboards|alerts)${id}`],
  [`DELETE ${service}/stack/(?:dashboards|alerts)${id}`],
  [`GET ${service}/stack/saved-searches(?:${id})?`],
  [`DELETE ${service}/stack/saved-searches${id}`],
  [`POST ${service}/stack/saved-searches`, "savedSearch"],
  [`PUT ${service}/stack/saved-searches${id}`, "savedSearch"],
  [`DELETE ${service}/stack/webhooks${id}`],
  [`POST ${service}/stack/webhooks`, "webhook"],
  [`PUT ${service}/stack/webhooks${id}`, "webhook"],
  [`POST ${service}/stack/dashboards`, "dashboard"],
  [`POST ${service}/stack/alerts`, "alert"],
  [`PUT /api/v2/dashboards${id}`, "dashboard"],
  [`PUT /api/v2/alerts${id}`, "alert"],
  ["POST /api/v2/charts/series", "chartSeries"],
].map(([line = "", body]) => ({
  line: new RegExp(`^${line}$`),
  ...(body ? { body: body as BodyName } : {}),
  api: line.includes("/v1/") ? "management" : "observability",
}));

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.call(undefined, ajv);
const checks = Object.fromEntries(
  Object.entries(bodies).map(([name, schema]) => [name, ajv.compile(schema)]),
) as Record<BodyName, ValidateFunction>;

/** What is wrong with a body; undefined if nothing is. */
export function faultIn(name: BodyName, body: unknown): string | undefined {
  const check = checks[name];
  return check(body) ? undefined : ajv.errorsText(check.errors);
}
