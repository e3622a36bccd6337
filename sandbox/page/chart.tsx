import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Alert } from "../../drawing";
import { domainOf } from "../../drawing/chart";
import { formatNumber } from "../../drawing/format";
import type { Values } from "../../drawing/values";
import { timeOfDay } from "./format";

/** More lines nobody can tell apart. */
const mostLines = 8;

interface ChartProps {
  kind: "line" | "bar";
  values: Values[];
  from: number;
  until: number;
  /** Milliseconds from one value to the next. */
  bucketLength: number;
  /** Those whose thresholds are drawn. */
  alerts: readonly Alert[];
  /** What a screen reader says in place of the picture. */
  label: string;
}

/** Values over time, with thresholds as dashed lines; the legend shows the values under the pointer, else the latest. */
export function Chart({ kind, values, from, until, bucketLength, alerts, label }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const [pointed, setPointed] = useState<number>();
  const shown = values.slice(0, mostLines);
  // Also those without a value: else a line would go on over what is missing.
  const times = Array.from(
    { length: Math.round((until - from) / bucketLength) },
    (_, index) => from + index * bucketLength,
  );
  const columns = shown.map(({ points }) => {
    const byTime = new Map(points);
    return times.map((time) => byTime.get(time) ?? null);
  });
  const drawn = kind === "bar" ? stacked(columns) : columns.map((column, colour) => ({ column, colour }));
  const content = JSON.stringify([kind, times, drawn, from, until, alerts]);

  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const size = () => ({ width: element.clientWidth, height: element.clientHeight });
    const data = [
      times.map((time) => time / 1000),
      ...drawn.map(({ column }) => column),
    ] as uPlot.AlignedData;
    const draw = () => new uPlot(optionsFor(size()), data, element);
    const optionsFor = (area: { width: number; height: number }): uPlot.Options => ({
      ...area,
      ...optionsOf(kind, drawn, from, until, alerts, getComputedStyle(element)),
      hooks: {
        draw: [(plot) => drawThresholds(plot, alerts, getComputedStyle(element))],
        setCursor: [({ cursor }) => setPointed(cursor.idx ?? undefined)],
      },
    });
    let plot = draw();
    const observer = new ResizeObserver(() => plot.setSize(size()));
    observer.observe(element);
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const repaint = () => {
      plot.destroy();
      plot = draw();
    };
    scheme.addEventListener("change", repaint);
    return () => {
      scheme.removeEventListener("change", repaint);
      observer.disconnect();
      plot.destroy();
    };
  }, [content]);

  const at = pointed ?? times.length - 1;
  const time = times[at];
  return (
    <div class="chart">
      <div class="plot" ref={place} role="img" aria-label={label} />
      <ul class="legend" aria-hidden="true">
        {pointed !== undefined && time !== undefined && <li class="time">{timeOfDay(time).slice(0, 5)}</li>}
        {shown.map(({ label: name }, index) => (
          <li key={name}>
            <span class={`swatch series-${index}`} />
            <span class="name" dir="auto">
              {name}
            </span>{" "}
            <span class="value">{format(columns[index]?.[at])}</span>
          </li>
        ))}
        {values.length > mostLines && <li class="muted">and {values.length - mostLines} more</li>}
      </ul>
    </div>
  );
}

function format(value: number | null | undefined): string {
  return typeof value === "number" ? formatNumber(value) : "–";
}

/** A series of the plot, in one of the colours. */
interface Drawn {
  column: (number | null)[];
  colour: number;
}

/** Each column on those before it; the highest is drawn first, so that the lower ones lie before it. */
function stacked(columns: (number | null)[][]): Drawn[] {
  let below: number[] = [];
  return columns
    .map((column, colour) => {
      below = column.map((value, index) => (below[index] ?? 0) + (value ?? 0));
      return { column: below, colour };
    })
    .reverse();
}

function optionsOf(
  kind: "line" | "bar",
  drawn: Drawn[],
  from: number,
  until: number,
  alerts: readonly Alert[],
  style: CSSStyleDeclaration,
): Omit<uPlot.Options, "width" | "height"> {
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${style.fontFamily}`;
  const axis = { stroke: colour("muted"), font, ticks: { show: false } };
  const isLong = until - from > 2 * 86_400_000;
  const bars = uPlot.paths.bars?.({ size: [0.8, 24] });
  const series = drawn.map(({ colour: index }): uPlot.Series => {
    const stroke = colour(`series-${index}`);
    return kind === "bar"
      ? { stroke, fill: stroke, width: 0, paths: bars, points: { show: false } }
      : { stroke, width: 1.5, points: { show: false, filter: lonely, size: 4, fill: stroke } };
  });
  return {
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 } },
    padding: [8, 8, 0, 0],
    scales: {
      x: { time: true, range: [from / 1000, until / 1000] },
      y: { range: (_plot, lower, upper) => rangeOf([lower ?? 0, upper ?? 0], alerts) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 24,
        space: 64,
        values: (_plot, moments) => moments.map((moment) => timeLabel(moment * 1000, isLong)),
      },
      {
        ...axis,
        grid: { stroke: colour("faint"), width: 1 },
        size: 46,
        space: 36,
        values: (_plot, marks) => marks.map(formatNumber),
      },
    ],
    series: [{}, ...series],
  };
}

/** Values between empty buckets, of which a line would show nothing: they are drawn as dots. */
function lonely({ data }: uPlot, series: number): number[] {
  const column = data[series] ?? [];
  const isEmpty = (index: number) => (column[index] ?? null) === null;
  return [...column.keys()].filter((index) => !isEmpty(index) && isEmpty(index - 1) && isEmpty(index + 1));
}

function rangeOf(values: readonly number[], alerts: readonly Alert[]): [number, number] {
  const { least, most } = domainOf(values, alerts);
  return [least, most];
}

function drawThresholds(plot: uPlot, alerts: readonly Alert[], style: CSSStyleDeclaration): void {
  const { ctx } = plot;
  const { left, top, width, height } = plot.bbox;
  const ratio = devicePixelRatio;
  const colour = style.getPropertyValue("--bad").trim();
  ctx.save();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = 1.25 * ratio;
  ctx.font = `600 ${11 * ratio}px ${style.fontFamily}`;
  ctx.textAlign = "right";
  for (const value of alerts.flatMap(({ threshold, thresholdMax }) => [threshold, thresholdMax])) {
    if (value === undefined) continue;
    const at = plot.valToPos(value, "y", true);
    const isBeyond = at < top || at > top + height;
    const y = Math.min(Math.max(at, top), top + height);
    ctx.setLineDash([5 * ratio, 3 * ratio]);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    const text = isBeyond ? `${formatNumber(value)}, beyond this scale` : formatNumber(value);
    ctx.fillText(text, left + width - 2 * ratio, y + (y < top + 16 * ratio ? 13 : -4) * ratio);
  }
  ctx.restore();
}

function timeLabel(moment: number, isLong: boolean): string {
  if (!isLong) return timeOfDay(moment).slice(0, 5);
  return new Date(moment).toLocaleDateString("en-GB", { day: "numeric", month: "short" });
}
