import type { Box } from "./chart";
import { element, type Markup, rounded } from "./element";
import { columnScale, rowScale, type Scale } from "./grid";
import type { Area, Tile } from "./model";
import { fitted, widthOf } from "./text";

/** Pixels around a dashboard. */
export const margin = 16;
/** Pixels between two tiles. */
export const gap = 8;
/** Pixels of one row of the grid. */
export const rowHeight = 40;
const ruler = 22;

/** Draws tiles at their places on the grid, with rulers, and with gaps and overlaps marked. */
export function drawGrid(
  tiles: readonly Tile[],
  {
    overlaps,
    gaps,
  }: { readonly overlaps: readonly { readonly area: Area }[]; readonly gaps: readonly Area[] },
  top: number,
  width: number,
  drawOne: (tile: Tile, box: Box) => Markup,
): { content: Markup[]; height: number } {
  const areas = tiles.flatMap(({ area }) => area ?? []);
  // Tiles to the right of the grid get their room from the columns of the grid.
  const unscaled = columnScale(areas, 1);
  const left = margin + ruler;
  const across = columnScale(areas, (width - left - margin) / unscaled.length);
  const down = rowScale(areas, rowHeight);
  const boxOf = ({ x, y, w, h }: Area): Box => ({
    left: left + across.at(x),
    top: top + ruler + down.at(y),
    width: across.at(x + w) - across.at(x),
    height: down.at(y + h) - down.at(y),
  });
  return {
    content: [
      ...drawRulers(across, down, left, top),
      ...gaps.map((area) => drawGap(area, inset(boxOf(area), gap / 2))),
      ...tiles.map((tile) => drawOne(tile, inset(boxOf(tile.area as Area), gap / 2))),
      ...distinct(overlaps.map(({ area }) => area)).map((area) => drawOverlap(inset(boxOf(area), gap / 2))),
    ],
    height: ruler + down.length,
  };
}

function distinct(areas: readonly Area[]): Area[] {
  return [...new Map(areas.map((area) => [`${area.x} ${area.y} ${area.w} ${area.h}`, area])).values()];
}

/** A box made smaller on all sides. Its size never becomes negative. */
function inset({ left, top, width, height }: Box, by: number): Box {
  const [x, y] = [Math.min(by, width / 4), Math.min(by, height / 4)];
  return { left: left + x, top: top + y, width: width - 2 * x, height: height - 2 * y };
}

/**
 * Draws rulers: the columns above, and on the left the rows at which tiles begin and end, if there is room for the
 * numbers.
 */
function drawRulers(across: Scale, down: Scale, left: number, top: number): Markup[] {
  const numbers = [0, 4, 8, 12, 16, 20, 24].map((column) =>
    element(
      "text",
      { class: "muted small", x: left + across.at(column), y: top + 12, "text-anchor": "middle" },
      String(column),
    ),
  );
  const lines = [0, 4, 8, 12, 16, 20, 24].map(
    (column) =>
      `M${rounded(left + across.at(column))} ${rounded(top + ruler - 5)}v${rounded(down.length + 5)}`,
  );
  let last = Number.NEGATIVE_INFINITY;
  for (const [row, pixels] of down.stops) {
    if (pixels - last < 14) continue;
    last = pixels;
    numbers.push(
      element(
        "text",
        { class: "muted small", x: left - 8, y: top + ruler + pixels + 4, "text-anchor": "end" },
        fitted(rounded(row), ruler + 10, 10.5),
      ),
    );
  }
  return [element("path", { class: "axis", d: lines.join("") }), ...numbers];
}

function drawGap({ w, h }: Area, box: Box): Markup {
  const words = `gap ${rounded(w)} × ${rounded(h)}`;
  return hatched(box, "", `${words}, in which there is no tile`, words, 14);
}

function drawOverlap(box: Box): Markup {
  return hatched(box, "warning ", "Tiles overlap here", "overlap", 7);
}

/**
 * Draws an area with slanted lines. They are a path, since a pattern would need an id, and several pictures may share a
 * page.
 */
function hatched(
  { left, top, width, height }: Box,
  kind: string,
  title: string,
  words: string,
  step: number,
): Markup {
  const lines: string[] = [];
  for (let at = step; at < width + height; at += step) {
    const [x1, y1] = [Math.min(at, width), Math.max(at - width, 0)];
    const [x2, y2] = [Math.max(at - height, 0), Math.min(at, height)];
    lines.push(`M${rounded(x1)} ${rounded(y1)}L${rounded(x2)} ${rounded(y2)}`);
  }
  const length = widthOf(words, 10.5) + 14;
  const isRoomy = width > length + 4 && height > (kind ? 60 : 24);
  return element(
    "svg",
    { x: left, y: top, width, height },
    element("title", {}, title),
    element("path", { class: `${kind}hatch`, d: lines.join("") }),
    element("rect", {
      class: `${kind}frame dashed`,
      x: 0.5,
      y: 0.5,
      width: Math.max(width - 1, 0),
      height: Math.max(height - 1, 0),
      rx: 6,
    }),
    isRoomy
      ? [
          element("rect", {
            class: `${kind || "ground "}chip`,
            x: (width - length) / 2,
            y: height / 2 - 9,
            width: length,
            height: 18,
            rx: 9,
          }),
          element(
            "text",
            {
              class: `${kind ? "warning ink" : "muted"} small`,
              x: width / 2,
              y: height / 2 + 3.5,
              "text-anchor": "middle",
            },
            words,
          ),
        ]
      : undefined,
  );
}
