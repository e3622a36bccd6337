import { enums } from "../../api/enums.golden";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { numberFormat } from "./numberFormat";

export const aggregateFunctions = [
  ...enums.aggregateFunction,
  // The servers have it, too; their documents leave it out.
  "increase",
] as const;

export const metricTypes = enums.metricType;

const text = { longest: 10_000 };

const chartSelect = Type.Object({
  /** Function that aggregates the values of the series. `increase` is for metrics whose `metricType` is `sum`. */
  aggFn: oneOf(aggregateFunctions),
  /**
   * Column or expression whose values the series aggregates. Required, except for `count`, and except for a metric that
   * `metricName` and `metricType` name (servers before version 2.38 require it for metrics, too).
   */
  valueExpression: Type.Optional(Type.String(text)),
  /** Name of the series in the tile. */
  alias: Type.Optional(Type.String(text)),
  /** The quantile that the series shows, if `aggFn` is `quantile`: 0.5, 0.9, 0.95 or 0.99. */
  level: Type.Optional(
    Type.Unsafe<0.5 | 0.9 | 0.95 | 0.99>({ type: "number", enum: [0.5, 0.9, 0.95, 0.99] }),
  ),
  /** Filter expression that selects the records of the series. Default: all records. */
  where: Type.Optional(Type.String(text)),
  /** Language of the series' filter expression `where`. Default: lucene. */
  whereLanguage: Type.Optional(oneOf(enums.whereLanguage)),
  /** Name of the metric that the series shows, if the data source holds metrics. */
  metricName: Type.Optional(Type.String()),
  /** Kind of the metric that the series shows. No chart can show a `summary`. */
  metricType: Type.Optional(oneOf(metricTypes)),
  /**
   * Shows how much the value of the metric changed within each period, instead of the value itself. For metrics of the type
   * `gauge`.
   */
  periodAggFn: Type.Optional(oneOf(enums.periodAggregateFunction)),
  /** The format in which the values of the series are shown. Default: the format of the tile. */
  numberFormat: Type.Optional(numberFormat),
});

/** One series of a tile: an aggregation of selected records. */
export interface TileSelect extends Static<typeof chartSelect> {}

export const tileSelect = Type.Unsafe<TileSelect>(chartSelect);

const distribution = Type.Object({
  /** Column or expression whose distribution the heatmap shows. */
  valueExpression: Type.String({ minLength: 1, longest: 10_000 }),
  /** Expression that counts the records of a heatmap cell. Default: `count()`. */
  countExpression: Type.Optional(Type.String(text)),
  /** Scale of the heatmap's values. Default: log. */
  heatmapScaleType: Type.Optional(oneOf(enums.heatmapScale)),
});

/** The value whose distribution a heatmap tile shows. */
export interface HeatmapSelect extends Static<typeof distribution> {}

export const heatmapSelect = Type.Unsafe<HeatmapSelect>(distribution);

/** The entries of `select` in a tile of any kind, for checks before the kind is known. */
export const selectEntries = {
  ...text,
  most: 20,
  items: {
    identity: ["aggFn", "valueExpression", "metricName"],
    properties: { ...distribution.properties, ...chartSelect.properties },
  },
};
