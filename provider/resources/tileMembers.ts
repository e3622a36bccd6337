import { type Static, Type } from "../values/schemaBuilders";
import { numberFormat } from "./numberFormat";
import { backgroundChart, colorRule, tileColor } from "./tileColors";
import { tileOnClick } from "./tileOnClick";

const text = { longest: 10_000 };
const onlyObservability = { via: "observability" } as const;

const formula = Type.Object({
  /** Arithmetic over the entries of `select`, of which `A` is the first: `A / (A + B) * 100`. */
  expression: Type.String({ longest: 1024 }),
  /** What the result is called. Default: the expression. */
  alias: Type.Optional(Type.String()),
  /** How the result is shown. */
  numberFormat: Type.Optional(numberFormat),
});

/** What a tile may have; which members it has follows from its kind. */
export const tileMembers = {
  /** Id of the source of the data; `getSources` lists them. */
  sourceId: Type.String({ minLength: 1 }),
  /** Columns or expressions by which the values are grouped, separated by commas. */
  groupBy: Type.String(text),
  /** Condition on groups, in SQL. */
  having: Type.String(text),
  /** Order of the rows, in SQL, such as `count() DESC`. */
  orderBy: Type.String(text),
  /** Shows the first entry of `select` divided by the second. Default: false. */
  asRatio: Type.Boolean(),
  /** Begins and ends the range of time at full intervals. Default: true. */
  alignDateRangeToGranularity: Type.Boolean(),
  /** Shows intervals without data as zero. Default: true. */
  fillNulls: Type.Boolean(),
  /** Fits the vertical axis to the values in place of beginning at zero. Default: false. */
  fitYAxisToData: Type.Boolean(),
  /** Shows the period before as well. Default: false. */
  compareToPreviousPeriod: Type.Boolean(),
  /** How values are shown. */
  numberFormat,
  /** Shows the groups with the highest values only; 0 shows all. Observability API only. */
  seriesLimit: Type.Integer({ minimum: 0, ...onlyObservability }),
  /** Series that are computed from those in `select`; at most 10, and one in a number. Observability API only. */
  formulas: Type.Array(formula, { most: 10, ...onlyObservability }),
  /** Shows the series that formulas use, too. Default: true. Observability API only. */
  showOperandSeries: Type.Boolean(onlyObservability),
  /** Shows the columns of the groups before those of the values. Default: false. */
  groupByColumnsOnLeft: Type.Boolean(),
  /** What a click on a row opens. */
  onClick: tileOnClick,
  /** Color of the number. */
  color: tileColor,
  /** Colors of the number by its value, at most 10; the last that matches counts. */
  colorRules: Type.Array(colorRule, { most: 10 }),
  /** Trend behind the number. */
  backgroundChart,
  /** Shows so many groups; 0 shows all. */
  limit: Type.Integer({ minimum: 0 }),
  /** Filter that selects records. Default: all records. */
  where: Type.String(text),
  /** Language of `where`. Default: lucene. */
  whereLanguage: Type.Unsafe<"lucene" | "sql">({ type: "string", enum: ["lucene", "sql"] }),
  /** Text of the tile. */
  markdown: Type.String({ longest: 50_000 }),
  /** Id of the connection to the database. */
  connectionId: Type.String({ minLength: 1 }),
  /** The query, with parameters such as the range of time. */
  sqlTemplate: Type.String({ longest: 100_000 }),
};

/** Their types. */
export type TileMembers = { readonly [Name in keyof typeof tileMembers]: Static<(typeof tileMembers)[Name]> };
