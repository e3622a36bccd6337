import type { Schema } from "./schema";

/**
 * Makes a JSON Schema rule for objects in which a property has one of the given values, and optionally another rule for all
 * other objects.
 */
function whenOneOf(member: string, values: readonly unknown[], further: Schema, otherwise?: Schema): Schema {
  return when({ required: [member], properties: { [member]: { enum: values } } }, further, otherwise);
}

function when(condition: Schema, further: Schema, otherwise?: Schema): Schema {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: condition, then: further, ...(otherwise && { else: otherwise }) };
}

const without = (name: string): Schema => ({ not: { required: [name] } });
const withText = (...names: string[]): Schema => ({
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
});
const neverNull = (...names: string[]): Schema => ({
  properties: Object.fromEntries(names.map((name) => [name, { not: { type: "null" } }])),
});

/** Rules of the HyperDX server for the bodies of alerts. */
export const alertRules: readonly Schema[] = [
  { anyOf: [{ required: ["channel"] }, { required: ["channels"] }] },
  whenOneOf("source", ["tile"], withText("dashboardId", "tileId")),
  whenOneOf("source", ["saved_search"], withText("savedSearchId")),
  whenOneOf("source", ["inline"], { required: ["chartConfig"] }, without("chartConfig")),
  whenOneOf("thresholdType", ["between", "not_between"], { required: ["thresholdMax"] }),
  neverNull("thresholdMax", "scheduleOffsetMinutes"),
  { properties: { scheduleStartAt: { pattern: "Z$" } } },
];

/** Rules of ClickHouse Cloud for alerts that recognize anomalies, which are evaluated at few intervals only. */
export const anomalyRules: readonly Schema[] = [
  whenOneOf(
    "detectionMode",
    ["anomaly"],
    { properties: { interval: { enum: ["5m", "15m", "30m", "1h"] } } },
    { properties: { anomalyConfig: { type: "null" } } },
  ),
];

/** Rules of the HyperDX server for tiles of dashboards: a tile has either a `config` or, in the older form, `series`. */
export const tileRules: readonly Schema[] = [
  {
    oneOf: [
      { required: ["series"], not: { required: ["config"] } },
      { required: ["config"], not: { anyOf: [{ required: ["series"] }, { required: ["asRatio"] }] } },
    ],
  },
];

/** Rules of the HyperDX server for the entries of a chart's `select`. */
export const itemRules: readonly Schema[] = [
  whenOneOf(
    "aggFn",
    ["count"],
    { properties: { valueExpression: { maxLength: 0 } } },
    {
      anyOf: [
        { required: ["valueExpression"], properties: { valueExpression: { minLength: 1 } } },
        { required: ["metricName", "metricType"], properties: { metricName: { minLength: 1 } } },
      ],
    },
  ),
  when({ required: ["level"] }, { properties: { aggFn: { const: "quantile" } } }),
  { properties: { level: { enum: [0.5, 0.9, 0.95, 0.99] } } },
];

const sizeOfSelect = (minItems: number, maxItems: number): Schema => ({
  properties: { select: { minItems, maxItems } },
});

export const chartRules: readonly Schema[] = [
  when(
    { required: ["asRatio"], properties: { asRatio: { const: true } } },
    { ...sizeOfSelect(2, 2), not: { required: ["formulas"] } },
  ),
  whenOneOf("displayType", ["number"], {
    properties: { formulas: { maxItems: 1 } },
    anyOf: [{ required: ["formulas"] }, sizeOfSelect(0, 1)],
  }),
  whenOneOf("displayType", ["pie", "bar"], sizeOfSelect(0, 1)),
  whenOneOf("displayType", ["heatmap"], sizeOfSelect(1, 1)),
  ...formulaRules(),
];

/** A formula names series of the chart: `A` is the first of `select`. It names at least one, and none that the chart lacks. */
function formulaRules(): readonly Schema[] {
  const letters = [..."ABCDEFGHIJKLMNOPQRST"];
  return letters.map((last, index) =>
    when(
      { required: ["select", "formulas"], ...sizeOfSelect(index + 1, index + 1) },
      {
        properties: {
          formulas: { items: { properties: { expression: { pattern: `^[^A-Z]*([A-${last}][^A-Z]*)+$` } } } },
        },
      },
    ),
  );
}

const text = (maxLength: number): Schema => ({ minLength: 1, maxLength });

/** Rules of the HyperDX server for the filters above a dashboard. */
export const filterRules: readonly Schema[] = [
  {
    properties: {
      name: { minLength: 1 },
      expression: { minLength: 1 },
      label: text(1024),
      match: { minLength: 1 },
      options: { minItems: 1, maxItems: 1000, uniqueItems: true, items: text(10_000) },
      variableName: { maxLength: 64, pattern: "^[A-Za-z][A-Za-z0-9_]*$" },
    },
  },
  whenOneOf("type", ["STATIC_LIST", "PROMETHEUS_LABEL"], {
    properties: { isBroadcastEnabled: { enum: [false] }, isVariableEnabled: { enum: [true] } },
  }),
];

/** Properties of a data source that may be null by the API document, although HyperDX's server refuses null for them. */
export const sourceRules: readonly Schema[] = [
  neverNull(
    ..."bodyExpression disabled displayedTimestampValueExpression eventAttributesExpression".split(" "),
    ..."highlightedRowAttributeExpressions highlightedTraceAttributeExpressions implicitColumnExpression".split(
      " ",
    ),
    ..."knownColumnsListExpression materializedViews metadataMaterializedViews metricSourceId".split(" "),
    ..."querySettings resourceAttributesExpression serviceNameExpression serviceVersionExpression".split(" "),
    ..."severityTextExpression spanEventsValueExpression spanIdExpression statusCodeExpression".split(" "),
    ..."statusMessageExpression timestampValueExpression traceIdExpression".split(" "),
  ),
  { required: ["timestampValueExpression"] },
  whenOneOf("kind", ["trace"], {}, neverNull("logSourceId", "traceSourceId")),
];
