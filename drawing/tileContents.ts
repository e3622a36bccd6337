import type { Box } from "./chart";
import { element, type Markup } from "./element";
import { formatNumber } from "./format";
import type { TileData } from "./model";
import { bold, fitted, isRightToLeft, widthOf, wrapped } from "./text";
import type { Values } from "./values";

/** In less height a number stands alone. */
const leastWithLabel = 44;

/** One number, as large as there is room for. */
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

/** Of one row of a table. */
export const tableRowHeight = 20;

/** The total of each group with a bar, the largest first. */
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

/** A text in as many lines as there is room for. */
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

/** A span of time: `24 hours`, `90 minutes`. */
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
