import { milliseconds } from "./chartValues";
import { element, type Markup, rounded } from "./element";
import { exactNumber } from "./format";
import type { Alert } from "./model";
import { bold, fitted, widthOf } from "./text";

/** Whether an alert evaluates buckets of this length. */
export function isOfBucket(bucket: number): (alert: Alert) => boolean {
  return ({ interval = "" }) => milliseconds(interval) === bucket;
}

/** Draws which thresholds are not in the chart. */
export function drawOmitted(
  alerts: readonly Alert[],
  { left, right, top }: { left: number; right: number; top: number },
): Markup | undefined {
  if (alerts.length === 0) return undefined;
  const intervals = [...new Set(alerts.flatMap(({ interval }) => interval ?? []))];
  const per = intervals.length > 0 ? ` per ${intervals.join(", ")}` : "";
  const words = `not drawn: threshold${alerts.length === 1 ? "" : "s"}${per}`;
  const text = fitted(words, right - left - 6, 10.5);
  return element("text", { class: "muted limit small", x: left + 4, y: top + 9 }, text);
}

/** The parts of the scale in which an alert fires. */
export function ranges(alerts: readonly Alert[], least: number, most: number): (readonly [number, number])[] {
  const bounds = alerts.flatMap(
    ({ threshold, thresholdMax, thresholdType }): (readonly [number, number])[] => {
      if (threshold === undefined) return [];
      if (thresholdType.startsWith("above")) return [[threshold, most]];
      if (thresholdType.startsWith("below")) return [[least, threshold]];
      if (thresholdMax === undefined) return [];
      if (thresholdType === "between") return [[threshold, thresholdMax]];
      return thresholdType === "not_between"
        ? [
            [least, threshold],
            [thresholdMax, most],
          ]
        : [];
    },
  );
  return bounds
    .map(([lower, upper]) => [Math.max(lower, least), Math.min(upper, most)] as const)
    .filter(([lower, upper]) => upper > lower);
}

/**
 * Draws a threshold as a dashed line, with its value if there is room. A threshold beyond the scale is drawn at its
 * edge.
 */
export function drawThreshold(
  value: number,
  least: number,
  most: number,
  y: (value: number) => number,
  plot: { left: number; right: number },
): Markup[] {
  const isBeyond = value > most || value < least;
  const at = y(Math.min(Math.max(value, least), most));
  const exact = exactNumber(value);
  const texts = [...(isBeyond ? [`${exact}, beyond this scale`] : []), exact];
  const text = texts.find((candidate) => widthOf(candidate, 10.5 * bold) <= plot.right - plot.left);
  const line = element("path", {
    class: "threshold",
    d: `M${rounded(plot.left)} ${rounded(at)}H${rounded(plot.right)}`,
  });
  if (text === undefined) return [line];
  return [
    line,
    element(
      "text",
      {
        class: "alert ink limit small strong",
        x: plot.right - 2,
        y: value > most ? at + 11 : at - 4,
        "text-anchor": "end",
      },
      text,
    ),
  ];
}
