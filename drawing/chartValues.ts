import { describeSeries } from "./format";
import type { Point, Tile, TileData } from "./model";

/** The values of one line of a chart, or of one row of a table. */
export interface Values {
  /** The name of the group, or a description of the series. */
  readonly label: string;
  /** Times and values, sorted by time. Buckets without a value are left out. */
  readonly points: readonly (readonly [time: number, value: number])[];
  /** The value for the whole time range. */
  readonly total: number;
  /** Whether the total is only a mean of the buckets' values, since the single values are unknown. */
  readonly isApproximate: boolean;
}

/** Largest value: sums of larger values would overflow. */
const largest = 1e300;

/** The values of a tile, separately for each series and group, the largest first. */
export function valuesOf(tile: Tile, points: readonly Point[]): Values[] {
  const isRatio = tile.asRatio && tile.series.length > 1;
  const series = isRatio ? tile.series.slice(0, 1) : tile.series;
  const groups = new Map<string, Point[]>();
  for (const point of [...points].sort((a, b) => a.tsBucket - b.tsBucket)) {
    const key = JSON.stringify(point.group ?? []);
    const group = groups.get(key);
    if (group) group.push(point);
    else groups.set(key, [point]);
  }
  const labelled = [...groups.values()].flatMap((ofGroup) =>
    series.map((entry, index): Values => {
      const values = ofGroup.flatMap(({ tsBucket, values }) => {
        const value = isRatio ? ratio(values, entry.aggFn) : values[index];
        return typeof value !== "number" || !(Math.abs(value) <= largest) ? [] : [[tsBucket, value] as const];
      });
      const group = ofGroup[0]?.group ?? [];
      const seriesLabel = isRatio ? "ratio" : describeSeries({ ...entry, groupBy: [] });
      const label = [...(series.length > 1 || group.length === 0 ? [seriesLabel] : []), group.join(", ")];
      return {
        label: label.filter(Boolean).join(": "),
        points: values,
        ...total(values, isRatio ? "" : entry.aggFn),
      };
    }),
  );
  return labelled
    .filter((values) => values.points.length > 0)
    .sort((a, b) => b.total - a.total || (a.label < b.label ? -1 : 1));
}

/** The ratio of two values. The service leaves out counts and sums of nothing, which count as 0. */
function ratio([first, second]: readonly (number | null)[], aggFn: string | undefined): number | null {
  const dividend = first ?? (isSum(aggFn) ? 0 : null);
  return typeof dividend === "number" && typeof second === "number" && second !== 0
    ? dividend / second
    : null;
}

function isSum(aggFn = "count"): boolean {
  return aggFn === "count" || aggFn === "sum";
}

function total(points: Values["points"], aggFn?: string): Pick<Values, "total" | "isApproximate"> {
  const values = points.map(([, value]) => value);
  const sum = values.reduce((before, value) => before + value, 0);
  if (isSum(aggFn)) return { total: sum, isApproximate: false };
  if (aggFn === "min" || aggFn === "max")
    return { total: values.reduce((a, b) => Math[aggFn](a, b), values[0] ?? 0), isApproximate: false };
  return { total: values.length === 0 ? 0 : sum / values.length, isApproximate: values.length > 1 };
}

/** The milliseconds of an interval such as `5m`; undefined for any other text. */
export function milliseconds(span: string): number | undefined {
  const [, count, unit = ""] = /^(\d+)([smhd])$/.exec(span) ?? [];
  const length = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit];
  return length === undefined ? undefined : Number(count) * length;
}

const nice = [1, 2, 2.5, 5, 10];

/** About `count` round numbers between two numbers. */
export function ticks(from: number, until: number, count: number): number[] {
  const rough = (until - from) / Math.max(count, 1) || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (nice.find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(from / step);
  const last = Math.floor(until / step);
  return Array.from({ length: last - first + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  );
}

const minute = 60_000;
const day = 1440 * minute;
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720].map((minutes) => minutes * minute);
const days = [1, 2, 7, 14, 30, 91, 182, 365].map((count) => count * day);

/**
 * The length of the buckets of a chart. If the chart does not tell it, it is the longest usual length that divides the
 * times of all points. The distance between points does not tell it, since answers leave out buckets without values.
 */
export function bucketLength({
  from,
  until,
  bucket,
  points,
}: Exclude<TileData, { problem: string }>): number {
  const usual = [...steps, ...days].filter(
    // A chart over time has more than four buckets.
    (length) => length <= (until - from) / 4 && points.every(({ tsBucket }) => tsBucket % length === 0),
  );
  return bucket ?? usual.at(-1) ?? Math.min(minute / 2, until - from);
}

/** At most `count` round times (UTC) between two times, with the format to write them in. */
export function timeTicks(from: number, until: number, count: number): { time: number; label: string }[] {
  const step = [...steps, ...days].find((candidate) => (until - from) / candidate <= count) ?? until - from;
  const ticks: { time: number; label: string }[] = [];
  for (let time = Math.ceil(from / step) * step; time <= until; time += step)
    ticks.push({ time, label: time % day === 0 || step >= day ? dayOf(time) : timeOf(time) });
  return ticks;
}

function timeOf(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function dayOf(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}
