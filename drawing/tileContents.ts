import type { Box } from "./chart";
import type { Values } from "./chartValues";
import { element, type Markup, rounded } from "./element";
import { formatNumber } from "./format";
import type { TileData } from "./model";
import { seriesColours } from "./style";
import { bold, fitted, isRightToLeft, widthOf, wrapped } from "./text";

/** Least height in pixels of a number with a label. */
const leastWithLabel = 44;

/** Draws one number, as large as there is room for. */
export function drawNumber(
  { left, top, width, height }: Box,
  { total, isApproximate, label }: Values,
  { from, until }: Exclude<TileData, { problem: string }>,
): Markup {
  const text = `${isApproximate ? "≈ " : ""}${formatNumber(total)}`;
  const isLow = height < leastWithLabel;
  const size = Math.min(44, isLow ? height : height - 22, width / widthOf(text, bold));
  const middle = top + height / 2;
  return element(
    "g",
    {},
    element("text", { class: "ink strong", x: left, y: middle + size * 0.25, "font-size": size }, text),
    isLow
      ? undefined
      : element(
          "text",
          { class: "muted small", x: left, y: middle + size * 0.25 + 18 },
          fitted(`${label}, in ${duration(until - from)}`, width, 10.5),
        ),
  );
}

/** Pixels of one row of a table. */
export const tableRowHeight = 20;

/** Draws a table: the total of each group with a bar, the largest first. */
export function drawTable({ left, top, width, height }: Box, values: readonly Values[]): Markup {
  const rows = Math.max(1, Math.floor(height / tableRowHeight));
  const isWhole = values.length <= rows;
  const fitting = values.slice(0, isWhole ? rows : Math.max(rows - 1, 1));
  const largest = values.reduce((most, { total }) => Math.max(most, Math.abs(total)), 0) || 1;
  return element(
    "g",
    {},
    fitting.map(({ label, total, isApproximate }, index) => {
      const baseline = top + index * tableRowHeight + 14;
      const name = fitted(label, width - 70, 12);
      const isReversed = isRightToLeft(name);
      return [
        element("rect", {
          class: "chip",
          x: left,
          y: top + index * tableRowHeight + 1,
          width: Math.max((width * Math.abs(total)) / largest, 1),
          height: tableRowHeight - 2,
          rx: 3,
        }),
        element(
          "text",
          {
            class: "ink",
            x: isReversed ? left + width - 64 : left + 6,
            y: baseline,
            direction: isReversed ? "rtl" : undefined,
          },
          name,
        ),
        element(
          "text",
          { class: "ink strong", x: left + width - 4, y: baseline, "text-anchor": "end" },
          `${isApproximate ? "≈ " : ""}${formatNumber(total)}`,
        ),
      ];
    }),
    isWhole || rows < 2
      ? undefined
      : element(
          "text",
          { class: "muted small", x: left + 6, y: top + (rows - 1) * tableRowHeight + 14 },
          `and ${values.length - fitting.length} more`,
        ),
  );
}

/** Draws a pie: the shares of the groups, the largest first, with their names beside it. */
export function drawPie({ left, top, width, height }: Box, values: readonly Values[]): Markup {
  const shown = largestFirst(values);
  const sum = shown.reduce((total, value) => total + Math.abs(value.total), 0) || 1;
  const radius = Math.max(Math.min(height, width * 0.4) / 2 - 2, 1);
  const [x, y] = [left + radius, top + height / 2];
  const at = (part: number) =>
    `${rounded(x + radius * Math.sin(2 * Math.PI * part))} ${rounded(y - radius * Math.cos(2 * Math.PI * part))}`;
  let begin = 0;
  const slices = shown.map(({ total }, index) => {
    const end = begin + Math.abs(total) / sum;
    const edge = `A${rounded(radius)} ${rounded(radius)} 0 ${end - begin > 0.5 ? 1 : 0} 1 ${at(end)}Z`;
    const slice =
      end - begin > 0.999
        ? element("circle", { class: `f${index}`, cx: x, cy: y, r: radius })
        : element("path", { class: `f${index}`, d: `M${rounded(x)} ${rounded(y)}L${at(begin)}${edge}` });
    begin = end;
    return slice;
  });
  const names = { left: left + 2 * radius + 14, top, width: width - 2 * radius - 14, height };
  return element("g", {}, slices, drawNames(names, shown));
}

/** Draws a bar for each group, the largest first, with the group's name below. */
export function drawBars({ left, top, width, height }: Box, values: readonly Values[]): Markup {
  const shown = largestFirst(values);
  const step = width / shown.length;
  const room = Math.max(height - 32, 1);
  const largest = Math.max(...shown.map(({ total }) => Math.abs(total))) || 1;
  return element(
    "g",
    {},
    shown.map(({ label, total }, index) => {
      const bar = (room * Math.abs(total)) / largest;
      const middle = left + (index + 0.5) * step;
      const word = (text: string, y: number, tone: string) =>
        element("text", { class: `${tone} small`, x: middle, y, "text-anchor": "middle" }, text);
      return [
        element("rect", {
          class: `f${index}`,
          ...{
            x: left + index * step + step * 0.1,
            y: top + 16 + room - bar,
            width: step * 0.8,
            height: bar,
            rx: 2,
          },
        }),
        word(formatNumber(total), top + 12 + room - bar, "ink"),
        word(fitted(label, step, 10.5), top + height - 4, "muted"),
      ];
    }),
  );
}

/** The largest groups, as many as there are colours. */
function largestFirst(values: readonly Values[]): readonly Values[] {
  return [...values].sort((a, b) => Math.abs(b.total) - Math.abs(a.total)).slice(0, seriesColours);
}

/** Draws the names of groups with their colours and totals. */
function drawNames({ left, top, width, height }: Box, values: readonly Values[]): Markup[] {
  const rows = values.slice(0, Math.max(1, Math.floor(height / 16)));
  return rows.flatMap(({ label, total }, index) => {
    const y = top + index * 16;
    return [
      element("rect", { class: `f${index}`, x: left, y: y + 3, width: 9, height: 9, rx: 2 }),
      element(
        "text",
        { class: "muted small", x: left + 14, y: y + 11 },
        fitted(`${label} ${formatNumber(total)}`, width - 14, 10.5),
      ),
    ];
  });
}

/** Draws a text in as many lines as there is room for. */
export function drawText({ left, top, width, height }: Box, text: string): Markup {
  const lines = wrapped(text, width, 12, { most: Math.max(1, Math.floor(height / 17)) });
  return element(
    "g",
    {},
    lines.map((line, index) => {
      const isReversed = isRightToLeft(line);
      return element(
        "text",
        {
          class: "muted",
          x: isReversed ? left + width : left,
          y: top + index * 17 + 13,
          direction: isReversed ? "rtl" : undefined,
        },
        line,
      );
    }),
  );
}

/** A length of time in words: `24 hours`, `90 minutes`. */
function duration(milliseconds: number): string {
  const units = [
    [86_400_000, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1000, "second"],
  ] as const;
  const [length, name] = units.find(([unit]) => milliseconds % unit === 0 && milliseconds > unit) ?? [
    1000,
    "second",
  ];
  const count = Math.round(milliseconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}
