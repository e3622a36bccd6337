import type { ApiName } from "../request";

const text = (maxLength: number, minLength = 0) => ({ type: "string", minLength, maxLength });
const expression = text(10_000);
const flag = { type: "boolean" };
const language = { enum: ["sql", "lucene"] };
const objectId = { type: "string", pattern: "^[0-9a-fA-F]{24}$" };
const aggFn = {
  enum: [
    ...["avg", "count", "count_distinct", "last_value", "max", "min", "quantile", "sum", "any", "none"],
    "increase",
  ],
};
const metricType = { enum: ["sum", "gauge", "histogram", "summary", "exponential histogram"] };

const strict = (properties: object, required: string[]) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** One of some objects, told apart by a member. */
const oneOf = (tag: string, ...variants: object[]) => ({
  type: "object",
  required: [tag],
  discriminator: { propertyName: tag },
  oneOf: variants,
});

const color = {
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

const numberFormat = strict(
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
    currencySymbol: { type: "string" },
    unit: { type: "string" },
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
      filters: { type: "array", maxItems: 50, items: filterTemplate },
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
const colorRules = {
  type: "array",
  maxItems: 10,
  items: oneOf(
    "operator",
    ...colorRule(["gt", "gte", "lt", "lte"], { type: "number" }),
    ...colorRule(["between"], { type: "array", items: { type: "number" }, minItems: 2, maxItems: 2 }),
    ...colorRule(["eq", "neq"], { anyOf: [{ type: "number" }, text(200)] }),
  ),
};

const selectItem = strict(
  {
    aggFn,
    valueExpression: expression,
    alias: expression,
    level: { enum: [0.5, 0.9, 0.95, 0.99] },
    where: expression,
    whereLanguage: language,
    metricName: { type: "string" },
    metricType,
    periodAggFn: { const: "delta" },
    numberFormat,
  },
  ["aggFn"],
);
const select = (maxItems: number) => ({ type: "array", items: selectItem, minItems: 1, maxItems });
const formulas = {
  type: "array",
  maxItems: 10,
  items: strict({ expression: text(1024), alias: { type: "string" }, numberFormat }, ["expression"]),
};
const heatmapItem = strict(
  { valueExpression: expression, countExpression: expression, heatmapScaleType: { enum: ["log", "linear"] } },
  ["valueExpression"],
);

/** The schemas of `config` and `series` of a tile. Formulas and the limit of series are known to the observability API only. */
export function contentsSchemas(api: ApiName): { config: object; series: object } {
  const isObservability = api === "observability";
  const limit = isObservability ? { seriesLimit: { type: "integer", minimum: 0 } } : {};
  const derived = isObservability ? { formulas } : {};
  const operands = isObservability ? { formulas, showOperandSeries: flag } : {};
  const overTime = { alignDateRangeToGranularity: flag, fillNulls: flag, numberFormat, ...limit };
  const line = { ...overTime, fitYAxisToData: flag, compareToPreviousPeriod: flag };
  const builder = (displayType: string, members: object, required = ["sourceId", "select"]) =>
    strict({ displayType: { const: displayType }, sourceId: objectId, ...members }, [
      "displayType",
      ...required,
    ]);
  const charted = { select: select(20), groupBy: expression, asRatio: flag, ...operands };
  const filtered = { where: expression, whereLanguage: language };
  const byDocument = requiredByDocument(api);
  const shares = {
    select: select(1),
    groupBy: expression,
    orderBy: expression,
    numberFormat,
    limit: { type: "integer", minimum: 0 },
  };
  const rawSql = (displayType: string, members: object = {}) =>
    strict(
      {
        configType: { const: "sql" },
        displayType: { const: displayType },
        connectionId: objectId,
        sqlTemplate: text(100_000),
        sourceId: objectId,
        numberFormat,
        ...members,
      },
      ["configType", "displayType", "connectionId", "sqlTemplate"],
    );
  const config = {
    type: "object",
    if: { properties: { configType: { const: "sql" } }, required: ["configType"] },
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    then: oneOf(
      "displayType",
      rawSql("line", line),
      rawSql("stacked_bar", overTime),
      rawSql("table", { onClick }),
      rawSql("number", { color }),
      rawSql("pie"),
      rawSql("bar"),
    ),
    else: oneOf(
      "displayType",
      builder("line", { ...charted, ...line }),
      builder("stacked_bar", { ...charted, ...overTime }),
      builder("table", {
        ...charted,
        having: expression,
        orderBy: expression,
        numberFormat,
        groupByColumnsOnLeft: flag,
        onClick,
      }),
      builder("number", {
        select: select(isObservability ? 20 : 1),
        numberFormat,
        color,
        colorRules,
        backgroundChart: strict({ type: { enum: ["line", "area"] }, color }, ["type"]),
        ...derived,
      }),
      builder("pie", shares),
      builder("bar", shares),
      builder("heatmap", {
        select: { type: "array", items: heatmapItem, minItems: 1, maxItems: 1 },
        numberFormat,
        ...filtered,
      }),
      builder("search", { select: expression, ...filtered }, ["sourceId", "select", ...byDocument]),
      builder("event_patterns", { select: expression, ...filtered }, ["sourceId"]),
      strict({ displayType: { const: "markdown" }, markdown: text(50_000) }, ["displayType"]),
    ),
  };
  return { config, series: { type: "array", minItems: 1, items: seriesSchema(api) } };
}

/** What the document requires of series and searches, and so the gateway; the server does not. */
function requiredByDocument(api: ApiName): string[] {
  return api === "management" ? ["whereLanguage"] : [];
}

/** Each kind of series. */
function seriesSchema(api: ApiName): object {
  const queried = ["sourceId", "where", ...requiredByDocument(api)];
  const source = { sourceId: objectId, where: { type: "string" }, whereLanguage: language };
  const aggregated = {
    ...source,
    aggFn,
    level: { type: "number", minimum: 0, maximum: 1 },
    field: { type: "string" },
    alias: { type: "string" },
    numberFormat,
    metricDataType: metricType,
    metricName: { type: "string" },
  };
  const groupBy = { type: "array", items: { type: "string" }, maxItems: 10 };
  const kind = (type: string, members: object, required: string[]) =>
    strict({ type: { const: type }, ...members }, ["type", ...required]);
  return oneOf(
    "type",
    kind("time", { ...aggregated, groupBy, displayType: { enum: ["line", "stacked_bar"] } }, [
      ...queried,
      "aggFn",
      "groupBy",
    ]),
    kind("table", { ...aggregated, groupBy, sortOrder: { enum: ["asc", "desc"] } }, [
      ...queried,
      "aggFn",
      "groupBy",
    ]),
    kind("number", aggregated, [...queried, "aggFn"]),
    kind("search", { ...source, fields: { type: "array", items: { type: "string" } } }, [
      ...queried,
      "fields",
    ]),
    kind("markdown", { content: text(100_000) }, ["content"]),
  );
}
