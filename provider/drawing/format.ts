import type { Alert, Area, Series } from "./model";

/** A number for people: `1,234`, `0.05`, `12.3k`, `4.5M`. */
export function formatNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e15 || size < 1e-4)) return value.toExponential(1);
  for (const [unit, name] of [
    [1e12, "T"],
    [1e9, "G"],
    [1e6, "M"],
    [1e4, "k"],
  ] as const) {
    const divisor = name === "k" ? 1000 : unit;
    if (size >= unit) return `${significant(value / divisor)}${name}`;
  }
  return size >= 1000 ? grouped(Math.round(value)) : significant(value);
}

function significant(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function grouped(whole: number): string {
  // More digits than five are shortened by their unit.
  return String(whole).replace(/\d{3}$/, ",$&");
}

const directions: { readonly [type: string]: readonly [mark: string, words: string] } = {
  above: ["▲", "above"],
  above_exclusive: ["▲", "above"],
  below: ["▼", "below"],
  below_or_equal: ["▼", "at most"],
  equal: ["=", "equal to"],
  not_equal: ["≠", "other than"],
  between: ["⇕", "between"],
  not_between: ["⇕", "outside"],
};

/** When an alert fires: `▲ above 100`, `⇕ between 5 and 10`. */
export function condition({ thresholdType, threshold, thresholdMax }: Alert): string {
  const [mark, words] = directions[thresholdType] ?? ["•", thresholdType];
  const value = threshold === undefined ? "a value not known yet" : formatNumber(threshold);
  const range = thresholdMax === undefined ? value : `${value} and ${formatNumber(thresholdMax)}`;
  return `${mark} ${words} ${range}`;
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

/** What a series shows without its filter: `sum of bytes by ServiceName`. */
export function describeSeries({ aggFn, field, groupBy }: Series): string {
  const by = groupBy.length > 0 ? ` by ${groupBy.join(", ")}` : "";
  return `${aggFn ?? "values"}${field ? ` of ${field}` : ""}${by}`;
}

/** A place on the grid: `x 0, y 4, 12 × 6`. */
export function describeArea({ x, y, w, h }: Area): string {
  return `x ${x}, y ${y}, ${w} × ${h}`;
}

/** A number and a noun: `1 tile`, `2 tiles`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A moment, in UTC: `2025-06-15 15:30`. */
export function formatTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 16).replace("T", " ");
}
