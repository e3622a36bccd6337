import { bucketLength, ticks, timeTicks, type Values } from "./chartValues";
import { element, type Markup, rounded } from "./element";
import { formatNumber } from "./format";
import type { Alert, TileData } from "./model";
import { seriesColours } from "./style";
import { fitted, widthOf } from "./text";
import { drawOmitted, drawThreshold, isOfBucket, ranges } from "./thresholds";

/** A rectangle on a picture, in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

type Range = Exclude<TileData, { problem: string }>;

/** Pixels around a chart for the numbers on its left and the times below it. */
const axes = { left: 42, bottom: 18, top: 7, right: 6 };

/** Least height in pixels of a chart with a legend: in less height, the lines matter more than their names. */
const leastWithLegend = 76;

/**
 * A threshold that is this many times larger than the values is left out of the scale, since it would make the values a
 * flat line.
 */
const farThreshold = 4;

/** Least difference of values that a scale can show. */
const leastRange = 1e-100;

/** The place in which a chart draws its values, in pixels. */
export interface ChartLayout {
  readonly plot: {
    readonly left: number;
    readonly right: number;
    readonly top: number;
    readonly bottom: number;
  };
  /** The length of a bucket in milliseconds. */
  readonly bucket: number;
  /** The lowest and the highest value of the scale. */
  readonly least: number;
  readonly most: number;
  x(time: number): number;
  y(value: number): number;
}

/**
 * Computes the place and scale of a chart. Its legend may be elsewhere. An alert whose interval differs from the length
 * of a bucket does not evaluate these values, so its threshold is left out of the scale.
 */
export function layOutChart(
  box: Box,
  kind: "line" | "bar",
  values: readonly Values[],
  data: Range,
  alerts: readonly Alert[],
  hasLegend: boolean,
): ChartLayout {
  const { from, until } = data;
  const bucket = bucketLength(data);
  const coloured = values.slice(0, seriesColours);
  const plot = {
    left: box.left + axes.left,
    right: box.left + box.width - axes.right,
    top: box.top + axes.top + (hasLegend ? 18 : 0),
    bottom: box.top + box.height - axes.bottom,
  };
  const heights =
    kind === "bar"
      ? stacked(coloured).map(({ upper }) => upper)
      : coloured.flatMap((series) => series.points.map(([, value]) => value));
  const { least, most } = domainOf(heights, alerts.filter(isOfBucket(bucket)));
  return {
    plot,
    bucket,
    least,
    most,
    x: (time) => plot.left + ((time - from) / (until - from)) * (plot.right - plot.left),
    y: (value) => plot.bottom - ((value - least) / (most - least || 1)) * (plot.bottom - plot.top),
  };
}

/**
 * Draws values over time as lines or stacked bars, with thresholds. Alerts whose interval differs from the length of a
 * bucket are only named.
 */
export function drawChart(
  box: Box,
  kind: "line" | "bar",
  values: readonly Values[],
  data: Range,
  allAlerts: readonly Alert[],
  hasLegend = values.length > 1 && box.height > leastWithLegend,
): Markup {
  const { from, until } = data;
  const { plot, bucket, least, most, x, y } = layOutChart(box, kind, values, data, allAlerts, hasLegend);
  const isDrawn = isOfBucket(bucket);
  const alerts = allAlerts.filter(isDrawn);
  const legend = hasLegend ? drawLegend(box, values) : undefined;
  const coloured = values.slice(0, seriesColours);
  const stacks = kind === "bar" ? stacked(coloured) : [];
  const marks = ticks(least, most, Math.max(2, Math.floor((plot.bottom - plot.top) / 36)));
  return element(
    "g",
    {},
    marks.map((value) => [
      element("path", {
        class: "axis",
        d: `M${rounded(plot.left)} ${rounded(y(value))}H${rounded(plot.right)}`,
      }),
      label(formatNumber(value), plot.left - 6, y(value) + 3.5, "end"),
    ]),
    timeTicks(from, until, (plot.right - plot.left) / 64).map(({ time, label: text }) =>
      Math.abs(x(time) - (plot.left + plot.right) / 2) < (plot.right - plot.left) / 2 - 12
        ? label(text, x(time), plot.bottom + 14, "middle")
        : undefined,
    ),
    ranges(alerts, least, most).map(([lower, upper]) =>
      element("rect", {
        class: "band",
        x: plot.left,
        y: y(upper),
        width: plot.right - plot.left,
        height: y(lower) - y(upper),
      }),
    ),
    (data.spans ?? []).map((span) => {
      const [start, end] = [Math.max(x(span.from), plot.left), Math.min(x(span.until), plot.right)];
      return element("rect", {
        ...{ class: "firing chip", "fill-opacity": 0.2, x: start, y: plot.top },
        ...{ width: Math.max(end - start, 1), height: plot.bottom - plot.top },
      });
    }),
    stacks.map(({ index, time, lower, upper }) =>
      element("rect", {
        class: `bar f${index}`,
        x: Math.max(x(time), plot.left) + 0.5,
        y: y(upper),
        width: Math.max(Math.min(x(time + bucket), plot.right) - Math.max(x(time), plot.left) - 1, 1),
        height: y(lower) - y(upper),
      }),
    ),
    kind === "line"
      ? coloured
          .map(({ points }, index) => drawLine(points, index, bucket, x, y, plot.left, plot.right))
          .reverse()
      : undefined,
    alerts.flatMap(({ threshold, thresholdMax }) =>
      [threshold, thresholdMax].flatMap((value) =>
        value === undefined ? [] : drawThreshold(value, least, most, y, plot),
      ),
    ),
    drawOmitted(
      allAlerts.filter((alert) => !isDrawn(alert)),
      plot,
    ),
    legend,
  );
}

/**
 * The lowest and highest value that the scale of a chart covers: the values, 0, and all thresholds that are not far
 * from them.
 */
function domainOf(values: readonly number[], alerts: readonly Alert[]): { least: number; most: number } {
  let least = 0;
  let most = 0;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const far = farThreshold * Math.max(most, -least);
  let headroom = 0.06;
  for (const value of alerts.flatMap(({ threshold, thresholdMax }) => [threshold, thresholdMax])) {
    if (value === undefined) continue;
    if (Math.abs(value) > far) {
      headroom = 0.2;
      continue;
    }
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return { least, most: most - least < leastRange ? least + 1 : most + (most - least) * headroom };
}

/** Draws a line, which is interrupted where buckets are missing. A single point becomes a dot. */
function drawLine(
  points: Values["points"],
  index: number,
  bucket: number,
  x: (time: number) => number,
  y: (value: number) => number,
  left: number,
  right: number,
): Markup[] {
  const runs: (readonly [number, number])[][] = [];
  for (const point of points) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && point[0] - last[0] < bucket * 1.5) run.push(point);
    else runs.push([point]);
  }
  // The first bucket may begin before the requested time.
  const place = ([time, value]: readonly [number, number]) =>
    `${rounded(Math.min(Math.max(x(time + bucket / 2), left), right))} ${rounded(y(value))}`;
  return runs.map((run) => {
    const [only, ...more] = run.map(place);
    const d = more.length === 0 ? `M${only}h0` : `M${only}L${more.join("L")}`;
    return element("path", { class: `line ${more.length === 0 ? "dot " : ""}s${index}`, d });
  });
}

/** The bars of a chart, each on top of those of the series before. */
function stacked(values: readonly Values[]): { index: number; time: number; lower: number; upper: number }[] {
  const heights = new Map<number, number>();
  return values.flatMap(({ points }, index) =>
    points.map(([time, value]) => {
      const lower = heights.get(time) ?? 0;
      const upper = lower + Math.max(value, 0);
      heights.set(time, upper);
      return { index, time, lower, upper };
    }),
  );
}

function drawLegend(box: Box, values: readonly Values[]): Markup {
  let left = box.left + 2;
  const end = box.left + box.width;
  const entries: Markup[] = [];
  for (const [index, { label: name }] of values.slice(0, seriesColours).entries()) {
    const text = fitted(name, Math.min(150, end - left - 70), 10.5);
    if (text === "") break;
    entries.push(
      element("rect", { class: `f${index}`, x: left, y: box.top + 3, width: 9, height: 9, rx: 2 }),
    );
    entries.push(label(text, left + 14, box.top + 11.5, "start"));
    left += 14 + widthOf(text, 10.5) + 14;
  }
  const more = values.length - entries.length / 2;
  if (more > 0) entries.push(label(`+${more} more`, left, box.top + 11.5, "start"));
  return element("g", {}, entries);
}

function label(text: string, x: number, y: number, anchor: "start" | "middle" | "end"): Markup {
  return element(
    "text",
    { class: "muted small", x, y, "text-anchor": anchor === "start" ? undefined : anchor },
    text,
  );
}
