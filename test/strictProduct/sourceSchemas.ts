import { flag, list, oneOf, orNull, type Server, strict, text, upTo, variants } from "./schema";

const needed = upTo(1e6, 1);
const period = { type: "string", pattern: "^\\d+[smhd]$" };

/** The body of create and update of a source. The gateway of the management API validates by its document alone. */
export function sourceSchema(server: Server): object {
  // Its document requires the precision, and lets the table of metrics be absent, which the server behind it does not.
  const [precision, specific] =
    server === "clickstack" ? ["*", "filterSettings"] : ["", "serviceVersionExpression"];
  const ofServer = (names: string) => (server === "api" ? names : "");
  const base = "name* section disabled connection* from* querySettings timestampValueExpression*";
  const searched =
    "serviceNameExpression eventAttributesExpression resourceAttributesExpression metricSourceId " +
    "implicitColumnExpression knownColumnsListExpression useTextIndexForImplicitColumn materializedViews " +
    "highlightedTraceAttributeExpressions highlightedRowAttributeExpressions metadataMaterializedViews";
  const attributes = list(
    strict({ sqlExpression: needed, luceneExpression: text, alias: text }, ["sqlExpression"]),
  );
  const members = {
    ...Object.fromEntries(
      `${base} ${searched} defaultTableSelectExpression durationExpression parentSpanIdExpression`
        .concat(" spanNameExpression spanKindExpression traceIdExpression spanIdExpression bodyExpression")
        .concat(" severityTextExpression displayedTimestampValueExpression statusCodeExpression")
        .concat(" statusMessageExpression spanEventsValueExpression serviceVersionExpression")
        .concat(" traceSourceId logSourceId sessionSourceId")
        .concat(" eventNameExpression severityNumberExpression")
        .split(" ")
        .map((name) => [name.replace("*", ""), needed]),
    ),
    section: upTo(256),
    minAutoGranularity: { type: "string", pattern: "^(\\d+ (second|minute|hour|day))?$" },
    disabled: flag,
    from: strict({ databaseName: needed, tableName: text }, ["databaseName", "tableName"]),
    querySettings: list(strict({ setting: needed, value: needed }, ["setting", "value"]), { maxItems: 10 }),
    durationPrecision: { type: "integer", minimum: 0, maximum: 9 },
    useTextIndexForImplicitColumn: oneOf("auto", "enabled", "disabled"),
    highlightedTraceAttributeExpressions: attributes,
    highlightedRowAttributeExpressions: attributes,
    materializedViews: list(
      strict(
        {
          ...{ databaseName: needed, tableName: needed, dimensionColumns: text, timestampColumn: needed },
          ...{ minGranularity: period, minDate: orNull(text) },
          aggregatedColumns: list(
            strict({ aggFn: needed, mvColumn: needed, sourceColumn: text }, ["aggFn", "mvColumn"]),
            { minItems: 1 },
          ),
        },
        [
          ...["databaseName", "tableName", "dimensionColumns", "minGranularity"],
          ...["timestampColumn", "aggregatedColumns"],
        ],
      ),
    ),
    metadataMaterializedViews: strict(
      { keyRollupTable: orNull(text), kvRollupTable: needed, granularity: period },
      ["kvRollupTable", "granularity"],
    ),
    metricTables: {
      ...strict({ gauge: text, histogram: text, sum: text, summary: text, "exponential histogram": text }),
      minProperties: 1,
    },
    filterSettings: strict(
      {
        ...{ databaseName: needed, tableName: needed },
        columns: list(strict({ name: needed, label: needed }, ["name", "label"]), { maxItems: 10 }),
      },
      ["databaseName", "tableName", "columns"],
    ),
  };
  return variants("kind", members, {
    log: `${base} defaultTableSelectExpression* ${searched} ${specific} severityTextExpression bodyExpression displayedTimestampValueExpression traceSourceId traceIdExpression spanIdExpression ${ofServer("eventNameExpression severityNumberExpression")}`,
    trace: `${base} defaultTableSelectExpression* durationExpression* durationPrecision${precision} traceIdExpression* spanIdExpression* parentSpanIdExpression* spanNameExpression* spanKindExpression* ${searched} ${specific} logSourceId sessionSourceId statusCodeExpression statusMessageExpression spanEventsValueExpression`,
    metric: `${base} metricTables* resourceAttributesExpression* logSourceId ${ofServer("minAutoGranularity")}`,
    session: `${base} traceSourceId*`,
    promql: `${base} ${ofServer("minAutoGranularity")}`,
  });
}
