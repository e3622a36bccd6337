import { badRequest } from "../apiError";
import type { Source } from "../resources/sources";
import { type AggregateFunction, sampleContents } from "./contents";
import { addMeasures, type Cell, cellsOf, eventsIn, type Moment, momentOf, stepLength } from "./events";
import { checkColumn, parseFilter } from "./filter";

export interface SeriesQuery {
  aggFn: AggregateFunction;
  where: string;
  groupBy: string[];
  /** The column with numbers that the series aggregates; the sample data of each source has one. */
  field?: string;
  /** The quantile that the series computes, 0 to 1. Default: 0.5. */
  level?: number;
  /** The language of the series' filter `where`. The sandbox refuses `sql`. */
  whereLanguage?: string;
}

/**
 * A bucket of a chart, which starts at a multiple of the granularity. `from` and `until` limit the part of the bucket within
 * the query, in milliseconds.
 */
export interface Bucket {
  start: number;
  from: number;
  until: number;
}

export interface AggregateRow {
  bucket: Bucket;
  /** The values of the `groupBy` columns for which this point of a chart counts. */
  group: Record<string, string>;
  /** The value of the series at this point. The API returns counts, which are 64-bit integers, as texts. */
  value: string | number;
}

const maximumValues = 100_000;

/** The maximum number of days of one chart query, since the sandbox computes its sample data on request. */
const maximumDays = 100;

/**
 * Divides the time range of a chart query into buckets.
 * @throws ApiError 400 for too many buckets, or too long a time range
 */
export function bucketsOf(startTime: number, endTime: number, length: number): Bucket[] {
  if (endTime - startTime > maximumDays * 86_400_000) {
    throw badRequest(`endTime: a query covers at most ${maximumDays} days in the sandbox`);
  }
  if ((endTime - startTime) / length + 1 > maximumValues) {
    throw badRequest("granularity: too fine for the time range");
  }
  const buckets: Bucket[] = [];
  for (let start = Math.floor(startTime / length) * length; start < endTime; start += length) {
    buckets.push({ start, from: Math.max(start, startTime), until: Math.min(start + length, endTime) });
  }
  return buckets;
}

/**
 * Computes the values of a chart series from the sandbox's sample data. All queries see the same events: the values of finer
 * buckets add up to those of coarser ones, and groups to the total. Buckets without events are omitted.
 * @param path the path of the series in errors, such as `series.0`
 * @throws ApiError 400 for an unknown column, an invalid filter or too many values
 */
export function aggregate(
  source: Source,
  query: SeriesQuery,
  buckets: Bucket[],
  path: string,
): AggregateRow[] {
  const { kind } = source;
  const { where, groupBy, field, whereLanguage } = query;
  if (whereLanguage === "sql" && where.trim() !== "")
    throw badRequest(
      `${path}.whereLanguage: the sandbox does not read SQL; write conditions as column:value`,
    );
  const conditions = parseFilter(where, kind, `${path}.where`);
  for (const column of groupBy) checkColumn(column, kind, `${path}.groupBy`);
  const { measure } = sampleContents[kind];
  if (field && field !== measure.column) {
    throw badRequest(
      `${path}.field: ${field} is not a numeric column; a ${kind} source has ${measure.column}`,
    );
  }
  const groups = new Map<string, { group: Record<string, string>; cells: Cell[] }>();
  for (const cell of cellsOf(source)) {
    if (conditions.some(({ column, value, negated }) => (cell.values[column] === value) === negated))
      continue;
    const group = Object.fromEntries(groupBy.map((column) => [column, cell.values[column] ?? ""]));
    const key = JSON.stringify(group);
    const { cells } = groups.get(key) ?? {};
    if (cells) cells.push(cell);
    else groups.set(key, { group, cells: [cell] });
  }
  if (groups.size * buckets.length > maximumValues) {
    throw badRequest(`the query returns more than ${maximumValues} values`);
  }
  return buckets.flatMap((bucket) =>
    [...groups.values()].flatMap(({ group, cells }) => {
      const value =
        query.aggFn === "count" ? count(kind, cells, bucket) : measured(kind, cells, bucket, query);
      return value === undefined ? [] : [{ bucket, group, value }];
    }),
  );
}

function count(kind: Source["kind"], cells: Cell[], bucket: Bucket): string | undefined {
  let total = 0;
  for (const moment of momentsIn(bucket)) for (const cell of cells) total += eventsIn(kind, cell, moment);
  return total === 0 ? undefined : String(total);
}

function measured(
  kind: Source["kind"],
  cells: Cell[],
  bucket: Bucket,
  { aggFn, level = 0.5 }: SeriesQuery,
): number | undefined {
  const measures: number[] = [];
  for (const moment of momentsIn(bucket)) for (const cell of cells) addMeasures(kind, cell, moment, measures);
  if (measures.length === 0) return undefined;
  const sum = () => measures.reduce((total, measure) => total + measure, 0);
  if (aggFn === "sum") return round(sum());
  if (aggFn === "avg") return round(sum() / measures.length);
  const levels: Partial<Record<AggregateFunction, number>> = { min: 0, max: 1, quantile: level };
  const fraction = levels[aggFn] ?? Number(aggFn.slice(1)) / 100;
  const sorted = Float64Array.from(measures).sort();
  return round(sorted[Math.round(fraction * (sorted.length - 1))] as number);
}

/** Yields the moments in a bucket at which the sample data has events: each event is at the start of its time step. */
function* momentsIn({ from, until }: Bucket): Generator<Moment> {
  for (let step = Math.ceil(from / stepLength); step * stepLength < until; step += 1) yield momentOf(step);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
