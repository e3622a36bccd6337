import type { ApiName } from "../request";
import type { ServerVocabulary } from "../vocabulary";
import { anyText, flag, list, named, oneOf, only, orNull, strict, text } from "./jsonSchema";

const needed = { type: "string", minLength: 1 };
const granularity = { type: "string", pattern: "^\\d+[smhd]$" };
const texts = { sqlExpression: needed, luceneExpression: anyText, alias: anyText };
const attributes = list(named(texts, "sqlExpression* luceneExpression alias"));
const aggregatedColumn = {
  ...strict({ aggFn: needed, mvColumn: needed, sourceColumn: anyText }, ["aggFn", "mvColumn"]),
  if: { properties: { aggFn: only("count") } },
  else: { required: ["sourceColumn"], properties: { sourceColumn: needed } },
};
const materializedView = named(
  {
    ...{ databaseName: needed, tableName: needed, dimensionColumns: anyText, timestampColumn: needed },
    ...{ minGranularity: granularity, minDate: orNull({ type: "string", format: "date-time" }) },
    aggregatedColumns: list(aggregatedColumn, { minItems: 1 }),
  },
  "databaseName* tableName* dimensionColumns* minGranularity* minDate timestampColumn* aggregatedColumns*",
);
const column = strict({ name: anyText, label: anyText, valueExpression: anyText, allowAll: flag }, [
  "name",
  "label",
]);

/** Members that are neither plain texts nor required texts. */
const members: Readonly<Record<string, object>> = {
  section: text(256),
  disabled: flag,
  querySettings: list(strict({ setting: needed, value: needed }, ["setting", "value"]), { maxItems: 10 }),
  useTextIndexForImplicitColumn: { enum: ["auto", "enabled", "disabled"] },
  highlightedTraceAttributeExpressions: attributes,
  highlightedRowAttributeExpressions: attributes,
  materializedViews: list(materializedView),
  metadataMaterializedViews: named(
    { keyRollupTable: orNull(anyText), kvRollupTable: needed, granularity },
    "keyRollupTable kvRollupTable* granularity*",
  ),
  filterSettings: named(
    { databaseName: anyText, tableName: anyText, columns: list(column, { maxItems: 10 }) },
    "databaseName* tableName* columns*",
  ),
  durationPrecision: { type: "number", minimum: 0, maximum: 9 },
  minAutoGranularity: { type: "string", pattern: "^(\\d+ (second|minute|hour|day))?$" },
  metricTables: {
    ...strict({
      ...{ gauge: anyText, histogram: anyText, sum: anyText, summary: anyText },
      "exponential histogram": anyText,
    }),
    minProperties: 1,
  },
};

const common = "kind* name* section disabled connection* from* querySettings timestampValueExpression* ";

/** The common members of logs and traces. */
const searched =
  "defaultTableSelectExpression* serviceNameExpression eventAttributesExpression resourceAttributesExpression " +
  "metricSourceId implicitColumnExpression knownColumnsListExpression useTextIndexForImplicitColumn " +
  "highlightedTraceAttributeExpressions highlightedRowAttributeExpressions materializedViews " +
  "metadataMaterializedViews ";

/** The body of a source by its kind, with the members that one API alone takes, and those that the version of its server has. */
export function sourceBody(api: ApiName, { isSince }: ServerVocabulary): object {
  const onServer = (names: string) => (api === "observability" ? names : "");
  const since = (version: `2.${number}`, names: string) => (isSince(version) ? onServer(names) : "");
  // No document has the name of the last one for sure.
  const newer = `${since("2.46", " rowKeyExpression")}`;
  const specific = `serviceVersionExpression orderByExpression ${api === "management" ? "filterSettings " : ""}`;
  const kind = (name: string, names: string, further: Readonly<Record<string, object>> = {}) => {
    const allNames = common + names;
    const plain = allNames
      .split(" ")
      .map((name) => [name.replace("*", ""), name.endsWith("*") ? needed : anyText]);
    const from = named({ databaseName: needed, tableName: needed, ...further }, "databaseName* tableName*");
    return named({ ...Object.fromEntries(plain), ...members, from, ...further, kind: only(name) }, allNames);
  };
  return oneOf(
    "kind",
    kind(
      "log",
      `${searched}severityTextExpression bodyExpression displayedTimestampValueExpression ` +
        `traceSourceId traceIdExpression spanIdExpression ${specific}${onServer("tableFilterExpression")}` +
        `${since("2.42", " eventNameExpression severityNumberExpression")}${newer}`,
    ),
    kind(
      "trace",
      `${searched}durationExpression* traceIdExpression* spanIdExpression* parentSpanIdExpression* ` +
        "spanNameExpression* spanKindExpression* durationPrecision logSourceId sessionSourceId " +
        `statusCodeExpression statusMessageExpression spanEventsValueExpression ${specific}` +
        "displayedTimestampValueExpression sampleRateExpression spanLinksValueExpression" +
        newer,
      {
        logSourceId: orNull(anyText),
        // The document has whole numbers; the server alone takes others, too.
        durationPrecision: { type: api === "management" ? "integer" : "number", minimum: 0, maximum: 9 },
      },
    ),
    kind(
      "metric",
      `metricTables* resourceAttributesExpression* logSourceId ${onServer("serviceNameExpression seriesTable")}${since("2.40", " minAutoGranularity")}`,
      { tableName: anyText },
    ),
    kind("session", `traceSourceId* resourceAttributesExpression`),
    kind("promql", since("2.41", "minAutoGranularity")),
  );
}
