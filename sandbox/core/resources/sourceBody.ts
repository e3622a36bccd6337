import type { ApiName } from "../request";

const text = { type: "string" };
const needed = { type: "string", minLength: 1 };
const date = { type: "string", format: "date-time" };
const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });
const list = (items: object, further: object = {}) => ({ type: "array", items, ...further });

const strict = (properties: object, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

const granularity = { type: "string", pattern: "^\\d+[smhd]$" };
const attributes = list(
  strict({ sqlExpression: needed, luceneExpression: text, alias: text }, ["sqlExpression"]),
);
const aggregatedColumn = {
  ...strict({ aggFn: needed, mvColumn: needed, sourceColumn: text }, ["aggFn", "mvColumn"]),
  if: { properties: { aggFn: { const: "count" } } },
  else: { required: ["sourceColumn"], properties: { sourceColumn: needed } },
};
const materializedView = strict(
  {
    databaseName: needed,
    tableName: needed,
    dimensionColumns: text,
    minGranularity: granularity,
    minDate: orNull(date),
    timestampColumn: needed,
    aggregatedColumns: list(aggregatedColumn, { minItems: 1 }),
  },
  ["databaseName", "tableName", "dimensionColumns", "minGranularity", "timestampColumn", "aggregatedColumns"],
);

const anyTexts = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, text]));
const neededTexts = (names: string) => Object.fromEntries(names.split(" ").map((name) => [name, needed]));

/** What logs and traces have in common. */
const searched = {
  ...anyTexts("serviceNameExpression eventAttributesExpression resourceAttributesExpression metricSourceId"),
  ...anyTexts("implicitColumnExpression knownColumnsListExpression"),
  useTextIndexForImplicitColumn: { enum: ["auto", "enabled", "disabled"] },
  highlightedTraceAttributeExpressions: attributes,
  highlightedRowAttributeExpressions: attributes,
  materializedViews: list(materializedView),
  metadataMaterializedViews: strict({ keyRollupTable: orNull(text), kvRollupTable: needed, granularity }, [
    "kvRollupTable",
    "granularity",
  ]),
};

const filterSettings = strict(
  {
    databaseName: text,
    tableName: text,
    columns: list(strict({ name: text, label: text }, ["name", "label"]), { maxItems: 10 }),
  },
  ["databaseName", "tableName", "columns"],
);

/** The body of a source: what each kind has, and what of that one API alone takes. */
export function sourceBody(api: ApiName): object {
  const only = (which: ApiName, members: object) => (api === which ? members : {});
  const further = {
    ...only("management", { filterSettings }),
    ...only("observability", anyTexts("serviceVersionExpression orderByExpression")),
  };
  const kind = (name: string, required: object, optional: object, tableName: object = needed) =>
    strict(
      {
        kind: { const: name },
        name: needed,
        section: { type: "string", maxLength: 256 },
        disabled: { type: "boolean" },
        connection: needed,
        from: strict({ databaseName: needed, tableName }, ["databaseName", "tableName"]),
        querySettings: list(strict({ setting: needed, value: needed }, ["setting", "value"]), {
          maxItems: 10,
        }),
        timestampValueExpression: needed,
        ...required,
        ...optional,
      },
      ["kind", "name", "connection", "from", "timestampValueExpression", ...Object.keys(required)],
    );
  return {
    type: "object",
    required: ["kind"],
    discriminator: { propertyName: "kind" },
    oneOf: [
      kind("log", neededTexts("defaultTableSelectExpression"), {
        ...searched,
        ...anyTexts("severityTextExpression bodyExpression displayedTimestampValueExpression"),
        ...anyTexts("traceSourceId traceIdExpression spanIdExpression"),
        ...further,
        ...only("observability", anyTexts("tableFilterExpression")),
      }),
      kind(
        "trace",
        {
          ...neededTexts(
            "defaultTableSelectExpression durationExpression traceIdExpression spanIdExpression",
          ),
          ...neededTexts("parentSpanIdExpression spanNameExpression spanKindExpression"),
        },
        {
          ...searched,
          durationPrecision: { type: "number", minimum: 0, maximum: 9 },
          logSourceId: orNull(text),
          ...anyTexts(
            "sessionSourceId statusCodeExpression statusMessageExpression spanEventsValueExpression",
          ),
          ...further,
          ...only(
            "observability",
            anyTexts("displayedTimestampValueExpression sampleRateExpression spanLinksValueExpression"),
          ),
        },
      ),
      kind(
        "metric",
        {
          metricTables: {
            ...strict({ ...anyTexts("gauge histogram sum summary"), "exponential histogram": text }, []),
            minProperties: 1,
          },
          ...neededTexts("resourceAttributesExpression"),
        },
        {
          ...anyTexts("logSourceId"),
          ...only("observability", anyTexts("serviceNameExpression seriesTable")),
        },
        text,
      ),
      kind(
        "session",
        neededTexts("traceSourceId"),
        only("observability", anyTexts("resourceAttributesExpression")),
      ),
      kind("promql", {}, {}),
    ],
  };
}
