import type { ApiName } from "../request";
import type { DashboardParts } from "./dashboardParts";
import {
  anyText,
  either,
  flag,
  language,
  list,
  metricType,
  named,
  objectId,
  oneOf,
  only,
  strict,
  text,
} from "./jsonSchema";

const expression = text(10_000);
const aggFn = {
  enum: [
    ...["avg", "count", "count_distinct", "last_value", "max", "min", "quantile", "sum", "any", "none"],
    "increase",
  ],
};

export const color = {
  enum: [
    ...["blue", "orange", "red", "cyan", "green", "pink", "purple", "light-blue", "brown", "gray"],
    ...["success", "warning", "error"],
  ].map((name) => `chart-${name}`),
};

const ofBytes = ["bytes", "bits"].flatMap((unit) =>
  ["", "_sec"].flatMap((rate) => ["_iec", "_si"].map((base) => `${unit}${rate}${base}`)),
);
const scaled = [..."kibi mebi gibi tebi pebi kilo mega giga tera peta".split(" ")].flatMap((prefix) =>
  ["bytes", "bytes_sec", "bits_sec"].map((unit) => `${prefix}${unit}`),
);
const rates = "packets_sec cps ops rps reads_sec wps iops cpm opm rpm_reads wpm".split(" ");

export const numberFormat = strict(
  {
    output: {
      enum: ["currency", "percent", "byte", "time", "duration", "number", "data_rate", "throughput"],
    },
    numericUnit: { enum: [...ofBytes, ...scaled, ...rates] },
    mantissa: { type: "integer" },
    thousandSeparated: flag,
    average: flag,
    decimalBytes: flag,
    factor: { type: "number" },
    currencySymbol: anyText,
    unit: anyText,
  },
  ["output"],
);

const target = oneOf(
  "mode",
  strict({ mode: { const: "id" }, id: objectId }, ["mode", "id"]),
  strict({ mode: { const: "template" }, template: text(10_000, 1) }, ["mode", "template"]),
);
const filterTemplate = strict(
  { kind: { const: "expressionTemplate" }, expression: text(10_000, 1), template: text(10_000, 1) },
  ["kind", "expression", "template"],
);
const link = (type: string) =>
  strict(
    {
      type: { const: type },
      target,
      whereTemplate: expression,
      whereLanguage: language,
      filters: list(filterTemplate, { maxItems: 50 }),
    },
    ["type", "target"],
  );
const onClick = oneOf(
  "type",
  link("search"),
  link("dashboard"),
  strict({ type: { const: "external" }, urlTemplate: text(10_000, 1) }, ["type", "urlTemplate"]),
);

const colorRule = (operators: string[], value: object) =>
  operators.map((operator) =>
    strict({ operator: { const: operator }, value, color, label: text(40) }, ["operator", "value", "color"]),
  );
export const colorRules = list(
  oneOf(
    "operator",
    ...colorRule(["gt", "gte", "lt", "lte"], { type: "number" }),
    ...colorRule(["between"], list({ type: "number" }, { minItems: 2, maxItems: 2 })),
    ...colorRule(["eq", "neq"], { anyOf: [{ type: "number" }, text(200)] }),
  ),
  { maxItems: 10 },
);

const selectItem = strict(
  {
    aggFn,
    valueExpression: expression,
    alias: expression,
    level: { enum: [0.5, 0.9, 0.95, 0.99] },
    where: expression,
    whereLanguage: language,
    metricName: anyText,
    metricType,
    periodAggFn: { const: "delta" },
    numberFormat,
  },
  ["aggFn"],
);
export const select = (maxItems: number) => list(selectItem, { minItems: 1, maxItems });
export const formulas = list(
  strict({ expression: text(1024), alias: anyText, numberFormat }, ["expression"]),
  { maxItems: 10 },
);
const heatmapItem = strict(
  { valueExpression: expression, countExpression: expression, heatmapScaleType: { enum: ["log", "linear"] } },
  ["valueExpression"],
);

/** The schemas of `config` and `series` of a tile. */
export function contentsSchemas(api: ApiName, has: DashboardParts): { config: object; series: object } {
  const members = {
    sourceId: has.sourceId,
    heatmapMode: only("distribution"),
    select: select(20),
    ...{ groupBy: expression, having: expression, orderBy: expression },
    ...{ where: expression, whereLanguage: language },
    ...{ asRatio: flag, alignDateRangeToGranularity: flag, fillNulls: flag, fitYAxisToData: flag },
    ...{ compareToPreviousPeriod: flag, groupByColumnsOnLeft: flag, showOperandSeries: flag },
    ...{ numberFormat, onClick, color, colorRules, formulas },
    backgroundChart: strict({ type: { enum: ["line", "area"] }, color }, ["type"]),
    limit: { type: "integer", minimum: 0 },
    seriesLimit: { type: "integer", minimum: 0 },
    markdown: text(50_000),
    configType: only("sql"),
    connectionId: has.sourceId,
    sqlTemplate: text(100_000),
  };
  const display = (displayType: string, names: string, selected: object = members.select) =>
    named({ ...members, select: selected, displayType: only(displayType) }, `displayType* ${names}`);
  const charted = `sourceId* select* groupBy asRatio formulas showOperandSeries`;
  const overTime = `alignDateRangeToGranularity fillNulls numberFormat seriesLimit`;
  const line = `${overTime} fitYAxisToData compareToPreviousPeriod`;
  const shares = "sourceId* select* groupBy orderBy numberFormat limit";
  const sql = "configType* connectionId* sqlTemplate* sourceId numberFormat";
  const distribution = display(
    "heatmap",
    `${has.heatmapSeries ? "heatmapMode " : ""}sourceId* select* numberFormat where whereLanguage`,
    list(heatmapItem, { minItems: 1, maxItems: 1 }),
  );
  const ofOneSeries = named(
    { ...members, select: select(1), displayType: only("heatmap"), heatmapMode: only("series") },
    "displayType* heatmapMode* sourceId* select* groupBy numberFormat",
  );
  const heatmap = has.heatmapSeries
    ? {
        properties: { displayType: only("heatmap") },
        ...either("heatmapMode", "series", ofOneSeries, distribution),
      }
    : distribution;
  // The older server takes a type that it does not know for none.
  const withPromql = (builder: object) =>
    has.promqlTiles ? either("configType", "promql", promql, { ...builder, ...untyped }) : builder;
  const config = {
    ...either(
      "configType",
      "sql",
      oneOf(
        "displayType",
        display("line", `${sql} ${line}`),
        display("stacked_bar", `${sql} ${overTime}`),
        display("table", `${sql} onClick`),
        display("number", `${sql} color`),
        display("pie", sql),
        display("bar", sql),
      ),
      withPromql(
        oneOf(
          "displayType",
          display("line", `${charted} ${line}`),
          display("stacked_bar", `${charted} ${overTime}`),
          display("table", `${charted} having orderBy numberFormat groupByColumnsOnLeft onClick`),
          display("number", "sourceId* select* numberFormat color colorRules backgroundChart formulas"),
          display("pie", shares, select(1)),
          display("bar", shares, select(1)),
          heatmap,
          display("search", `sourceId* select* where ${languageOn(api)}`, expression),
          display("event_patterns", "sourceId* select where whereLanguage", expression),
          display("markdown", "markdown"),
        ),
      ),
    ),
  };
  return { config, series: list(seriesSchema(api), { minItems: 1 }) };
}

/** Only what is known of it: no document has the names of its expressions. */
const promql = {
  type: "object",
  properties: { displayType: anyText, sourceId: anyText },
  required: ["displayType", "sourceId"],
};

const untyped = { properties: { configType: { enum: ["sql", "promql"] } } };

/** The document requires the language of series and searches, and so does the gateway; the server does not. */
function languageOn(api: ApiName): string {
  return api === "management" ? "whereLanguage*" : "whereLanguage";
}

/** Each kind of series. */
function seriesSchema(api: ApiName): object {
  const members = {
    ...{ sourceId: objectId, where: anyText, whereLanguage: language, aggFn, numberFormat },
    level: { type: "number", minimum: 0, maximum: 1 },
    ...{ field: anyText, alias: anyText, metricName: anyText, metricDataType: metricType },
    groupBy: list(anyText, { maxItems: 10 }),
    displayType: { enum: ["line", "stacked_bar"] },
    sortOrder: { enum: ["asc", "desc"] },
    fields: list(anyText),
    content: text(100_000),
  };
  const kind = (type: string, names: string) => named({ ...members, type: only(type) }, `type* ${names}`);
  const source = `sourceId* where* ${languageOn(api)}`;
  const aggregated = `${source} aggFn* level field alias numberFormat metricDataType metricName`;
  return oneOf(
    "type",
    kind("time", `${aggregated} groupBy* displayType`),
    kind("table", `${aggregated} groupBy* sortOrder`),
    kind("number", aggregated),
    kind("search", `${source} fields*`),
    kind("markdown", "content*"),
  );
}
