import { formatTime } from "../../drawing";
import { printableLine } from "../../provider/values/printable";
import { counted } from "../../provider/values/wording";
import { table } from "../shared/table";
import type { Fired, Range, Result } from "./backtest";
import type { Firing } from "./firings";

const headings = ["ALERT", "FIRED", "FIRST", "LAST", "LONGEST", "OF THE TIME"];

/** A table that shows how often each alert would have fired, and for which alerts this cannot be computed. */
export function backtestTable(results: readonly Result[]): string {
  if (results.length === 0) return "There are no alerts.";
  const fired = results.filter((result) => !("reason" in result)) as readonly Fired[];
  const reasons = results.flatMap((result) =>
    "reason" in result ? `${printableLine(result.name)}: ${result.reason}` : [],
  );
  const quiet = fired.filter(({ firings }) => firings.length === 0).length;
  return [
    ...(fired.length > 0 ? [table([headings, ...fired.map(rowOf)], 48), ""] : []),
    ...(reasons.length > 0 ? ["Not known:", ...reasons.map((line) => `  ${line}`), ""] : []),
    `${counted(results.length, "alert")}: ${fired.length - quiet} would have fired, ${quiet} would not, ${results.length - fired.length} not known.`,
  ].join("\n");
}

function rowOf({ name, firings, buckets, rule }: Fired): string[] {
  const [first, last] = [firings[0], firings.at(-1)];
  if (!first || !last) return [name, "never"];
  const lengths = firings.map((firing) => lengthOf(firing, endOf(buckets, rule.interval)));
  return [
    ...[name, counted(firings.length, "time"), formatTime(first.from), formatTime(last.from)],
    ...[inWords(Math.max(...lengths)), `${percent(share({ firings, buckets, rule }))} %`],
  ];
}

/** The share of the time range in which an alert would have fired, 0 to 1. */
export function share({ firings, buckets, rule }: Pick<Fired, "firings" | "buckets" | "rule">): number {
  if (buckets.length === 0) return 0;
  const end = endOf(buckets, rule.interval);
  const sum = firings.reduce((total, firing) => total + lengthOf(firing, end), 0);
  return sum / (buckets.length * rule.interval);
}

/** The length of a firing. A firing that does not end within the time range counts until the next evaluation. */
function lengthOf({ from, until }: Firing, end: number): number {
  return (until ?? end) - from;
}

function endOf(buckets: Fired["buckets"], interval: number): number {
  // An alert evaluates a bucket at the bucket's end. The next evaluation, one interval after that of the last bucket, is the
  // first that could end a firing.
  return (buckets.at(-1)?.[0] ?? 0) + 2 * interval;
}

function percent(part: number): string {
  return (100 * part).toFixed(part < 0.1 ? 1 : 0);
}

function inWords(milliseconds: number): string {
  const minutes = milliseconds / 60_000;
  if (minutes < 60) return `${minutes}m`;
  const hours = Math.round(minutes / 6) / 10;
  return hours < 48 ? `${hours}h` : `${Math.round(hours / 2.4) / 10}d`;
}

export function asJson(results: readonly Result[], { from, until }: Range): string {
  const instant = (time: number) => new Date(time).toISOString();
  const alerts = results.map((result) => {
    const { name, alert } = result;
    const identity = { name, urn: alert.urn, id: alert.id };
    if ("reason" in result) return { ...identity, reason: result.reason };
    const firings = result.firings.map((firing) => ({
      from: instant(firing.from),
      until: firing.until === undefined ? null : instant(firing.until),
      peak: firing.peak,
    }));
    return { ...identity, firings, share: Number(share(result).toFixed(6)) };
  });
  return JSON.stringify({ from: instant(from), until: instant(until), alerts }, null, 2);
}
