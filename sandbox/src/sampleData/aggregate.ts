import { badRequest } from "../apiError";
import type { Source } from "../records";
import { type AggregateFunction, sampleContents } from "./contents";
import { addMeasures, type Cell, cellsOf, eventsIn, type Moment, momentOf, stepLength } from "./events";
import { checkColumn, parseFilter } from "./filter";

/** One series of a query. */
export interface SeriesQuery {
  aggFn: AggregateFunction;
  where: string;
  groupBy: string[];
  /** The column with the numbers; the source has but one. */
  field?: string;
  /** The quantile of `quantile`; 0.5 without one. */
  level?: number;
  /** What `where` is written in; `sql` is refused. */
  whereLanguage?: string;
}

/** A span of time in milliseconds: a bucket that begins at a multiple of the granularity, and what the query covers of it. */
export interface Bucket {
  start: number;
  from: number;
  until: number;
}

export interface AggregateRow {
  bucket: Bucket;
  /** The values of the `groupBy` columns. */
  group: Record<string, string>;
  /** Counts are 64-bit integers, which the API writes as texts. */
  value: string | number;
}

/** At most this many values come from one query. */
const maximumValues = 100_000;

/** The data is made when it is asked for, which takes time. */
const maximumDays = 100;

/** The buckets of a query. Refuses one that has an absurd number of them, or covers too long a time. */
export function bucketsOf(startTime: number, endTime: number, length: number): Bucket[] {
  if (endTime - startTime > maximumDays * 86_400_000) {
    throw badRequest(`endTime: the sandbox answers at most ${maximumDays} days at once`);
  }
  if ((endTime - startTime) / length + 1 > maximumValues) {
    throw badRequest("granularity: too fine for the time range");
  }
  const found: Bucket[] = [];
  for (let start = Math.floor(startTime / length) * length; start < endTime; start += length) {
    found.push({ start, from: Math.max(start, startTime), until: Math.min(start + length, endTime) });
  }
  return found;
}

/**
 * The values of one series, from events that are the same for every question: so finer buckets sum up to coarser ones, and groups to
 * the whole. Buckets without events are left out.
 * @param path what an error calls the series, such as `series.0`
 * @throws ApiError 400 for a column that the source has not, and for more values than the sandbox answers
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
    throw badRequest(`${path}.whereLanguage: the sandbox reads no SQL, but conditions column:value`);
  const conditions = parseFilter(where, kind, `${path}.where`);
  for (const column of groupBy) checkColumn(column, kind, `${path}.groupBy`);
  const { measure } = sampleContents[kind];
  if (field && field !== measure.column) {
    throw badRequest(
      `${path}.field: the sandbox has no numbers in ${field}; a ${kind} source has ${measure.column}`,
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
    throw badRequest(`the query has more than ${maximumValues} values`);
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

/** An event lies where its step begins. */
function* momentsIn({ from, until }: Bucket): Generator<Moment> {
  for (let step = Math.ceil(from / stepLength); step * stepLength < until; step += 1) yield momentOf(step);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
