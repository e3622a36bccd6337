import {
  flag,
  list,
  number,
  oneOf,
  type Server,
  strict,
  text,
  upTo,
  variants,
  when,
  whenOneOf,
  whole,
} from "./schema";

const long = upTo(10_000);
const aggFn = oneOf(..."avg count count_distinct last_value max min quantile sum any none".split(" "));
const language = oneOf("sql", "lucene");
const metric = oneOf("sum", "gauge", "histogram", "summary", "exponential histogram");
const color = {
  type: "string",
  pattern: "^chart-(blue|orange|red|cyan|green|pink|purple|light-blue|brown|gray|success|warning|error)$",
};

const numberFormat = strict(
  {
    output: oneOf(..."currency percent byte time duration number data_rate throughput".split(" ")),
    mantissa: whole,
    thousandSeparated: flag,
    average: flag,
    decimalBytes: flag,
    factor: number,
    currencySymbol: text,
    unit: text,
    numericUnit: text,
  },
  ["output"],
);

const itemOf = (server: Server) => ({
  ...strict(
    {
      aggFn,
      valueExpression: long,
      alias: long,
      level: oneOf(0.5, 0.9, 0.95, 0.99),
      where: long,
      whereLanguage: language,
      metricName: text,
      // The server has no query for summaries.
      metricType: server === "api" ? oneOf("sum", "gauge", "histogram", "exponential histogram") : metric,
      periodAggFn: oneOf("delta"),
      numberFormat,
    },
    ["aggFn"],
  ),
  allOf: [
    whenOneOf(
      "aggFn",
      ["count"],
      { properties: { valueExpression: { maxLength: 0 } } },
      {
        anyOf: [
          { required: ["valueExpression"], properties: { valueExpression: { minLength: 1 } } },
          ...(server === "api"
            ? [{ required: ["metricName", "metricType"], properties: { metricName: { minLength: 1 } } }]
            : []),
        ],
      },
    ),
    when({ required: ["level"] }, { properties: { aggFn: { const: "quantile" } } }),
  ],
});

const target = variants(
  "mode",
  { id: text, template: upTo(10_000, 1) },
  { id: "id*", template: "template*" },
);
const linkFilters = list(
  strict({ kind: oneOf("expressionTemplate"), expression: upTo(10_000, 1), template: upTo(10_000, 1) }, [
    ...["kind", "expression", "template"],
  ]),
  { maxItems: 50 },
);
const onClick = variants(
  "type",
  {
    target,
    whereTemplate: long,
    whereLanguage: language,
    filters: linkFilters,
    urlTemplate: upTo(10_000, 1),
  },
  {
    search: "target* whereTemplate whereLanguage filters",
    dashboard: "target* whereTemplate whereLanguage filters",
    external: "urlTemplate*",
  },
);

const colorRule = {
  ...variants(
    "operator",
    { color, label: upTo(40) },
    Object.fromEntries(
      ["gt", "gte", "lt", "lte", "between", "eq", "neq"].map((operator) => [operator, "value* color* label"]),
    ),
  ),
  anyOf: [
    { properties: { operator: oneOf("gt", "gte", "lt", "lte"), value: number } },
    { properties: { operator: oneOf("between"), value: list(number, { minItems: 2, maxItems: 2 }) } },
    { properties: { operator: oneOf("eq", "neq"), value: { anyOf: [number, upTo(200)] } } },
  ],
};

const members = {
  heatmapMode: oneOf("distribution", "series"),
  sourceId: text,
  connectionId: text,
  configType: oneOf("sql"),
  sqlTemplate: upTo(100_000),
  groupBy: long,
  having: long,
  orderBy: long,
  where: long,
  whereLanguage: language,
  asRatio: flag,
  alignDateRangeToGranularity: flag,
  fillNulls: flag,
  fitYAxisToData: flag,
  compareToPreviousPeriod: flag,
  groupByColumnsOnLeft: flag,
  numberFormat,
  onClick,
  color,
  colorRules: list(colorRule, { maxItems: 10 }),
  backgroundChart: strict({ type: oneOf("line", "area"), color }, ["type"]),
  limit: { type: "integer", minimum: 0 },
  markdown: upTo(50_000),
  seriesLimit: { type: "integer", minimum: 0 },
  showOperandSeries: flag,
  formulas: list(strict({ expression: upTo(1024), alias: text, numberFormat }, ["expression"]), {
    maxItems: 10,
  }),
};

/** A number shows one entry of `select`, or one formula. */
const fewInNumbers = whenOneOf("displayType", ["number"], {
  properties: { formulas: { maxItems: 1 } },
  anyOf: [{ required: ["formulas"] }, { properties: { select: { maxItems: 1 } } }],
});

/** What a tile shows, in the new way. Raw SQL has fewer members; some are HyperDX's own. */
export function configSchema(server: Server): object {
  const item = itemOf(server);
  const specific = server === "api" ? "formulas showOperandSeries seriesLimit" : "";
  const time = `sourceId* select* groupBy asRatio alignDateRangeToGranularity fillNulls numberFormat ${specific}`;
  const part = "sourceId* select* groupBy orderBy numberFormat limit";
  const displays = variants("displayType", members, {
    line: `${time} fitYAxisToData compareToPreviousPeriod`,
    stacked_bar: time,
    table: `sourceId* select* groupBy having orderBy asRatio numberFormat groupByColumnsOnLeft onClick ${specific.replace(" seriesLimit", "")}`,
    number: `sourceId* select* numberFormat color colorRules backgroundChart ${server === "api" ? "formulas" : ""}`,
    pie: part,
    bar: part,
    heatmap: `sourceId* select* where whereLanguage numberFormat ${server === "api" ? "heatmapMode groupBy" : ""}`,
    search: `sourceId* select* where whereLanguage${server === "clickstack" ? "*" : ""}`,
    event_patterns: "sourceId* select where whereLanguage",
    markdown: "markdown",
  });
  const heatmapItem = strict(
    { valueExpression: long, countExpression: long, heatmapScaleType: oneOf("log", "linear") },
    ["valueExpression"],
  );
  const selecting = (displayTypes: string[], selected: object) =>
    whenOneOf("displayType", displayTypes, { properties: { select: selected } });
  const single = list(item, { minItems: 1, maxItems: 1 });
  const onTime = "alignDateRangeToGranularity fillNulls numberFormat sourceId";
  const sql = "configType* connectionId* sqlTemplate*";
  const limit = server === "api" ? "seriesLimit" : "";
  const rawSql = variants("displayType", members, {
    line: `${sql} ${onTime} fitYAxisToData compareToPreviousPeriod ${limit}`,
    stacked_bar: `${sql} ${onTime} ${limit}`,
    table: `${sql} sourceId numberFormat onClick`,
    number: `${sql} sourceId numberFormat color`,
    pie: `${sql} sourceId numberFormat`,
    bar: `${sql} sourceId numberFormat`,
  });
  const ofDistribution = list(heatmapItem, { minItems: 1, maxItems: 1 });
  const ofSeries = { properties: { heatmapMode: oneOf("series") }, required: ["heatmapMode"] };
  const heatmaps = [
    when(
      ofSeries,
      { properties: { displayType: oneOf("heatmap"), select: single, where: false, whereLanguage: false } },
      selecting(["heatmap"], ofDistribution),
    ),
    when({ properties: { displayType: oneOf("heatmap") }, required: ["groupBy"] }, ofSeries),
  ];
  const built = [
    displays,
    selecting(["line", "stacked_bar", "table"], list(item, { minItems: 1, maxItems: 20 })),
    selecting(["pie", "bar"], single),
    selecting(["number"], server === "api" ? list(item, { minItems: 1, maxItems: 20 }) : single),
    ...(server === "api" ? [fewInNumbers] : []),
    when(
      { required: ["asRatio"], properties: { asRatio: { const: true } } },
      { properties: { select: { minItems: 2, maxItems: 2 } } },
    ),
    ...(server === "api" ? heatmaps : [selecting(["heatmap"], ofDistribution)]),
    selecting(["search", "event_patterns"], long),
  ];
  const fallback = when({ required: ["configType"] }, rawSql, { allOf: built });
  if (server === "clickstack") return fallback;
  // No document has the members of a tile in PromQL.
  const isInPromql = { required: ["configType"], properties: { configType: oneOf("promql") } };
  return when(isInPromql, { required: ["displayType", "sourceId"] }, fallback);
}

/** What a tile shows, in the old way. Only HyperDX does without the language. */
export function seriesSchema(server: Server): object {
  const query = `sourceId* where* whereLanguage${server === "clickstack" ? "*" : ""}`;
  const value = `${query} aggFn* level field alias numberFormat metricDataType metricName`;
  return variants(
    "type",
    {
      sourceId: text,
      where: text,
      whereLanguage: language,
      aggFn,
      level: { type: "number", minimum: 0, maximum: 1 },
      field: text,
      alias: text,
      numberFormat,
      metricDataType: metric,
      metricName: text,
      groupBy: list(text, { maxItems: 10 }),
      displayType: oneOf("line", "stacked_bar"),
      sortOrder: oneOf("asc", "desc"),
      fields: list(text),
      content: upTo(100_000),
    },
    {
      time: `${value} groupBy* displayType`,
      table: `${value} groupBy* sortOrder`,
      number: value,
      search: `${query} fields*`,
      markdown: "content*",
    },
  );
}

/** The chart of an inline alert: a line, bars or a number, with a name and a filter of its own. Only HyperDX has it. */
export function alertChartSchema(): object {
  const named = { ...members, name: text };
  const query = "sourceId* select* name where whereLanguage formulas numberFormat";
  const sql = "configType* connectionId* sqlTemplate* sourceId name numberFormat";
  const time = "alignDateRangeToGranularity fillNulls seriesLimit";
  const grouped = `${query} ${time} groupBy asRatio showOperandSeries`;
  const ofLine = "compareToPreviousPeriod fitYAxisToData";
  const built = variants("displayType", named, {
    line: `${grouped} ${ofLine}`,
    stacked_bar: grouped,
    number: `${query} color colorRules backgroundChart`,
  });
  const rawSql = variants("displayType", named, {
    line: `${sql} ${time} ${ofLine}`,
    stacked_bar: `${sql} ${time}`,
    number: `${sql} color colorRules`,
  });
  const inIntervals = { pattern: "intervalSeconds|intervalMilliseconds|\\$__(timeInterval|interval)" };
  return when(
    { required: ["configType"] },
    {
      allOf: [
        rawSql,
        whenOneOf("displayType", ["line", "stacked_bar"], { properties: { sqlTemplate: inIntervals } }),
      ],
    },
    {
      allOf: [
        built,
        { properties: { select: list(itemOf("api"), { minItems: 1, maxItems: 20 }) } },
        fewInNumbers,
        when(
          { required: ["asRatio"], properties: { asRatio: { const: true } } },
          { properties: { select: { minItems: 2, maxItems: 2 }, formulas: { maxItems: 0 } } },
        ),
      ],
    },
  );
}
