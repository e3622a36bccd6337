import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Alert, pictureClass, type TileData } from "../../drawing";
import { type ChartLayout, drawChart, layOutChart } from "../../drawing/chart";
import type { Values } from "../../drawing/chartValues";
import { formatNumber } from "../../drawing/format";
import { seriesColours } from "../../drawing/style";
import { clockTime } from "./format";

interface ChartProps {
  kind: "line" | "bar";
  name: string;
  values: Values[];
  data: Exclude<TileData, { problem: string }>;
  alerts: readonly Alert[];
  description: string;
}

/**
 * A chart of values over time. Its legend shows the values under the pointer or at the arrow keys' position, or else
 * the latest values.
 */
export function Chart({ kind, name, values, data, alerts, description }: ChartProps) {
  const plot = useRef<HTMLDivElement>(null);
  const { width, height } = useSize(plot);
  const [chosen, setChosen] = useState<number>();
  const content = JSON.stringify([kind, values, data.from, data.until, data.bucket, alerts, width, height]);
  const drawn = useMemo(
    () => (width > 0 && height > 0 ? draw(kind, values, data, alerts, width, height) : undefined),
    [content],
  );

  const coloured = values.slice(0, seriesColours);
  const { from, until, bucket = until - from } = data;
  const last = Math.max(Math.round((until - from) / bucket) - 1, 0);
  const at = Math.min(chosen ?? last, last);
  const time = from + at * bucket;
  const current = coloured.map(({ label, points }) => {
    const value = points.find(([start]) => start === time)?.[1];
    return { label, value, text: value === undefined ? "–" : formatNumber(value) };
  });
  const point = ({ currentTarget, clientX }: PointerEvent) => {
    if (!drawn) return;
    const { left, right } = drawn.layout.plot;
    const across = clientX - (currentTarget as Element).getBoundingClientRect().left - left;
    setChosen(Math.min(Math.max(Math.floor((across / (right - left)) * (last + 1)), 0), last));
  };
  return (
    <div class="chart">
      <input
        type="range"
        class="hidden"
        aria-label={`${name}: values at`}
        aria-valuetext={`${clockTime(time)}: ${current.map(({ label, text }) => `${label} ${text}`).join(", ")}`}
        max={last}
        value={at}
        onInput={(event) => setChosen(event.currentTarget.valueAsNumber)}
        onFocus={() => setChosen(at)}
        onBlur={() => setChosen(undefined)}
      />
      <div
        class="plot"
        ref={plot}
        role="img"
        aria-label={description}
        onPointerMove={point}
        onPointerDown={point}
        onPointerLeave={() => setChosen(undefined)}
      >
        {drawn && (
          <svg class={pictureClass} width={width} height={height} aria-hidden="true">
            {/* Inserting the markup of a chart is safe, since the code that draws it escapes every text. */}
            <g dangerouslySetInnerHTML={{ __html: drawn.markup }} />
            {chosen !== undefined && (
              <Cursor
                kind={kind}
                layout={drawn.layout}
                time={time + drawn.offset}
                values={current.map(({ value }) => value)}
              />
            )}
          </svg>
        )}
      </div>
      <ul class="legend" aria-hidden="true">
        {chosen !== undefined && <li class="time">{clockTime(time)}</li>}
        {current.map(({ label, text }, index) => (
          <li key={label}>
            <svg class={`swatch ${pictureClass}`} aria-hidden="true">
              <rect class={`f${index}`} width="100%" height="100%" />
            </svg>
            <span class="name" dir="auto">
              {label}
            </span>{" "}
            <span class="value">{text}</span>
          </li>
        ))}
        {values.length > coloured.length && <li class="muted">and {values.length - coloured.length} more</li>}
      </ul>
    </div>
  );
}

function Cursor({
  kind,
  layout: { plot, bucket, x, y },
  time,
  values,
}: {
  kind: "line" | "bar";
  layout: ChartLayout;
  time: number;
  values: (number | undefined)[];
}) {
  const height = plot.bottom - plot.top;
  if (kind === "bar")
    return (
      <rect class="cursor" x={x(time)} y={plot.top} width={x(time + bucket) - x(time)} {...{ height }} />
    );
  const center = x(time + bucket / 2);
  return (
    <>
      <rect class="cursor" x={center - 0.5} y={plot.top} width={1} height={height} />
      {values.map(
        (value, index) =>
          value !== undefined && <circle key={index} class={`f${index}`} cx={center} cy={y(value)} r={3.5} />,
      )}
    </>
  );
}

/**
 * Draws a chart with local times. The code that draws charts writes times in UTC, so the times are shifted by the offset of the
 * time zone.
 */
function draw(
  kind: "line" | "bar",
  values: readonly Values[],
  data: ChartProps["data"],
  alerts: readonly Alert[],
  width: number,
  height: number,
) {
  const box = { left: 0, top: 0, width, height };
  const offset = -new Date(data.until).getTimezoneOffset() * 60_000;
  const moved = values.map((series) => ({
    ...series,
    points: series.points.map(([time, value]) => [time + offset, value] as const),
  }));
  const range = { ...data, from: data.from + offset, until: data.until + offset };
  return {
    offset,
    layout: layOutChart(box, kind, moved, range, alerts, false),
    markup: drawChart(box, kind, moved, range, alerts, false).source,
  };
}

function useSize(element: { readonly current: HTMLElement | null }): { width: number; height: number } {
  const [size, setSize] = useState({ width: 0, height: 0 });
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setSize({ width: entry.contentRect.width, height: entry.contentRect.height });
    });
    if (element.current) observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
