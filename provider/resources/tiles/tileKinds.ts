import { enums } from "../../api/enums.golden";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
import { numberFormat } from "./numberFormat";
import { backgroundChart, colorRule, tileColor } from "./tileColors";
import { tileOnClick } from "./tileOnClick";
import { heatmapSelect, tileSelect } from "./tileSelect";

const text = { longest: 10_000 };

const source = {
  /** Id of the data source that the tile shows; `getSources` lists the ids. */
  sourceId: Type.String({ minLength: 1, of: "Source" }),
};
const series = {
  /** The series that the tile shows, 1 to 20. */
  select: Type.Array(tileSelect, { minItems: 1 }),
};
const oneSeries = {
  /** The series that the tile shows: a list of one entry. */
  select: Type.Array(tileSelect, { minItems: 1, maxItems: 1, rule: "a list of one entry" }),
};
const groups = {
  /** Columns or expressions by which the tile groups the values, separated by commas. */
  groupBy: Type.Optional(Type.String(text)),
};
const order = {
  /** Order of the tile's rows, in SQL, such as `count() DESC`. */
  orderBy: Type.Optional(Type.String(text)),
};
const format = {
  /** The format in which the tile shows values. */
  numberFormat: Type.Optional(numberFormat),
};
const ratio = {
  /** Shows the first series in `select` divided by the second. Default: false. */
  asRatio: Type.Optional(Type.Boolean()),
};

const formula = Type.Object({
  /** Arithmetic over the series in `select`, the first of which is `A`: `A / (A + B) * 100`. */
  expression: Type.String({ longest: 1024 }),
  /** Name of the formula's result. Default: the expression. */
  alias: Type.Optional(Type.String()),
  /** The format in which the result of the formula is shown. */
  numberFormat: Type.Optional(numberFormat),
});
const formulas = {
  /** Series that are computed from those in `select`; at most 10, and in a number tile only one. */
  formulas: Type.Optional(Type.Array(formula, { most: 10 })),
};
const operands = {
  ...formulas,
  /** Shows also the series that the tile's formulas use. Default: true. */
  showOperandSeries: Type.Optional(Type.Boolean()),
};

const intervals = {
  /** Rounds the time range of the tile to full intervals. Default: true. */
  alignDateRangeToGranularity: Type.Optional(Type.Boolean()),
  /** Shows intervals without data as zero in the tile. Default: true. */
  fillNulls: Type.Optional(Type.Boolean()),
};
const timeChart = {
  ...intervals,
  /** Number of groups with the highest values that the tile shows; 0 shows all groups. */
  seriesLimit: Type.Optional(Type.Integer({ minimum: 0 })),
  ...format,
};
const lines = {
  /** How lines join their points: straight, as curves, or in steps. Default: chosen by the service. */
  lineInterpolation: Type.Optional(oneOf(enums.lineInterpolation)),
};
const lineChart = {
  ...timeChart,
  ...lines,
  /** Fits the vertical axis of the chart to its values instead of beginning at zero. Default: false. */
  fitYAxisToData: Type.Optional(Type.Boolean()),
  /** Shows the values of the previous time range as well. Default: false. */
  compareToPreviousPeriod: Type.Optional(Type.Boolean()),
};
const click = {
  /** What a click on a row of the table opens. */
  onClick: Type.Optional(tileOnClick),
};
const color = {
  /** Color of the number that the tile shows. */
  color: Type.Optional(tileColor),
  /** Rules that color the number by its value, at most 10. If several rules match, the last one applies. */
  colorRules: Type.Optional(Type.Array(colorRule, { most: 10 })),
};
const shares = {
  ...source,
  ...oneSeries,
  ...groups,
  ...order,
  ...format,
  /** Number of groups that the tile shows; 0 shows all groups. */
  limit: Type.Optional(Type.Integer({ minimum: 0 })),
};
const filter = {
  /** Filter expression that selects the records which the tile shows. Default: all records. */
  where: Type.Optional(Type.String(text)),
  /** Language of the tile's filter expression `where`. Default: lucene. */
  whereLanguage: Type.Optional(oneOf(enums.whereLanguage)),
};

/** The kinds of dashboard tile for which the server builds the query. */
export const builtKinds = {
  line: Type.Object({
    /** The tile draws lines over time. */
    displayType: Type.Literal("line"),
    ...{ ...source, ...series, ...groups, ...lineChart, ...ratio, ...operands },
  }),
  stackedBar: Type.Object({
    /** The tile draws stacked bars over time. */
    displayType: Type.Literal("stacked_bar"),
    ...{ ...source, ...series, ...groups, ...timeChart, ...ratio, ...operands },
  }),
  stackedLine: Type.Object({
    /** The tile draws stacked areas over time. */
    displayType: Type.Literal("stacked_line"),
    ...{ ...source, ...series, ...groups, ...timeChart, ...lines, ...ratio, ...operands },
  }),
  table: Type.Object({
    /** A table. */
    displayType: Type.Literal("table"),
    ...{ ...source, ...series, ...groups },
    /** Condition, in SQL, that selects the groups which the table shows. */
    having: Type.Optional(Type.String(text)),
    ...{ ...order, ...format, ...ratio, ...operands, ...click },
    /** Whether the table has the columns of the groups before those of the values. Default: false. */
    groupByColumnsOnLeft: Type.Optional(Type.Boolean()),
  }),
  number: Type.Object({
    /** A number. */
    displayType: Type.Literal("number"),
    ...source,
    /** The series that the number tile shows: one entry, or more if `formulas` use them. */
    select: Type.Array(tileSelect, { minItems: 1 }),
    ...{ ...format, ...formulas, ...color },
    /** The trend that the tile shows behind its number. */
    backgroundChart: Type.Optional(backgroundChart),
  }),
  pie: Type.Object({
    /** A pie. */
    displayType: Type.Literal("pie"),
    ...shares,
  }),
  bar: Type.Object({
    /** The tile draws a bar for each group. */
    displayType: Type.Literal("bar"),
    ...shares,
  }),
  heatmap: Type.Object({
    /** A heatmap. */
    displayType: Type.Literal("heatmap"),
    /** The heatmap shows the distribution of a value, which is the default. */
    heatmapMode: Type.Optional(oneOf(enums.heatmapMode, { since: "2.41" })),
    ...source,
    /** The value whose distribution the heatmap shows: a list of one entry. */
    select: Type.Array(heatmapSelect, { minItems: 1, maxItems: 1, rule: "a list of one entry" }),
    ...{ ...filter, ...format },
  }),
  heatmapOfSeries: Type.Object({
    /** A heatmap. */
    displayType: Type.Literal("heatmap"),
    /** The heatmap shows a row for each group, colored by the group's value. */
    heatmapMode: Type.Literal("series", { since: "2.41" }),
    ...{ ...source, ...oneSeries, ...groups, ...format },
  }),
  search: Type.Object({
    /** The tile lists records. */
    displayType: Type.Literal("search"),
    ...source,
    /** The columns of the records that the tile lists, separated by commas. */
    select: Type.String(text),
    ...filter,
  }),
  eventPatterns: Type.Object({
    /** The tile shows patterns of records. */
    displayType: Type.Literal("event_patterns"),
    ...source,
    /**
     * Columns or expressions of the records whose patterns the tile shows, separated by commas. Default: the columns of the
     * data source.
     */
    select: Type.Optional(Type.String(text)),
    ...filter,
  }),
  markdown: Type.Object({
    /** The tile shows text in Markdown. */
    displayType: Type.Literal("markdown"),
    /** The text in Markdown that the tile shows. */
    markdown: Type.Optional(Type.String({ longest: 50_000 })),
  }),
};

const sql = {
  /** The tile's query is in SQL, instead of one that the server builds. */
  configType: Type.Literal("sql"),
  /** Id of the connection to the database that the tile queries. */
  connectionId: Type.String({ minLength: 1, of: "Connection" }),
  /** The tile's SQL query, with parameters such as the time range. */
  sqlTemplate: Type.String({ longest: 100_000 }),
  /** Id of a data source that uses the connection of `connectionId`. */
  sourceId: Type.Optional(Type.String({ minLength: 1, of: "Source" })),
};

export const sqlKinds = {
  line: Type.Object({
    /** The tile draws the result of its SQL query as lines over time. */
    displayType: Type.Literal("line"),
    ...sql,
    ...lineChart,
  }),
  stackedBar: Type.Object({
    /** The tile draws the result of its SQL query as stacked bars over time. */
    displayType: Type.Literal("stacked_bar"),
    ...sql,
    ...timeChart,
  }),
  stackedLine: Type.Object({
    /** The tile draws the result of its SQL query as stacked areas over time. */
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
    /** The tile draws a bar for each row that its SQL query returns. */
    displayType: Type.Literal("bar"),
    ...sql,
    ...format,
  }),
};
