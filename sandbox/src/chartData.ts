import { createHash } from "node:crypto";
import { badRequest } from "./apiError";
import type { Source } from "./records";

/** What a series can be aggregated by. */
export const aggregateFunctions = [
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "quantile",
  "p50",
  "p75",
  "p90",
  "p95",
  "p99",
] as const;

/** A span of time: `[start, end)` in milliseconds, where `start` is a multiple of the granularity. */
export interface Bucket {
  start: number;
  /** The part of the bucket that the query covers. */
  from: number;
  until: number;
}

export interface AggregateRequest {
  source: Source;
  aggFn: (typeof aggregateFunctions)[number];
  filter: { field: string; value: string } | undefined;
  groupBy: string[];
  field?: string;
  /** The quantile of `quantile`; 0.5 without one. */
  level?: number;
}

export interface AggregateRow {
  bucket: Bucket;
  group: Record<string, string>;
  /** Counts are 64-bit integers, which the API writes as strings. */
  value: string | number;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Events in an average minute. */
const rates: Record<Source["kind"], number> = { log: 40, trace: 12, metric: 2 };

/** The values of the columns that the data has, with their share of the events. */
const columns: Record<string, Record<string, number>> = {
  ServiceName: { api: 0.5, web: 0.3, worker: 0.2 },
  SeverityText: { info: 0.8, warn: 0.15, error: 0.05 },
};

/** The buckets of a query. Refuses a query that has an absurd number of them. */
export function buckets(startTime: number, endTime: number, length: number): Bucket[] {
  const count = Math.ceil((endTime - startTime) / length) + 1;
  if (count > 100_000) throw badRequest("granularity: too fine for the time range");
  const found: Bucket[] = [];
  for (let start = Math.floor(startTime / length) * length; start < endTime; start += length) {
    found.push({ start, from: Math.max(start, startTime), until: Math.min(start + length, endTime) });
  }
  return found;
}

/**
 * The values of one series: a daily rhythm with noise, the same for every equal question.
 * Buckets without events are left out.
 */
export function aggregate(request: AggregateRequest, time: Bucket[], maximumValues: number): AggregateRow[] {
  const { source, filter, groupBy } = request;
  let groups: { group: Record<string, string>; share: number }[] = [
    { group: {}, share: filter ? shareOf(filter.field, filter.value) : 1 },
  ];
  for (const column of groupBy) {
    groups = groups.flatMap(({ group, share }) =>
      Object.entries(valuesOf(column)).map(([value, part]) => ({
        group: { ...group, [column]: value },
        share: narrowed(share, part, filter, column, value),
      })),
    );
    if (groups.length * time.length > maximumValues)
      throw badRequest(`the query has more than ${maximumValues} values`);
  }
  return time.flatMap((bucket) =>
    groups.flatMap(({ group, share }) => {
      const random = noise(
        source.id,
        request.field ?? "",
        bucket.start,
        JSON.stringify([filter ?? {}, group]),
      );
      const events = Math.floor(
        expectedEvents(rates[source.kind], bucket) * share * (0.9 + random() / 5) + random(),
      );
      return events === 0 ? [] : [{ bucket, group, value: measure(request, bucket, events, random()) }];
    }),
  );
}

/** A filter on a column that is also grouped by leaves the group with the filtered value only. */
function narrowed(
  share: number,
  part: number,
  filter: AggregateRequest["filter"],
  column: string,
  value: string,
): number {
  if (filter?.field !== column) return share * part;
  return filter.value === value ? share : 0;
}

function valuesOf(column: string): Record<string, number> {
  return columns[column] ?? { [`${column}-1`]: 0.6, [`${column}-2`]: 0.4 };
}

function shareOf(column: string, value: string): number {
  return valuesOf(column)[value] ?? 0;
}

/** Events within a bucket: few at 03:00 UTC, most at 15:00 UTC. */
function expectedEvents(perMinute: number, { from, until }: Bucket): number {
  const integral = (time: number) => time - 0.6 * (day / (2 * Math.PI)) * Math.sin(phase(time));
  return (perMinute / 60_000) * (integral(until) - integral(from));
}

function phase(time: number): number {
  return (2 * Math.PI * (time - 3 * hour)) / day;
}

/** The aggregate of the measured values (durations in milliseconds) of a bucket's events. */
function measure({ aggFn, level = 0.5 }: AggregateRequest, bucket: Bucket, events: number, random: number) {
  const middle = 120 * (1 - 0.3 * Math.cos(phase(bucket.start))) * (0.9 + random / 5);
  const quantile = (fraction: number) => round(middle * (0.4 + 0.6 * fraction + 2 * fraction ** 8));
  const levels: Partial<Record<typeof aggFn, number>> = { min: 0, max: 1, quantile: level };
  if (aggFn === "count") return String(events);
  if (aggFn === "avg") return round(middle);
  if (aggFn === "sum") return round(middle * events);
  return quantile(levels[aggFn] ?? Number(aggFn.slice(1)) / 100);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** A sequence of numbers in [0, 1) that depends on nothing but the seed. */
function noise(...seed: (string | number)[]): () => number {
  const digest = createHash("sha256").update(seed.join("\n")).digest();
  let position = 0;
  return () => {
    position = (position + 4) % digest.length;
    return digest.readUInt32BE(position) / 2 ** 32;
  };
}
