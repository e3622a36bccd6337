export const tile = (name: string, config: object, more: object = {}) => ({
  id: name.toLowerCase(),
  ...{ x: 0, y: 0, w: 12, h: 10 },
  config: { name, ...config },
  ...more,
});

/** Makes a chart in the form that ClickStack's page exports, with the properties that the page always writes. */
export const chart = (more: object = {}) => ({
  source: "traces",
  displayType: "line",
  granularity: "auto",
  alignDateRangeToGranularity: true,
  where: "",
  whereLanguage: "lucene",
  select: [series()],
  ...more,
});

export const series = (more: object = {}) => ({
  aggFn: "count",
  aggCondition: "",
  aggConditionLanguage: "lucene",
  valueExpression: "",
  ...more,
});

/** A dashboard as ClickStack's page exports it, with every property that it can have. */
export const pageFile = {
  version: "0.1.0",
  name: "Checkout",
  description: "What the checkout does.",
  tags: ["shop"],
  savedQuery: "ServiceName:checkout",
  savedQueryLanguage: null,
  savedFilterValues: [
    { type: "sql", condition: "ServiceName IN ('checkout')" },
    { type: "lucene", condition: "ServiceName:checkout" },
  ],
  containers: [
    { id: "main", title: "Main", collapsed: false, bordered: false, tabs: [{ id: "first", title: "First" }] },
  ],
  filters: [
    {
      ...{ id: "f1", type: "QUERY_EXPRESSION", name: "Service", expression: "ServiceName" },
      ...{ source: "Traces", where: "", whereLanguage: "lucene", appliesToSourceIds: ["Traces", "logs"] },
      ...{ isVariableEnabled: false, variableName: "service" },
    },
  ],
  tiles: [
    tile(
      "Error rate",
      chart({
        seriesReturnType: "ratio",
        seriesLimit: 0,
        fillNulls: false,
        groupBy: [{ valueExpression: "ServiceName" }, { valueExpression: "SpanName", alias: "Span" }],
        select: [
          series({ alias: "Errors", aggCondition: "StatusCode = 'Error'", aggConditionLanguage: "sql" }),
          series({ alias: "All" }),
        ],
      }),
      { containerId: "main", tabId: "first" },
    ),
    tile(
      "Heap",
      chart({
        source: "Metrics",
        where: "ServiceName:checkout",
        select: [
          series({
            ...{ aggFn: "max", isDelta: true, valueExpression: "Value", aggCondition: "pool:heap" },
            ...{ metricName: "jvm.memory.used", metricType: "gauge", numberFormat: { output: "byte" } },
          }),
          series({
            aggFn: "quantile",
            level: 0.75,
            valueExpression: "Value",
            metricName: "jvm.memory.limit",
            metricType: "gauge",
          }),
        ],
      }),
    ),
    tile("Spans", {
      ...{ configType: "sql", displayType: "table", connection: "DEFAULT", source: "Traces" },
      sqlTemplate: "SELECT SpanName, count() FROM $__sourceTable GROUP BY 1",
      onClick: {
        type: "search",
        target: { mode: "id", id: "Traces" },
        whereTemplate: "SpanName:{{SpanName}}",
        whereLanguage: "lucene",
      },
    }),
    tile(
      "Slowest",
      chart({
        displayType: "table",
        having: "Errors > 0",
        havingLanguage: "sql",
        groupBy: "SpanName",
        orderBy: [{ valueExpression: "Duration", ordering: "DESC" }],
        limit: { limit: 20 },
        onClick: { type: "dashboard", target: { mode: "id", id: "Span" } },
        select: [series({ aggFn: "avg", valueExpression: "Duration", color: "chart-red" })],
      }),
      { containerId: "gone" },
    ),
    tile("Shares", chart({ displayType: "pie", seriesLimit: 5, groupBy: "SpanName" })),
    tile("Count", chart({ displayType: "number", color: "chart-4" })),
    tile(
      "Latency",
      chart({
        displayType: "heatmap",
        where: "SpanKind:Server",
        select: [
          series({ valueExpression: "Duration", countExpression: "count()", heatmapScaleType: "linear" }),
        ],
      }),
    ),
    tile(
      "Records",
      chart({ displayType: "search", where: "error", select: "Timestamp,Body", orderBy: "Timestamp DESC" }),
    ),
    tile("Notes", { displayType: "markdown", markdown: "# Notes", source: "", select: [], where: "" }),
    tile("Load", {
      configType: "promql",
      displayType: "line",
      connection: "DEFAULT",
      promqlExpression: "up",
    }),
  ],
};
