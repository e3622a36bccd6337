import { type Box, drawChart } from "./chart";
import { valuesOf } from "./chartValues";
import { element, type Markup } from "./element";
import {
  condition,
  describeAlert,
  describeArea,
  describeFilter,
  describeSeries,
  shortCondition,
  shownSeries,
} from "./format";
import type { Alert, Kind, Tile, TileData } from "./model";
import { drawSketch } from "./sketch";
import { bold, fitted, isRightToLeft, widthOf, wrapped } from "./text";
import { drawBars, drawNumber, drawPie, drawTable, drawText, tableRowHeight } from "./tileContents";
import { drawLine, linesOf, padding } from "./tileText";

/** The kind of a tile's change, in a comparison. */
export type Mark = "added" | "removed" | "moved" | "resized" | "changed";

/** What is drawn of a tile in addition to the tile itself. */
export interface TileDrawing {
  /** The values of the tile. Without them, the tile describes its content in words. */
  readonly data?: TileData;
  readonly marks?: readonly Mark[];
  /** The changes of the tile in words, for the tooltip. */
  readonly changes?: readonly string[];
  /** Whether the tile shows its place on the grid. */
  readonly showsPlace?: boolean;
}

const lineHeight = 16;
const badgeHeight = 24;
const badgeSize = 12;
/** Least pixels of a chart; in less room it would show nothing. */
const leastChart = { width: 72, height: 60 };
const usualChart = 110;
/** The part of the room that is kept for values, however many words there are. */
const leastPart = 0.55;
/** Least pixels of a tile that shows more than its name. */
const leastBody = { width: 48, height: 45 };
/** Maximum number of lines of a text tile on a phone. */
const mostTextLines = 12;
const mostTableRows = 8;
const mostBadges = 4;
/** Maximum number of characters of a tooltip. */
const longestTitle = 1000;

/** Draws a tile in a box of its own. Nothing is drawn beyond the box. */
export function drawTile(tile: Tile, box: Box, drawing: TileDrawing = {}): Markup {
  const { width, height } = box;
  const { marks = [] } = drawing;
  const [mark] = marks;
  const hasBody = width >= leastBody.width && height >= leastBody.height;
  return element(
    "svg",
    { x: box.left, y: box.top, width, height },
    element("title", {}, describeTile(tile, drawing.changes).slice(0, longestTitle)),
    element("rect", {
      class: "tile",
      x: 0.5,
      y: 0.5,
      width: Math.max(width - 1, 0),
      height: Math.max(height - 1, 0),
      rx: 6,
    }),
    drawHeader(tile, width, height, marks),
    hasBody ? drawBody(tile, width, height, drawing) : undefined,
    mark
      ? element("rect", {
          class: `frame marked ${mark}${mark === "removed" ? " dashed" : ""}`,
          x: 1,
          y: 1,
          width: Math.max(width - 2, 0),
          height: Math.max(height - 2, 0),
          rx: 6,
        })
      : undefined,
  );
}

/** Describes a tile: its name, its content, its place, and its alerts. */
export function describeTile(tile: Tile, changes: readonly string[] = []): string {
  return [
    tile.name,
    [tile.kindName, tile.area ? describeArea(tile.area) : "place not known"].join(", "),
    ...(tile.description ? [tile.description] : []),
    ...(tile.query ? [tile.query] : []),
    ...shownSeries(tile).map((series) =>
      [describeSeries(series), describeFilter(series), series.sourceName && `from ${series.sourceName}`]
        .filter(Boolean)
        .join(" "),
    ),
    ...tile.alerts.map((alert) => `Alert ${describeAlert(alert)}`),
    ...changes,
  ].join(" · ");
}

function drawHeader(tile: Tile, width: number, height: number, marks: readonly Mark[]): Markup[] {
  const side = Math.min(padding, width / 8);
  const baseline = height < 30 ? height / 2 + 4 : 23;
  let right = width - side;
  const parts: Markup[] = [];
  for (const mark of width > 120 ? [...marks].reverse() : []) {
    const tag = widthOf(mark, 10.5 * bold) + 14;
    right -= tag;
    parts.push(
      element("rect", { class: `${mark} pill`, x: right, y: baseline - 13, width: tag, height: 17, rx: 8.5 }),
      element(
        "text",
        { class: "on-pill tag", x: right + tag / 2, y: baseline - 0.5, "text-anchor": "middle" },
        mark,
      ),
    );
    right -= 6;
  }
  if (tile.alerts.length > 0 && marks.length === 0 && right - side > 40) {
    right -= 14;
    parts.push(drawBell(right, baseline - 11));
    right -= 6;
  }
  const size = width < 90 || height < 30 ? 11.5 : 13.5;
  const name = fitted(tile.name, right - side, size * bold);
  const isReversed = isRightToLeft(name);
  parts.unshift(
    element(
      "text",
      {
        class: `ink tile-name${size < 12 ? " small" : ""}`,
        x: isReversed ? right : side,
        y: baseline,
        direction: isReversed ? "rtl" : undefined,
      },
      name,
    ),
  );
  return parts;
}

/**
 * Draws words at the top, the chart in the middle, and alerts at the bottom. What does not fit is only in the tooltip.
 */
function drawBody(tile: Tile, width: number, height: number, { data, showsPlace }: TileDrawing): Markup[] {
  const inner = width - 2 * padding;
  let top = 32;
  let bottom = height - 10;
  // Values have precedence, since the thresholds of alerts are in the chart.
  const isWide = inner >= leastWidth(tile.kind);
  const least = leastHeight(tile.kind);
  const hasValues = isWide && data !== undefined && tile.kind !== "other" && bottom - top >= least;
  const room = bottom - top - (hasValues ? least : 0);
  const badges = drawBadges(tile.alerts, inner, bottom, Math.floor(room / badgeHeight));
  bottom -= badges.rows * badgeHeight;

  const lines = linesOf(tile, showsPlace === true, inner);
  // A sketch only fills room that would be empty, while values take the place of words.
  const leastSketch =
    tile.kind === "text" ? least + lineHeight : leastChart.height + lines.length * lineHeight;
  const isChart = hasValues || (isWide && bottom - top >= leastSketch);
  const usual = usualHeight(tile, inner, data);
  const ofValues = Math.max(least, Math.min(usual, (bottom - top) * leastPart));
  const chartHeight = hasValues ? ofValues : isChart ? Math.min(leastChart.height, usual) : 0;
  const rows = Math.floor((bottom - top - chartHeight) / lineHeight);
  const fitting = lines.slice(0, Math.max(rows, 0));
  const drawnLines = fitting.flatMap((line, index) =>
    drawLine(
      line,
      top + index * lineHeight + 11,
      inner,
      lines.length > fitting.length && index === fitting.length - 1,
    ),
  );
  top += fitting.length * lineHeight + 6;
  const body = isChart ? { left: padding, top, width: inner, height: bottom - top - 4 } : undefined;
  return [...drawnLines, ...(body ? [drawValues(tile, body, data)] : []), ...badges.drawn];
}

/**
 * Least width in pixels of a tile's values: words are broken into lines and numbers get smaller, but a chart has axes.
 */
function leastWidth(kind: Kind): number {
  return kind === "text" || kind === "number" ? 0 : leastChart.width;
}

/**
 * Least height in pixels of a tile's values: a number, a row of a table or a line of text needs little height, a chart
 * more.
 */
function leastHeight(kind: Kind): number {
  return kind === "number" || kind === "table" || kind === "text" ? 28 : leastChart.height;
}

/** The height, in pixels, in which a tile shows all its words and alerts, and its values or a sketch of them. */
export function heightOfTile(tile: Tile, width: number, { data, showsPlace }: TileDrawing): number {
  const lines = linesOf(tile, showsPlace === true, width - 2 * padding);
  const badges = Math.min(tile.alerts.length, mostBadges) * badgeHeight;
  return 32 + lines.length * lineHeight + 6 + usualHeight(tile, width - 2 * padding, data) + 14 + badges;
}

/** The usual height of values, or of a sketch of them, in pixels. */
function usualHeight(tile: Tile, width: number, data: TileData | undefined): number {
  if (tile.kind === "text") return wrapped(tile.text ?? "", width, 12, { most: mostTextLines }).length * 17;
  if (data === undefined || "problem" in data || tile.kind === "other") return leastChart.height;
  if (tile.kindName === "pie" || tile.kindName === "bar") return usualChart;
  const count = valuesOf(tile, data.points).length;
  if (tile.kind === "table" || (tile.kind === "number" && count > 1))
    return Math.min(Math.max(count, 1), mostTableRows) * tableRowHeight;
  return tile.kind === "number" ? leastChart.height : usualChart;
}

function drawValues(tile: Tile, box: Box, data: TileData | undefined): Markup {
  if (tile.kind === "text") return drawText(box, tile.text ?? "");
  if (data === undefined) return drawSketch(box, tile);
  if ("problem" in data) return drawText(box, `No data: ${data.problem}`);
  if (tile.kind === "other") return drawText(box, `Charts of this kind are not drawn.`);
  const values = valuesOf(tile, data.points);
  const [first, ...moreValues] = values;
  if (!first) return drawText(box, "No values in this time.");
  if (tile.kind === "number" && moreValues.length === 0) return drawNumber(box, first, data);
  if (tile.kindName === "pie") return drawPie(box, values);
  if (tile.kindName === "bar") return drawBars(box, values);
  if (tile.kind === "number" || tile.kind === "table") return drawTable(box, values);
  return drawChart(box, tile.kind, values, data, tile.alerts);
}

/** Draws a line for each alert, as many as there is room for. */
function drawBadges(
  alerts: readonly Alert[],
  width: number,
  bottom: number,
  room: number,
): { rows: number; drawn: Markup[] } {
  const rows = Math.min(alerts.length, Math.max(room, 0), mostBadges);
  const drawn = alerts.slice(0, rows).flatMap((alert, index): Markup[] => {
    const top = bottom - (rows - index) * badgeHeight + 3;
    const hidden = index === rows - 1 ? alerts.length - rows : 0;
    const text = badgeText(alert, hidden, width - 18);
    const chip = Math.min(widthOf(text, badgeSize * bold) + 18, width);
    const firing = alert.firing ? " firing" : "";
    const nameRoom = width - chip - 8;
    const name = hidden === 0 && alert.name && nameRoom > 30 ? fitted(alert.name, nameRoom, 12) : "";
    const isReversed = isRightToLeft(name);
    return [
      element("rect", { class: `alert${firing} chip`, x: padding, y: top, width: chip, height: 20, rx: 10 }),
      element(
        "text",
        { class: `alert${firing} ink strong`, x: padding + chip / 2, y: top + 14, "text-anchor": "middle" },
        text,
      ),
      ...(name === ""
        ? []
        : [
            element(
              "text",
              {
                class: "muted",
                x: isReversed ? padding + width : padding + chip + 8,
                y: top + 14,
                direction: isReversed ? "rtl" : undefined,
              },
              name,
            ),
          ]),
    ];
  });
  return { rows, drawn };
}

/** An alert in as many words as there is room for: `▲ above 100 every 5m`, `▲ above 100`, `▲ 100`. */
function badgeText(alert: Alert, hidden: number, width: number): string {
  const [whole, short] = [condition(alert), shortCondition(alert)];
  const more = hidden > 0 ? `, and ${hidden} more` : alert.interval ? ` every ${alert.interval}` : "";
  const text = [`${whole}${more}`, whole, short].find(
    (candidate) => widthOf(candidate, badgeSize * bold) <= width,
  );
  // The number is never cut, since without its last digits it would be another number.
  return text ?? fitted(`${short.split(" ", 1)} …`, width, badgeSize * bold);
}

/** Draws the sign of an alert, 13 pixels wide and high. */
export function drawBell(left: number, top: number): Markup {
  return element("path", {
    class: "alert ink",
    transform: `translate(${left} ${top})`,
    d: "M6.5 0a1 1 0 0 1 1 1v.6a4 4 0 0 1 3 3.9v3l1.5 1.7v.8H1v-.8L2.5 8.5v-3a4 4 0 0 1 3-3.9V1a1 1 0 0 1 1-1zM5 11.6h3a1.5 1.5 0 0 1-3 0z",
  });
}
