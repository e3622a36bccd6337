import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { numberFormat } from "./numberFormat";
import { backgroundChart, colorRule, tileColor } from "./tileColors";
import { tileOnClick } from "./tileOnClick";
import { heatmapSelect, tileSelect } from "./tileSelect";

const text = { longest: 10_000 };

const source = {
  /** Id of the source of the data; `getSources` lists them. */
  sourceId: Type.String({ minLength: 1 }),
};
const series = {
  /** The series, 1 to 20. */
  select: Type.Array(tileSelect, { minItems: 1 }),
};
const oneSeries = {
  /** The series that is shown: a list of one entry. */
  select: Type.Array(tileSelect, { minItems: 1, maxItems: 1, rule: "a list of one entry" }),
};
const groups = {
  /** Columns or expressions by which the values are grouped, separated by commas. */
  groupBy: Type.Optional(Type.String(text)),
};
const order = {
  /** Order of the rows, in SQL, such as `count() DESC`. */
  orderBy: Type.Optional(Type.String(text)),
};
const format = {
  /** How values are shown. */
  numberFormat: Type.Optional(numberFormat),
};
const ratio = {
  /** Shows the first entry of `select` divided by the second. Default: false. */
  asRatio: Type.Optional(Type.Boolean()),
};

const formula = Type.Object({
  /** Arithmetic over the entries of `select`, of which `A` is the first: `A / (A + B) * 100`. */
  expression: Type.String({ longest: 1024 }),
  /** Name of the result. Default: the expression. */
  alias: Type.Optional(Type.String()),
  /** How the result is shown. */
  numberFormat: Type.Optional(numberFormat),
});
const formulas = {
  /** Series that are computed from those in `select`; at most 10, and one in a number. */
  formulas: Type.Optional(Type.Array(formula, { most: 10 })),
};
const operands = {
  ...formulas,
  /** Shows the series that formulas use, too. Default: true. */
  showOperandSeries: Type.Optional(Type.Boolean()),
};

const intervals = {
  /** Rounds the time range to full intervals. Default: true. */
  alignDateRangeToGranularity: Type.Optional(Type.Boolean()),
  /** Shows intervals without data as zero. Default: true. */
  fillNulls: Type.Optional(Type.Boolean()),
};
const timeChart = {
  ...intervals,
  /** Shows the groups with the highest values only; 0 shows all. */
  seriesLimit: Type.Optional(Type.Integer({ minimum: 0 })),
  ...format,
};
const lines = {
  /** How lines join their points: straight, as curves, or in steps. Default: that of the service. */
  lineInterpolation: Type.Optional(oneOf(["linear", "smooth", "step"])),
};
const lineChart = {
  ...timeChart,
  ...lines,
  /** Fits the vertical axis to the values in place of beginning at zero. Default: false. */
  fitYAxisToData: Type.Optional(Type.Boolean()),
  /** Shows the values of the previous period as well. Default: false. */
  compareToPreviousPeriod: Type.Optional(Type.Boolean()),
};
const click = {
  /** The target of a click on a row. */
  onClick: Type.Optional(tileOnClick),
};
const color = {
  /** Color of the number. */
  color: Type.Optional(tileColor),
  /** Colors of the number by its value, at most 10; the last that matches counts. */
  colorRules: Type.Optional(Type.Array(colorRule, { most: 10 })),
};
const shares = {
  ...source,
  ...oneSeries,
  ...groups,
  ...order,
  ...format,
  /** Number of groups that are shown; 0 shows all. */
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
};
const filter = {
  /** Filter that selects records. Default: all records. */
  where: Type.Optional(Type.String(text)),
  /** Language of `where`. Default: lucene. */
  whereLanguage: Type.Optional(oneOf(["lucene", "sql"])),
};

/** The kinds of tile whose query the server builds. */
export const builtKinds = {
  line: Type.Object({
    /** Lines over time. */
    displayType: Type.Literal("line"),
    ...{ ...source, ...series, ...groups, ...lineChart, ...ratio, ...operands },
  }),
  stackedBar: Type.Object({
    /** Stacked bars over time. */
    displayType: Type.Literal("stacked_bar"),
    ...{ ...source, ...series, ...groups, ...timeChart, ...ratio, ...operands },
  }),
  stackedLine: Type.Object({
    /** Stacked areas over time. */
    displayType: Type.Literal("stacked_line"),
    ...{ ...source, ...series, ...groups, ...timeChart, ...lines, ...ratio, ...operands },
  }),
  table: Type.Object({
    /** A table. */
    displayType: Type.Literal("table"),
    ...{ ...source, ...series, ...groups },
    /** Condition on groups, in SQL. */
    having: Type.Optional(Type.String(text)),
    ...{ ...order, ...format, ...ratio, ...operands, ...click },
    /** Shows the columns of the groups before those of the values. Default: false. */
    groupByColumnsOnLeft: Type.Optional(Type.Boolean()),
  }),
  number: Type.Object({
    /** A number. */
    displayType: Type.Literal("number"),
    ...source,
    /** The series that is shown: one entry, or more if `formulas` use them. */
    select: Type.Array(tileSelect, { minItems: 1 }),
    ...{ ...format, ...formulas, ...color },
    /** Trend behind the number. */
    backgroundChart: Type.Optional(backgroundChart),
  }),
  pie: Type.Object({
    /** A pie. */
    displayType: Type.Literal("pie"),
    ...shares,
  }),
  bar: Type.Object({
    /** A bar for each group. */
    displayType: Type.Literal("bar"),
    ...shares,
  }),
  heatmap: Type.Object({
    /** A heatmap. */
    displayType: Type.Literal("heatmap"),
    /** Shows the distribution of a value, which is the default. */
    heatmapMode: Type.Optional(oneOf(["distribution"], { since: "2.41" })),
    ...source,
    /** The series that is shown: a list of one entry. */
    select: Type.Array(heatmapSelect, { minItems: 1, maxItems: 1, rule: "a list of one entry" }),
    ...{ ...filter, ...format },
  }),
  heatmapOfSeries: Type.Object({
    /** A heatmap. */
    displayType: Type.Literal("heatmap"),
    /** Shows a row for each group, colored by the group's value. */
    heatmapMode: Type.Literal("series", { since: "2.41" }),
    ...{ ...source, ...oneSeries, ...groups, ...format },
  }),
  search: Type.Object({
    /** A list of records. */
    displayType: Type.Literal("search"),
    ...source,
    /** The columns that are shown, separated by commas. */
    select: Type.String(text),
    ...filter,
  }),
  eventPatterns: Type.Object({
    /** Patterns of records. */
    displayType: Type.Literal("event_patterns"),
    ...source,
    /** Columns or expressions, separated by commas. Default: those of the source. */
    select: Type.Optional(Type.String(text)),
    ...filter,
  }),
  markdown: Type.Object({
    /** Text in Markdown. */
    displayType: Type.Literal("markdown"),
    /** Text of the tile. */
    markdown: Type.Optional(Type.String({ longest: 50_000 })),
  }),
};

const sql = {
  /** The query is in SQL. */
  configType: Type.Literal("sql"),
  /** Id of the connection to the database. */
  connectionId: Type.String({ minLength: 1 }),
  /** The query, with parameters such as the range of time. */
  sqlTemplate: Type.String({ longest: 100_000 }),
  /** Id of a source that uses the connection of `connectionId`. */
  sourceId: Type.Optional(Type.String({ minLength: 1 })),
};

/** The kinds of tile that show the result of a query in SQL. */
export const sqlKinds = {
  line: Type.Object({
    /** Lines over time. */
    displayType: Type.Literal("line"),
    ...sql,
    ...lineChart,
  }),
  stackedBar: Type.Object({
    /** Stacked bars over time. */
    displayType: Type.Literal("stacked_bar"),
    ...sql,
    ...timeChart,
  }),
  stackedLine: Type.Object({
    /** Stacked areas over time. */
    displayType: Type.Literal("stacked_line"),
    ...{ ...sql, ...intervals, ...format, ...lines },
  }),
  table: Type.Object({
    /** A table. */
    displayType: Type.Literal("table"),
    ...sql,
    ...format,
    ...click,
  }),
  number: Type.Object({
    /** A number. */
    displayType: Type.Literal("number"),
    ...sql,
    ...format,
    ...color,
  }),
  pie: Type.Object({
    /** A pie. */
    displayType: Type.Literal("pie"),
    ...sql,
    ...format,
  }),
  bar: Type.Object({
    /** A bar for each group. */
    displayType: Type.Literal("bar"),
    ...sql,
    ...format,
  }),
};
