import type { JsonObject } from "./example";
import { home } from "./home";

const format = { output: "number", numericUnit: "megabits_sec", mantissa: 2, thousandSeparated: true };
export const numberFormat = {
  ...format,
  average: true,
  decimalBytes: false,
  factor: 0.5,
  currencySymbol: "€",
  unit: "per day",
};
export const count = {
  aggFn: "count",
  alias: "errors",
  where: "level:error",
  whereLanguage: "lucene",
  numberFormat,
};
const slowest = {
  aggFn: "quantile",
  level: 0.95,
  valueExpression: "Duration",
  where: "a = 1",
  whereLanguage: "sql",
};
const gauge = {
  aggFn: "max",
  valueExpression: "Value",
  metricName: "cpu",
  metricType: "gauge",
  periodAggFn: "delta",
};
export const source = { sourceId: "65f1c0a2b3d4e5f607182911" };
const time = { alignDateRangeToGranularity: false, fillNulls: false, seriesLimit: 0, numberFormat };
const line = { ...time, fitYAxisToData: true, compareToPreviousPeriod: true };
export const formulas = [{ expression: "A / B", alias: "share", numberFormat }];
const sql = {
  configType: "sql",
  connectionId: "65f1c0a2b3d4e5f607182900",
  sqlTemplate: "SELECT 1",
  ...source,
};
const target = { mode: "template", template: "{{ServiceName}}" };
export const filters = [
  { kind: "expressionTemplate", expression: "ServiceName", template: "{{ServiceName}}" },
];
const onClick = { type: "search", target, whereTemplate: "a:{{a}}", whereLanguage: "lucene", filters };
export const colorRules = [
  { operator: "gt", value: 5, color: "chart-red", label: "many" },
  { operator: "between", value: [1, 2], color: "chart-green" },
  { operator: "eq", value: "none", color: "chart-gray" },
];

const byType = {
  line: { displayType: "line", ...source, ...line, select: [count, slowest], groupBy: "a, b", asRatio: true },
  stacked_bar: {
    displayType: "stacked_bar",
    ...source,
    ...time,
    select: [count, slowest],
    groupBy: "a",
    formulas,
    showOperandSeries: false,
  },
  table: {
    displayType: "table",
    ...source,
    select: [count, gauge],
    groupBy: "a",
    having: "count() > 1",
    orderBy: "count() DESC",
    asRatio: false,
    numberFormat,
    groupByColumnsOnLeft: true,
    onClick,
  },
  "table that opens a dashboard": {
    displayType: "table",
    ...source,
    select: [count],
    onClick: { type: "dashboard", target: { mode: "id", id: home.id }, whereTemplate: "a" },
  },
  number: {
    displayType: "number",
    ...source,
    select: [count],
    numberFormat,
    color: "chart-blue",
    colorRules,
    backgroundChart: { type: "area", color: "chart-light-blue" },
  },
  pie: { displayType: "pie", ...source, select: [count], groupBy: "a", orderBy: "a", numberFormat, limit: 5 },
  bar: {
    displayType: "bar",
    ...source,
    select: [slowest],
    groupBy: "a",
    orderBy: "a",
    numberFormat,
    limit: 0,
  },
  heatmap: {
    displayType: "heatmap",
    sourceId: "65f1c0a2b3d4e5f607182912",
    where: "",
    whereLanguage: "sql",
    numberFormat,
    select: [{ valueExpression: "Duration", countExpression: "count()", heatmapScaleType: "log" }],
  },
  "heatmap of series": {
    displayType: "heatmap",
    heatmapMode: "series",
    ...source,
    select: [{ aggFn: "max", metricName: "cpu", metricType: "gauge" }],
    groupBy: "a",
    numberFormat,
  },
  search: {
    displayType: "search",
    ...source,
    select: "Timestamp, Body",
    where: "a",
    whereLanguage: "lucene",
  },
  event_patterns: {
    displayType: "event_patterns",
    ...source,
    select: "",
    where: "a",
    whereLanguage: "lucene",
  },
  markdown: { displayType: "markdown", markdown: "# Title" },
  "line in SQL": { ...sql, displayType: "line", ...line },
  "stacked_bar in SQL": { ...sql, displayType: "stacked_bar", ...time },
  "table in SQL": {
    ...sql,
    displayType: "table",
    numberFormat,
    onClick: { type: "external", urlTemplate: "https://a.example/{{a}}" },
  },
  "number in SQL": { ...sql, displayType: "number", numberFormat, color: "chart-error" },
  "pie in SQL": { ...sql, displayType: "pie", numberFormat },
  "bar in SQL": { ...sql, displayType: "bar", numberFormat },
};

const steps = { lineInterpolation: "step" };
const { seriesLimit, ...intervals } = time;
const stackedLine = { displayType: "stacked_line", ...intervals, ...steps };

/** Kinds and properties of tile configs that only the document of ClickHouse Cloud has. */
export const cloudConfigs: { readonly [kind: string]: JsonObject } = {
  line: { ...byType.line, lineInterpolation: "smooth" },
  stacked_line: {
    ...stackedLine,
    ...source,
    seriesLimit,
    select: [count, slowest],
    groupBy: "a",
    asRatio: true,
  },
  "stacked_line of formulas": {
    ...{ ...stackedLine, ...source, select: [count, slowest], formulas, showOperandSeries: true },
  },
  "line in SQL": { ...byType["line in SQL"], ...steps },
  "stacked_line in SQL": { ...sql, ...stackedLine },
  "number in SQL": { ...byType["number in SQL"], colorRules },
} as never;

export const configs = byType as unknown as { readonly [kind in keyof typeof byType]: JsonObject };
