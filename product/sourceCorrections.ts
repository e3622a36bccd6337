import { type Correction, measured, ofBoth } from "./correction";
import { sourceRules } from "./rules";

export const sourceCorrections: readonly Correction[] = [
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
];
