import { isDeepStrictEqual } from "node:util";
import { enums } from "../api/enums.golden";
import { MalformedResponse } from "../api/errors";
import type { Session } from "../lifecycle/session";
import { momentIn, type PropertyMap } from "../values/data";
import { oneOf, openSetOf } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import type { Failure } from "../values/validate";
import type { FunctionDefinition, ResultOf } from "./definition";

/** Times of the chart's range before 2001 are refused: they are probably in seconds, which the service would reject. */
const earliestMilliseconds = 1e12;

const moment = {
  minimum: earliestMilliseconds,
  rule: "a whole number of milliseconds since 1970 (not seconds)",
};

const seriesArguments = Type.Object(
  {
    /** One to five series of the chart. */
    series: Type.Array(
      Type.Object(
        {
          /** Id of the data source; `getSources` lists the ids. */
          sourceId: Type.String({ minLength: 1 }),
          /** How values of the series are aggregated, such as `count`, `sum`, `avg` or `max`. */
          aggFn: openSetOf(["count", "count_distinct", "sum", "avg", "min", "max", "quantile", "last_value"]),
          /** Filter expression that selects records for the series; "" for all. */
          where: Type.String(),
          /** On newer servers: language of the filter `where`. Default: `lucene`. */
          whereLanguage: Type.Optional(openSetOf(enums.whereLanguage)),
          /** Fields that group the values, the same in all series of the chart; may be empty. Newer servers take at most 10. */
          groupBy: Type.Array(Type.String({ minLength: 1 })),
          /**
           * On newer servers: column or expression whose values are aggregated. Not needed for `count`. HyperDX takes one with a
           * dot, such as `Duration / 1000000.0`, for a text, and answers 0: write `Duration / 1000000`.
           */
          field: Type.Optional(Type.String()),
          /** On newer servers: the quantile, 0 to 1, if `aggFn` is `quantile`; 0.95 is the 95th percentile. */
          level: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
          /** On newer servers: name of the metric, for a source of metrics. Default: `field`. */
          metricName: Type.Optional(Type.String({ minLength: 1 })),
          /** On newer servers: kind of the metric that `metricName` names. A source of metrics needs it. */
          metricDataType: Type.Optional(openSetOf(enums.metricType)),
          /**
           * On newer servers: the wanted order of the points. It is accepted without effect: the points come in the server's
           * order.
           */
          sortOrder: Type.Optional(oneOf(enums.sortOrder)),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 5 },
    ),
    /** Start of the chart's time range, in milliseconds since 1970. */
    startTime: Type.Integer(moment),
    /** End of the chart's time range, in milliseconds since 1970; after `startTime`. */
    endTime: Type.Integer(moment),
    /** Width of the chart's buckets of time. Default: chosen by the service. */
    granularity: Type.Optional(oneOf(enums.granularity)),
    /**
     * Form of the service's answer, `ratio` or `column`. The function reads both forms and returns points. Newer servers divide
     * nothing for `ratio`: for the ratio of two series, divide their values.
     */
    seriesReturnType: Type.Optional(oneOf(enums.seriesReturnType)),
  },
  { additionalProperties: false },
);

const chartPointSchema = Type.Object({
  /** Start of the time bucket in milliseconds since 1970; `startTime` if the service answers one value for the whole range. */
  tsBucket: Type.Number(),
  /**
   * Value of each series in the bucket, in the order of the series; null for a series without a value. Whole numbers beyond
   * 2^53 are rounded.
   */
  values: Type.Array(Type.Union([Type.Number(), Type.Null()])),
  /** Values of the `groupBy` fields, if the series are grouped. */
  group: Type.Optional(Type.Array(Type.String())),
});

/**
 * The values of a chart in one bucket of time.
 * @see "Chart series request and data point" in the API document
 */
export interface ChartPoint extends ResultOf<typeof chartPointSchema> {}

/**
 * Aggregated values over time for one to five series. Buckets without data are omitted. Needs the observability API: the settings
 * `obsBaseUrl` and `accessToken`.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * const points = pipestack.getChartSeries({
 *   series: [{ sourceId: "66f0c2d8a1b2c3d4e5f60718", aggFn: "count", where: "SeverityText:error", groupBy: [] }],
 *   startTime: Date.now() - 3_600_000,
 *   endTime: Date.now(),
 *   granularity: "5m",
 * });
 * export const errors = points.then((all) => all.reduce((sum, { values }) => sum + (values[0] ?? 0), 0));
 * ```
 * @example
 * ```typescript
 * export const points = pipestack.getChartSeriesOutput({
 *   series: [{ sourceId: pipestack.getSourceOutput({ kind: "log" }).id, aggFn: "count", where: "", groupBy: [] }],
 *   startTime: 1767225600000,
 *   endTime: 1767312000000,
 * });
 * ```
 * @see "Chart series body" in the API document
 */
export const getChartSeries: FunctionDefinition<typeof seriesArguments, TArray<typeof chartPointSchema>> = {
  name: "getChartSeries",
  arguments: seriesArguments,
  result: Type.Array(chartPointSchema),
  failures: ({ series, startTime, endTime }) => [
    ...groupFailures(series),
    ...(startTime < endTime ? [] : [{ path: "startTime", message: "must be before endTime" }]),
  ],
  run: chartPoints,
};

/** The failure for series of a chart with different `groupBy`, which the service refuses. */
function groupFailures([first, ...furtherSeries]: GetChartSeriesArgs["series"]): Failure[] {
  return furtherSeries.flatMap(({ groupBy }, index) =>
    isDeepStrictEqual(groupBy, first?.groupBy)
      ? []
      : [{ path: `series[${index + 1}].groupBy`, message: "must be equal to that of series[0]" }],
  );
}

/** The points of one chart query, in one form for all servers. */
export async function chartPoints(args: GetChartSeriesArgs, session: Session): Promise<ChartPoint[]> {
  const rows = await session.call("getChartSeries", {}, args);
  return merged(rows.map((row) => pointOf(row, args, session)));
}

/**
 * Merges the points of the same bucket of time and group, since some servers answer each series of the chart in rows of its
 * own.
 */
function merged(points: readonly ChartPoint[]): ChartPoint[] {
  const merging = new Map<string, ChartPoint>();
  for (const point of points) {
    const key = JSON.stringify([point.tsBucket, point.group]);
    const { values } = merging.get(key) ?? point;
    merging.set(key, {
      ...point,
      values: point.values.map((value, index) => value ?? values[index] ?? null),
    });
  }
  return [...merging.values()];
}

/** Reads a point of a chart: servers use two names each for bucket, values and group, and send 64-bit integers as text. */
function pointOf(row: PropertyMap, { series, startTime }: GetChartSeriesArgs, session: Session): ChartPoint {
  const hasValue = series.some((_, index) => `series_${index}.data` in row || `series_${index}` in row);
  const isWhole = hasValue && !("ts_bucket" in row) && !("__hdx_time_bucket" in row);
  const bucket = isWhole ? startTime : (row.ts_bucket ?? row.__hdx_time_bucket);
  const tsBucket = numberOf(bucket) ?? momentIn(typeof bucket === "string" ? bucket : "");
  if (Number.isNaN(tsBucket)) {
    throw new MalformedResponse(session.siteOf("getChartSeries"), "a data point has no ts_bucket");
  }
  const values = series.map((_, index) => numberOf(row[`series_${index}.data`] ?? row[`series_${index}`]));
  const fields = [...new Set(series.flatMap(({ groupBy }) => groupBy))];
  // The database names the column of an expression in its own way.
  const columns = fields.every((field) => Object.hasOwn(row, field))
    ? fields
    : Object.keys(row).filter(isOfGroup);
  const group = Array.isArray(row.group) ? row.group : columns.map((column) => row[column]);
  return { tsBucket, values, ...(group.length > 0 ? { group: group.map(cellText) } : {}) };
}

/** Whether a column of a row holds a value of a `groupBy` field: all others are those of the series and of the bucket. */
function isOfGroup(column: string): boolean {
  return !/^(series_\d+(\.data)?|ts_bucket|__hdx_time_bucket|group)$/.test(column);
}

function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && isNumeric(value) ? Number(value) : null;
}

/** The text of the value of a `groupBy` field, which may be an object. */
function cellText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Arguments of {@link getChartSeries}. */
export interface GetChartSeriesArgs extends Static<typeof seriesArguments> {}
