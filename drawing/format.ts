import type { Alert, Area, Series, Tile } from "./model";

const units = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
] as const;

/** A number with about three digits: `1,234`, `0.05`, `12.3k`, `4.5M`. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return value.toExponential(1);
  const short = Number(value.toPrecision(3));
  if (size < 1e4) return exactNumber(size >= 1000 ? Math.round(value) : short);
  const [unit, name] = units.find(([size]) => Math.abs(short) >= size) ?? [1, ""];
  return `${short / unit}${name}`;
}

/** A number with all of its digits, so that different numbers never look alike: `12,345`, `0.9995`. */
export function exactNumber(value: number): string {
  const [whole = "", ...suffixes] = String(value).split(/(?=[.e])/);
  return [Number(whole).toLocaleString("en"), ...suffixes].join("");
}

/** The signs and words of threshold types. No two types have the same words, so that a comparison shows each change. */
const directions: { readonly [type: string]: readonly [mark: string, words: string] } = {
  above: ["▲", "above"],
  above_exclusive: ["▲", "strictly above"],
  below: ["▼", "below"],
  below_or_equal: ["▼", "at most"],
  equal: ["=", "equal to"],
  not_equal: ["≠", "other than"],
  between: ["⇕", "between"],
  not_between: ["⇕", "outside"],
};

/** The exact condition under which an alert fires: `▲ above 100`, `⇕ between 5 and 10`. */
export function condition(alert: Alert): string {
  const [mark, words] = directionOf(alert);
  return `${mark} ${words} ${limitsOf(alert, " and ") ?? "a value not known yet"}`;
}

/** The condition of an alert in as few characters as possible: `▲ 100`, `⇕ 5–10`. */
export function shortCondition(alert: Alert): string {
  const [mark] = directionOf(alert);
  return `${mark} ${limitsOf(alert, "–") ?? "?"}`;
}

function directionOf({ thresholdType }: Alert): readonly [mark: string, words: string] {
  return (Object.hasOwn(directions, thresholdType) && directions[thresholdType]) || ["•", thresholdType];
}

function limitsOf({ threshold, thresholdMax }: Alert, separator: string): string | undefined {
  if (threshold === undefined) return undefined;
  return [threshold, ...(thresholdMax === undefined ? [] : [thresholdMax])].map(exactNumber).join(separator);
}

/** An alert in one line: `Too many errors: ▲ above 100, every 5m`. */
export function describeAlert(alert: Alert): string {
  const { name, interval, subject, firing } = alert;
  return [
    `${name === undefined ? "" : `${name}: `}${condition(alert)}${interval ? `, every ${interval}` : ""}`,
    ...(subject ? [`on ${subject}`] : []),
    ...(firing ? ["firing now"] : []),
  ].join(", ");
}

/** Describes a series without its filter: `sum of bytes by ServiceName`. */
export function describeSeries({ aggFn = "values", level, field, groupBy, columns }: Series): string {
  if (columns !== undefined) return columns;
  const isQuantile = aggFn === "quantile" && level !== undefined;
  // Rounded, since 0.55 * 100 is a little more than 55 in floating-point numbers.
  const label = isQuantile ? `p${exactNumber(Number((level * 100).toPrecision(12)))}` : aggFn;
  const by = groupBy.length > 0 ? ` by ${groupBy.join(", ")}` : "";
  return `${label}${field ? ` of ${field}` : ""}${by}`;
}

/** All series of a tile, or its list of records. */
export function shownSeries({ records, series }: Pick<Tile, "records" | "series">): readonly Series[] {
  return records ? [records] : series;
}

/** Describes the filter of a series: `where SeverityText:error`. Empty without a filter. */
export function describeFilter(series: Series): string {
  return series.where ? `${filterWord(series)} ${series.where}` : "";
}

/** The word before a filter: `where`, or `where (sql)`. */
export function filterWord({ whereLanguage }: Series): string {
  return whereLanguage ? `where (${whereLanguage})` : "where";
}

/** Describes a place on the grid: `x 0, y 4, 12 × 6`. */
export function describeArea({ x, y, w, h }: Area): string {
  return `x ${x}, y ${y}, ${w} × ${h}`;
}

/** A number and a noun: `1 tile`, `2 tiles`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A time in UTC: `2025-06-15 15:30`. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ");
}
