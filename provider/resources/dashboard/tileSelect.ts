import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { numberFormat } from "./numberFormat";

/** The functions that aggregate the values of a series. */
export const aggregateFunctions = [
  "avg",
  "count",
  "count_distinct",
  "last_value",
  "max",
  "min",
  "quantile",
  "sum",
  "any",
  "none",
  "increase",
] as const;

/** The kinds of metric. */
export const metricTypes = ["sum", "gauge", "histogram", "summary", "exponential histogram"] as const;

const text = { longest: 10_000 };

const chartSelect = Type.Object({
  /** How the values are aggregated. `increase` is for metrics whose `metricType` is `sum`. */
  aggFn: oneOf(aggregateFunctions),
  /**
   * Column or expression whose values are aggregated. Required, except by `count`, which takes none, and where `metricName`
   * and `metricType` say which metric it is (servers before version 2.38 need it there, too).
   */
  valueExpression: Type.Optional(Type.String(text)),
  /** Name of the series. */
  alias: Type.Optional(Type.String(text)),
  /** The quantile, if `aggFn` is `quantile`: 0.5, 0.9, 0.95 or 0.99. */
  level: Type.Optional(
    Type.Unsafe<0.5 | 0.9 | 0.95 | 0.99>({ type: "number", enum: [0.5, 0.9, 0.95, 0.99] }),
  ),
  /** Filter that selects records. Default: all records. */
  where: Type.Optional(Type.String(text)),
  /** Language of `where`. Default: lucene. */
  whereLanguage: Type.Optional(oneOf(["lucene", "sql"])),
  /** Name of the metric, where the source is one of metrics. */
  metricName: Type.Optional(Type.String()),
  /** Kind of the metric. No chart can show a `summary`. */
  metricType: Type.Optional(oneOf(metricTypes)),
  /** Shows by how much the value changed within each period, for metrics of the type `gauge`. */
  periodAggFn: Type.Optional(oneOf(["delta"])),
  /** How the values are shown. Default: as the tile says. */
  numberFormat: Type.Optional(numberFormat),
});

/** One series of a tile: an aggregation of selected records. */
export interface TileSelect extends Static<typeof chartSelect> {}

export const tileSelect = Type.Unsafe<TileSelect>(chartSelect);

const distribution = Type.Object({
  /** Column or expression whose values are distributed. */
  valueExpression: Type.String({ minLength: 1, longest: 10_000 }),
  /** Expression that counts the records of a cell. Default: `count()`. */
  countExpression: Type.Optional(Type.String(text)),
  /** Scale of the values. Default: log. */
  heatmapScaleType: Type.Optional(oneOf(["log", "linear"])),
});

/** The content of a heatmap. */
export interface HeatmapSelect extends Static<typeof distribution> {}

export const heatmapSelect = Type.Unsafe<HeatmapSelect>(distribution);

/** The entries of `select` in any kind of tile, for checks before the kind is known. */
export const selectEntries = {
  ...text,
  most: 20,
  items: {
    identity: ["aggFn", "valueExpression", "metricName"],
    properties: { ...distribution.properties, ...chartSelect.properties },
  },
};
