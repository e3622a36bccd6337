import { alertRules, chartRules, filterRules, itemRules, sourceRules, tileRules } from "./rules";
import type { Schema, TableName } from "./schema";

/**
 * A correction of the API document of ClickHouse Cloud or HyperDX, for a fact that the document states wrongly, not at all, or
 * not yet.
 */
export interface Correction {
  readonly table: TableName;
  /**
   * The place of the correction: a named schema or a part of an operation, then properties: `Alert.tags[]`, `GET
   * /v1/organizations query.limit`. Properties that the API document does not have are added.
   */
  readonly at: string | readonly string[];
  /**
   * Schema keywords that replace those of the API document; `undefined` removes a keyword, and `absent` removes the property.
   */
  readonly is?: Schema | "absent";
  /** Properties that the server requires, although the API document does not say so. */
  readonly requires?: readonly string[];
  /** Properties that the server does not require, although the API document says so. */
  readonly frees?: readonly string[];
  /** Further schemas that values at the correction's place have to fulfil. */
  readonly rules?: readonly Schema[];
  readonly because: string;
  /** How the fact of the correction was found, such as by requests to a server. */
  readonly seen: string;
  /** The version of a HyperDX server from which on the correction holds. */
  readonly since?: string;
  /** The version of a HyperDX server from which on the correction no longer holds. */
  readonly until?: string;
}

/** The source of corrections that were found by requests to a HyperDX server 2.36. */
const measured = "requests to a HyperDX server, api 2.36";
const zod = "hyperdxio/hyperdx packages/api/src/utils/zod.ts, September and October 2026";
const sentences = "the sentences of the Cloud document of October 2026";

/** The schema of a text with a maximum number of characters. */
const upTo = (maxLength: number, minLength = 0): Schema => ({ type: "string", minLength, maxLength });

const alertRequests = {
  cloud: ["ClickStackCreateAlertRequest", "ClickStackUpdateAlertRequest"],
  server: ["CreateAlertRequest", "UpdateAlertRequest"],
};

/** Makes corrections of both API documents, since both APIs have the same HyperDX server behind them. */
const ofBoth = (
  at: { readonly [name in TableName]: string | readonly string[] },
  correction: Omit<Correction, "table" | "at">,
): Correction[] => [
  { table: "cloud", at: at.cloud, ...correction },
  { table: "server", at: at.server, ...correction },
];

/**
 * All corrections of the API documents. A test fails if one of them changes nothing, since then the document itself states the
 * fact.
 */
export const corrections: readonly Correction[] = [
  // Corrections about services and API keys of ClickHouse Cloud.
  {
    table: "cloud",
    at: "Service.byocId",
    is: { type: ["string", "null"], minLength: 1 },
    because: "It is absent or null where there is none, never an empty text.",
    seen: sentences,
  },
  {
    table: "cloud",
    at: [
      "ServiceScalingPatchRequest.idleTimeoutMinutes",
      "ServiceReplicaScalingPatchRequest.idleTimeoutMinutes",
      "ScalingScheduleEntryRequest.idleTimeoutMinutes",
    ],
    is: { type: "number", minimum: 5 },
    because: "The sentences about it name the least number of minutes.",
    seen: sentences,
  },
  {
    table: "cloud",
    at: "CreateReversePrivateEndpoint.description",
    is: { type: "string", maxLength: 255 },
    because: "The sentence about it names the most characters.",
    seen: sentences,
  },
  {
    table: "cloud",
    at: "ClickPipeDestinationTableEngine.type",
    is: {
      type: "string",
      enum: ["MergeTree", "MergeTree()", "Null", "ReplacingMergeTree", "SummingMergeTree"],
    },
    because: "Answers write the engine as the database does.",
    seen: "issue 571 of ClickHouse/terraform-provider-clickhouse",
  },
  {
    table: "cloud",
    at: "ClickPipeScaling.replicas",
    is: { type: "integer", minimum: 0, maximum: 40 },
    because: "Answers show no replicas right after a change of them.",
    seen: "issue 513 of ClickHouse/terraform-provider-clickhouse",
  },

  // Alerts.
  {
    table: "server",
    at: "AlertSource",
    is: { enum: ["inline", "saved_search", "tile"] },
    because: "Inline alerts have a chart of their own.",
    seen: "release page of @hyperdx/api 2.38",
    since: "2.38",
  },
  {
    table: "server",
    at: "Alert.chartConfig",
    is: { $ref: "cloud#/schemas/ClickStackAlertChartConfig" },
    because: "The chart of an inline alert.",
    seen: "release page of @hyperdx/api 2.38",
    since: "2.38",
  },
  {
    table: "server",
    at: "Alert.displayName",
    is: { type: ["string", "null"], minLength: 1, maxLength: 512 },
    because: "The name of an alert in lists.",
    seen: zod,
    since: "2.38",
  },
  {
    table: "server",
    at: "Alert.tags",
    is: { type: ["array", "null"], items: upTo(32), maxItems: 50 },
    because: "The tags of an alert.",
    seen: zod,
    since: "2.38",
  },
  {
    table: "server",
    at: ["Alert.name"],
    is: { minLength: 1, maxLength: 512 },
    because: "The document does not state the limits.",
    seen: measured,
  },
  {
    table: "server",
    at: ["Alert.message"],
    is: { minLength: 1, maxLength: 4096 },
    because: "The document does not state the limits.",
    seen: measured,
  },
  {
    table: "server",
    at: "Alert.scheduleOffsetMinutes",
    is: { maximum: 1439 },
    because: "It is shorter than the longest interval.",
    seen: measured,
  },
  {
    table: "server",
    at: "Alert.channels",
    is: {
      type: "array",
      minItems: 1,
      maxItems: 10,
      uniqueItems: true,
      items: { $ref: "#/schemas/AlertChannel" },
    },
    because: "An alert has a channel once.",
    seen: measured,
  },
  ...ofBoth(alertRequests, {
    requires: ["source"],
    rules: alertRules,
    because: "The source says what an alert watches, and null is refused where the document allows it.",
    seen: `${measured}; ${zod}`,
  }),
  {
    table: "cloud",
    at: "ClickStackAlertChannelWebhook.type",
    is: { enum: ["webhook"] },
    because: "A channel of the type email has recipients in place of a webhook.",
    seen: measured,
  },
  {
    table: "cloud",
    at: "ClickStackAlertChannelEmail.type",
    is: { enum: ["email"] },
    because: "A channel of the type webhook has a webhook in place of recipients.",
    seen: measured,
  },

  // Tiles.
  {
    table: "server",
    at: ["TileBase.x", "TileBase.y", "TileBase.w", "TileBase.h"],
    is: { type: "number" },
    because: "Fractions pass.",
    seen: measured,
  },
  ...ofBoth(
    { cloud: "ClickStackTileInput", server: "TileInput" },
    { rules: tileRules, because: "A tile has either a config or series.", seen: measured },
  ),
  ...ofBoth(
    { cloud: "ClickStackSelectItem", server: "SelectItem" },
    {
      rules: itemRules,
      because:
        "A count takes no expression, other functions need one or a metric; levels belong to quantiles.",
      seen: `${measured}; ${zod}`,
    },
  ),
  ...ofBoth(
    { cloud: "ClickStackNumberFormat", server: "NumberFormat" },
    { requires: ["output"], because: "A format without an output is refused.", seen: measured },
  ),
  ...ofBoth(
    { cloud: "ClickStackTileConfig", server: "TileConfig" },
    {
      rules: chartRules,
      because: "A ratio divides two series, and a number shows one series or one formula.",
      seen: measured,
    },
  ),
  {
    table: "cloud",
    at: "ClickStackAlertChartConfig",
    rules: chartRules,
    because: "The chart of an alert keeps the rules of tiles.",
    seen: zod,
  },
  ...ofBoth(
    {
      cloud: ["ClickStackLineRawSqlChartConfig", "ClickStackBarRawSqlChartConfig"].map(
        (name) => `${name}.seriesLimit`,
      ),
      server: ["LineRawSqlChartConfig.seriesLimit", "BarRawSqlChartConfig.seriesLimit"],
    },
    {
      is: { type: "integer", minimum: 0 },
      because:
        "Charts of raw SQL take it, too; not seen on ClickHouse Cloud, which has the same server behind it.",
      seen: measured,
    },
  ),
  {
    table: "server",
    at: "HeatmapChartConfig",
    is: {
      oneOf: [
        { $ref: "cloud#/schemas/ClickStackHeatmapDistributionChartConfig" },
        { $ref: "cloud#/schemas/ClickStackHeatmapSeriesChartConfig" },
      ],
      type: undefined,
      required: undefined,
      properties: undefined,
    },
    because: "Heatmaps of a series.",
    seen: "release page of @hyperdx/api 2.41",
    since: "2.41",
  },
  {
    table: "server",
    at: "TileBase.config",
    is: {
      anyOf: [
        { $ref: "#/schemas/TileConfig" },
        {
          type: "object",
          required: ["configType", "displayType", "sourceId"],
          properties: {
            configType: { enum: ["promql"] },
            displayType: { type: "string" },
            sourceId: { type: "string" },
          },
          additionalProperties: true,
        },
      ],
    },
    because: "No document has the further members of a tile in PromQL.",
    seen: "release page of @hyperdx/api 2.42",
    since: "2.42",
  },
  {
    table: "server",
    at: [
      "TimeChartSeries",
      "TableChartSeries",
      "NumberChartSeries",
      "SearchChartSeries",
      "SearchChartConfig",
    ],
    frees: ["whereLanguage"],
    because: "It is Lucene by default.",
    seen: measured,
  },

  // Filters.
  {
    table: "server",
    at: "FilterInput",
    is: {
      anyOf: [
        { $ref: "cloud#/schemas/ClickStackQueryExpressionFilterInput" },
        { $ref: "cloud#/schemas/ClickStackStaticListFilterInput" },
        { $ref: "cloud#/schemas/ClickStackPrometheusLabelFilterInput" },
        {
          type: "object",
          required: ["name", "type"],
          properties: { type: { enum: ["ADHOC"] }, name: upTo(1e6, 1) },
          additionalProperties: true,
        },
      ],
      type: undefined,
      required: undefined,
      properties: undefined,
    },
    because: "Variables. No document has the further members of an ad hoc filter.",
    seen: `${zod}; release page of @hyperdx/api 2.46`,
    since: "2.38",
  },
  {
    table: "cloud",
    at: ["QueryExpression", "StaticList", "PrometheusLabel", "Source"].map(
      (kind) => `ClickStack${kind}FilterInput`,
    ),
    rules: filterRules,
    because: "The document does not state the limits, and a list or a label is a variable alone.",
    seen: zod,
  },
  {
    table: "server",
    at: "SavedFilterValue",
    is: {
      anyOf: [
        {
          type: "object",
          required: ["condition"],
          properties: { condition: upTo(10_000), type: { enum: ["sql"] } },
        },
        { $ref: "cloud#/schemas/ClickStackVariableSavedFilterValue" },
        {
          type: "object",
          required: ["type", "name", "conditions"],
          properties: {
            type: { enum: ["adhoc"] },
            name: upTo(1024, 1),
            conditions: {
              type: "array",
              maxItems: 100,
              items: {
                type: "object",
                required: ["key", "operator", "value"],
                properties: {
                  key: upTo(10_000, 1),
                  operator: { enum: ["=", "!=", "=~", "!~", "LIKE", "NOT LIKE", "IN"] },
                  value: upTo(10_000),
                },
              },
            },
          },
        },
      ],
      type: undefined,
      required: undefined,
      properties: undefined,
    },
    because: "Values of variables, and of ad hoc filters.",
    seen: zod,
    since: "2.38",
  },
  {
    table: "cloud",
    at: "ClickStackVariableSavedFilterValue.name",
    is: { minLength: 1, maxLength: 1024 },
    because: "The document does not state the limits.",
    seen: zod,
  },
  {
    table: "cloud",
    at: "ClickStackVariableSavedFilterValue.values",
    is: { maxItems: 1000, items: upTo(10_000) },
    because: "The document does not state the limits.",
    seen: zod,
  },

  // Sources.
  {
    table: "server",
    at: ["POST /api/v2/sources request", "PUT /api/v2/sources/{id} request"],
    rules: sourceRules,
    because: "Null is refused where the document allows it.",
    seen: measured,
  },
  {
    table: "server",
    at: "TraceSource.durationPrecision",
    is: { type: "number" },
    because: "Fractions pass.",
    seen: measured,
  },
  {
    table: "server",
    at: "TraceSource",
    frees: ["durationPrecision"],
    because: "It is 3 by default.",
    seen: measured,
  },
  {
    table: "server",
    at: "MetricSource.minAutoGranularity",
    is: { type: "string", pattern: "^(\\d+ (second|minute|hour|day))?$" },
    because: "The least width of automatic buckets.",
    seen: "release page of @hyperdx/api 2.40",
    since: "2.40",
  },
  {
    table: "server",
    at: "PromqlSource.minAutoGranularity",
    is: { type: "string", pattern: "^(\\d+ (second|minute|hour|day))?$" },
    because: "The least width of automatic buckets, and the interval of scrapes.",
    seen: "release page of @hyperdx/api 2.41",
    since: "2.41",
  },
  {
    table: "server",
    at: ["LogSource.eventNameExpression", "LogSource.severityNumberExpression"],
    is: { type: "string", minLength: 1 },
    because: "Members of logs that the document does not have yet.",
    seen: "release page of @hyperdx/api 2.42",
    since: "2.42",
  },
  {
    table: "server",
    at: ["LogSource.orderByExpression", "TraceSource.orderByExpression", "LogSource.tableFilterExpression"]
      .concat(["TraceSource.sampleRateExpression", "TraceSource.spanLinksValueExpression"])
      .concat(["TraceSource.displayedTimestampValueExpression", "SessionSource.resourceAttributesExpression"])
      .concat(["MetricSource.serviceNameExpression", "MetricSource.seriesTable"]),
    is: { type: "string" },
    because: "The server takes and answers them; its document does not have them.",
    seen: measured,
  },
  {
    table: "server",
    at: ["LogSource.rowKeyExpression", "TraceSource.rowKeyExpression"],
    is: { type: "string" },
    because: "The expression of the key of a row; no document has its name for sure.",
    seen: "release page of @hyperdx/api 2.46",
    since: "2.46",
  },
  {
    table: "server",
    at: "WebhookInput.titleEmoji",
    is: { type: "boolean" },
    because: "Whether titles of messages begin with an emoji; no document says that requests have it.",
    seen: "release page of @hyperdx/api 2.44",
    since: "2.44",
  },
  {
    table: "server",
    at: "MetricTables",
    is: { minProperties: 1 },
    because: "A source of metrics has at least one table.",
    seen: measured,
  },

  ...ofBoth(
    {
      cloud: ["Log", "Trace"].map(
        (kind) => `ClickStack${kind}SourceMetadataMaterializedViews.keyRollupTable`,
      ),
      server: ["Log", "Trace"].map((kind) => `${kind}Source.metadataMaterializedViews.keyRollupTable`),
    },
    { is: { type: ["string", "null"] }, because: "Null says that there is none.", seen: measured },
  ),
  // Corrections about saved searches and connections.
  {
    table: "cloud",
    at: "ClickStackSavedSearchFilter.condition",
    is: { pattern: " (IN|BETWEEN) ?" },
    because: "A condition of another form is refused.",
    seen: measured,
  },
  {
    table: "server",
    at: "SavedSearchInput.filters[]",
    is: {
      anyOf: [
        {
          type: "object",
          required: ["condition"],
          properties: { type: { enum: ["sql", "lucene"] }, condition: upTo(8192) },
        },
        {
          type: "object",
          required: ["type", "operator", "left", "right"],
          properties: {
            type: { enum: ["sql_ast"] },
            operator: { enum: ["=", "<", ">", "!=", "<=", ">="] },
            left: upTo(8192),
            right: upTo(8192),
          },
        },
      ],
    },
    because: "The server takes the filters of its page, too, if the search has them already.",
    seen: measured,
  },
  {
    table: "server",
    at: ["SavedSearchInput.name", "WebhookInput.name"],
    is: { pattern: "\\S" },
    because: "Blanks around a name are cut, and nothing may not be left.",
    seen: measured,
  },
  {
    table: "server",
    at: ["CreateConnectionRequest.hyperdxSettingPrefix", "UpdateConnectionRequest.hyperdxSettingPrefix"],
    is: { pattern: "^[a-zA-Z0-9_]+$" },
    because: "It is the beginning of a setting's name.",
    seen: measured,
  },
  {
    table: "server",
    at: ["WebhookInput.headers{}", "WebhookInput.queryParams{}"],
    is: { pattern: "^[^\\u0000-\\u001f\\u007f]*$" },
    because: "A line break in a header is refused.",
    seen: measured,
  },
  {
    table: "server",
    at: "WebhookInput.url",
    is: { pattern: "^https?://" },
    because: "Webhooks are called by HTTP.",
    seen: measured,
  },

  // Charts.
  {
    table: "server",
    at: "ChartSeries.aggFn",
    is: { type: "string", enum: undefined },
    because: "The server has more functions than its document.",
    seen: measured,
  },
  {
    table: "server",
    at: "ChartSeries.metricDataType",
    is: { enum: ["exponential histogram", "gauge", "histogram", "sum", "summary"] },
    because: "The server has more kinds of metrics than its document.",
    seen: measured,
  },
  {
    table: "server",
    at: "ChartSeries.level",
    is: { type: "number", minimum: 0, maximum: 1 },
    because: "The level of a quantile; the document does not have it.",
    seen: measured,
  },
  {
    table: "server",
    at: "SeriesDataPoint",
    is: {
      properties: {
        ts_bucket: { type: "number" },
        group: { type: "array", items: { type: "string" } },
        ...Object.fromEntries(
          [0, 1, 2, 3, 4].map((index) => [`series_${index}.data`, { type: ["number", "string"] }]),
        ),
      },
    },
    because: "A row has up to five series, and whole numbers of 64 bits are texts.",
    seen: measured,
  },
  {
    table: "server",
    at: ["SeriesQueryRequest.startTime", "SeriesQueryRequest.endTime"],
    is: { type: "integer", minimum: 1e12 },
    because: "Times in seconds are refused.",
    seen: measured,
  },
];
