import type * as pulumi from "@pulumi/pulumi";
import { MalformedResponse } from "../api/errors";
import { call, callOutput, type DataFunction, type FunctionOptions } from "../hosts/dynamic/functionCall";
import type { InputsOf } from "../hosts/dynamic/types";
import type { Data } from "../lifecycle/data";
import { oneOf } from "../lifecycle/schema";
import type { Session } from "../lifecycle/session";
import { type Static, Type } from "../typebox";
import { granularities } from "./granularities";

/** Moments before 2001 in milliseconds: what they mean is a time in seconds, which the service refuses. */
const earliestMilliseconds = 1e12;

const moment = {
  minimum: earliestMilliseconds,
  rule: "a whole number of milliseconds since 1970 (not seconds)",
};

const seriesArguments = Type.Object(
  {
    /** One to five series, drawn from sources of data. */
    series: Type.Array(
      Type.Object(
        {
          /** Id of the source; `getSources` lists them. */
          sourceId: Type.String({ minLength: 1 }),
          /** How values are aggregated, such as `count`, `sum`, `avg` or `max`. */
          aggFn: Type.String({ minLength: 1 }),
          /** Which records count, as a filter expression; "" for all. */
          where: Type.String(),
          /** By which fields the values are grouped; may be empty. */
          groupBy: Type.Array(Type.String({ minLength: 1 })),
          /** On newer servers: column or expression whose values are aggregated. Not needed for `count`. */
          field: Type.Optional(Type.String()),
          /** On newer servers: which quantile, 0 to 1, where `aggFn` is `quantile`; 0.95 is the 95th percentile. */
          level: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 5 },
    ),
    /** Start of the time range, in milliseconds since 1970. */
    startTime: Type.Integer(moment),
    /** End of the time range, in milliseconds since 1970; after `startTime`. */
    endTime: Type.Integer(moment),
    /** Width of one bucket. Without it the service chooses. */
    granularity: Type.Optional(oneOf(granularities)),
    /** `ratio` divides the first series by the second, `column` gives each its own. */
    seriesReturnType: Type.Optional(oneOf(["ratio", "column"])),
  },
  { additionalProperties: false },
);

/** One bucket of time (API document: "Chart series request and data point"). */
export interface ChartPoint {
  /** Start of the bucket, in milliseconds since 1970. */
  readonly tsBucket: number;
  /** Value of each requested series, in their order; null where a series has none in the bucket. Whole numbers beyond 2^53 are rounded. */
  readonly values: readonly (number | null)[];
  /** Values of the `groupBy` fields, where the series are grouped. */
  readonly group?: readonly string[];
}

const chartSeries: DataFunction<typeof seriesArguments, ChartPoint[]> = {
  name: "getChartSeries",
  arguments: seriesArguments,
  problems: ({ startTime, endTime }) => (startTime < endTime ? [] : ["startTime must be before endTime"]),
  run: chartPoints,
};

/** The points of one query, whatever the server calls their members. */
export async function chartPoints(args: GetChartSeriesArgs, session: Session): Promise<ChartPoint[]> {
  const rows = await session.call("getChartSeries", {}, args);
  return merged(rows.map((row) => pointOf(row, args.series, session)));
}

/** One point for each bucket and group: some servers answer every series in rows of its own. */
function merged(points: readonly ChartPoint[]): ChartPoint[] {
  const found = new Map<string, ChartPoint>();
  for (const point of points) {
    const key = JSON.stringify([point.tsBucket, point.group]);
    const { values } = found.get(key) ?? point;
    found.set(key, { ...point, values: point.values.map((value, index) => value ?? values[index] ?? null) });
  }
  return [...found.values()];
}

/** Servers name the bucket, the values and the group in two ways, and send 64-bit integers as strings. */
function pointOf(row: Data, series: GetChartSeriesArgs["series"], session: Session): ChartPoint {
  const bucket = row.ts_bucket ?? row.__hdx_time_bucket;
  const tsBucket = numberOf(bucket) ?? Date.parse(typeof bucket === "string" ? bucket : "");
  if (Number.isNaN(tsBucket)) {
    throw new MalformedResponse(session.siteOf("getChartSeries"), "a data point has no ts_bucket");
  }
  const values = series.map((_, index) => numberOf(row[`series_${index}.data`] ?? row[`series_${index}`]));
  const fields = [...new Set(series.flatMap(({ groupBy }) => groupBy))].filter((field) => field in row);
  const group = Array.isArray(row.group) ? row.group : fields.map((field) => row[field]);
  return { tsBucket, values, ...(group.length > 0 ? { group: group.map(textOf) } : {}) };
}

function numberOf(value: unknown): number | null {
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  return typeof value === "string" && isNumeric(value) ? Number(value) : null;
}

/** The value of a field, which may itself have members. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isNumeric(text: string): boolean {
  return text.trim() !== "" && Number.isFinite(Number(text));
}

/** Arguments of {@link getChartSeries}. */
export interface GetChartSeriesArgs extends Static<typeof seriesArguments> {}
/** Arguments of {@link getChartSeriesOutput}. */
export interface GetChartSeriesOutputArgs extends InputsOf<typeof seriesArguments> {}

/**
 * Aggregated values over time of one to five series (API document: "Chart series body"). Buckets without data are left
 * out, as the service does. It takes the observability API: the settings `obsBaseUrl` and `accessToken`.
 *
 * @throws Error in one or two lines: for wrong arguments before any request, for a missing setting, and for what the
 *   service refused or did not answer
 *
 * @example
 * ```typescript
 * const points = await pipestack.getChartSeries({
 *   series: [{ sourceId: "66f0c2d8a1b2c3d4e5f60718", aggFn: "count", where: "SeverityText:error", groupBy: [] }],
 *   startTime: Date.now() - 3_600_000,
 *   endTime: Date.now(),
 *   granularity: "5m",
 * });
 * const errors = points.reduce((sum, point) => sum + (point.values[0] ?? 0), 0);
 * ```
 */
export function getChartSeries(args: GetChartSeriesArgs, opts?: FunctionOptions): Promise<ChartPoint[]> {
  return call(chartSeries, args, opts);
}

/**
 * As {@link getChartSeries}, for arguments that may be outputs.
 *
 * @example
 * ```typescript
 * export const points = pipestack.getChartSeriesOutput({
 *   series: [{ sourceId, aggFn: "count", where: "", groupBy: [] }],
 *   startTime: 1767225600000,
 *   endTime: 1767312000000,
 * });
 * ```
 */
export function getChartSeriesOutput(
  args: GetChartSeriesOutputArgs,
  opts?: FunctionOptions,
): pulumi.Output<ChartPoint[]> {
  return callOutput(chartSeries, args, opts);
}
