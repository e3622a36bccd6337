import type { Box } from "./chart";
import type { TileChange } from "./compare";
import { element, type Markup, rounded } from "./element";
import { counted, describeAlert } from "./format";
import { columnScale, columns, findGaps, findOverlaps, type Overlap, rowScale, type Scale } from "./grid";
import type { Area, Dashboard, Tile, TileData } from "./model";
import { bold, fitted, isRightToLeft, widthOf } from "./text";
import { drawBell, drawTile } from "./tile";

/** One dashboard of a picture. */
export interface Panel {
  readonly content: readonly Markup[];
  readonly width: number;
  readonly height: number;
}

/** How a panel is drawn. */
export interface PanelOptions {
  readonly form: "grid" | "stack";
  readonly width: number;
  /** Whether it shows the name and the tags, and what is wrong with the places. */
  readonly titled: boolean;
  readonly data?: (tile: Tile) => TileData | undefined;
  /** Stands above the name: `BEFORE`. */
  readonly heading?: string;
  /** What a comparison says of a tile. */
  readonly changeOf?: (tile: Tile) => TileChange | undefined;
}

const margin = 16;
const ruler = 22;
const rowHeight = 40;
/** Between two tiles. */
const gap = 8;
/** In a stack, or off the grid. */
const tileHeight = { least: 120, most: 280 };
const longestList = 12;

/** What is wrong with the places of tiles. */
export interface Problems {
  readonly overlaps: readonly Overlap<Tile>[];
  readonly gaps: readonly Area[];
  readonly texts: readonly string[];
}

/** Overlaps and gaps, tiles that reach beyond the grid, and tiles without a place. */
export function problemsOf(tiles: readonly Tile[]): Problems {
  const overlaps = findOverlaps(tiles, ({ area }) => area);
  const gaps = findGaps(tiles.flatMap(({ area }) => area ?? []));
  const outside = tiles.filter(({ area }) => area && area.x + area.w > columns);
  const unplaced = tiles.filter(({ area }) => !area);
  return {
    overlaps,
    gaps,
    texts: [
      ...limited(overlaps.map(({ first, second }) => `“${first.name}” and “${second.name}” overlap`)),
      ...limited(outside.map(({ name }) => `“${name}” reaches beyond column ${columns}`)),
      ...limited(unplaced.map(({ name }) => `“${name}” has no place that is known`)),
      ...(gaps.length > 0 ? [counted(gaps.length, "gap")] : []),
    ],
  };
}

function limited(texts: readonly string[]): string[] {
  return texts.length <= longestList
    ? [...texts]
    : [...texts.slice(0, longestList), `and ${texts.length - longestList} more of these`];
}

/** A dashboard: its name, what is wrong with it, its tiles, and the alerts that are on none of them. */
export function drawPanel(dashboard: Dashboard | undefined, options: PanelOptions): Panel {
  const { width } = options;
  const content: Markup[] = [];
  let top = margin;
  if (options.heading) {
    content.push(element("text", { class: "muted heading", x: margin, y: top + 11 }, options.heading));
    top += 20;
  }
  if (!dashboard) {
    content.push(...drawNothing("There is no such dashboard.", top, width));
    return { content, width, height: top + 110 };
  }
  const { tiles } = dashboard;
  const problems = problemsOf(tiles);
  if (options.titled) {
    content.push(...drawName(dashboard, problems, top, width));
    // Two panels beside one another begin at the same height.
    top += problems.texts.length > 0 || options.heading ? 54 : 34;
  }

  const drawOne = (tile: Tile, box: Box): Markup => {
    const change = options.changeOf?.(tile);
    return drawTile(tile, box, {
      data: options.data?.(tile),
      marks: change?.marks,
      changes: change?.changes,
      showsPlace: options.form === "stack" || tile.area === undefined,
    });
  };
  const grid = options.form === "grid" ? tiles.filter(({ area }) => area) : [];
  if (tiles.length === 0) {
    content.push(...drawNothing("No tiles.", top, width));
    top += 96;
  }
  if (grid.length > 0) {
    const drawn = drawGrid(grid, problems, top, width, drawOne);
    content.push(...drawn.content);
    top += drawn.height + 8;
  }
  const others = options.form === "grid" ? tiles.filter(({ area }) => !area) : readingOrder(tiles);
  for (const [index, tile] of others.entries()) {
    if (index === 0 && options.form === "grid") {
      content.push(caption("Not on the grid", top, margin));
      top += 24;
    }
    const height = Math.min(Math.max((tile.area?.h ?? 0) * rowHeight, tileHeight.least), tileHeight.most);
    const box = { left: margin, top, width: Math.min(width - 2 * margin, 480), height };
    content.push(drawOne(tile, box));
    top += height + gap;
  }
  if (dashboard.alerts.length > 0) {
    content.push(caption("Alerts that are on none of these tiles", top + 4, margin));
    top += 26;
    for (const alert of dashboard.alerts) {
      content.push(drawBell(margin + 2, top + 1));
      content.push(
        element(
          "text",
          { class: "ink", x: margin + 22, y: top + 12 },
          fitted(describeAlert(alert), width - 2 * margin - 24, 12),
        ),
      );
      top += 22;
    }
  }
  return { content, width, height: top + margin - gap };
}

function readingOrder(tiles: readonly Tile[]): Tile[] {
  const row = ({ area }: Tile) => area?.y ?? Number.MAX_VALUE;
  return [...tiles].sort((a, b) => row(a) - row(b) || (a.area?.x ?? 0) - (b.area?.x ?? 0));
}

function drawName({ name, tags }: Dashboard, problems: Problems, top: number, width: number): Markup[] {
  const room = width - 2 * margin;
  const shown = fitted(name, tags.length > 0 ? room * 0.7 : room, 20 * bold);
  const isReversed = isRightToLeft(shown);
  const content = [
    element(
      "text",
      {
        class: "ink name",
        x: isReversed ? width - margin : margin,
        y: top + 18,
        direction: isReversed ? "rtl" : undefined,
      },
      element("title", {}, name.slice(0, 1000)),
      shown,
    ),
  ];
  let left = isReversed ? margin : margin + widthOf(shown, 20 * bold) + 10;
  const end = isReversed ? width - margin - widthOf(shown, 20 * bold) - 10 : width - margin;
  for (const tag of tags) {
    const text = fitted(tag, Math.min(160, end - left - 16), 11);
    if (text === "") break;
    const length = widthOf(text, 11) + 16;
    content.push(element("rect", { class: "chip", x: left, y: top + 3, width: length, height: 19, rx: 9.5 }));
    content.push(
      element(
        "text",
        { class: "muted", x: left + length / 2, y: top + 16.5, "text-anchor": "middle", "font-size": 11 },
        text,
      ),
    );
    left += length + 6;
  }
  const hasProblem = problems.texts.length > (problems.gaps.length > 0 ? 1 : 0);
  const line = fitted(problems.texts.join(" · "), room, 12);
  if (line !== "")
    content.push(
      element("text", { class: hasProblem ? "warning ink" : "muted", x: margin, y: top + 40 }, line),
    );
  return content;
}

function drawNothing(text: string, top: number, width: number): Markup[] {
  return [
    element("rect", {
      class: "frame dashed",
      x: margin + 0.5,
      y: top + 0.5,
      width: width - 2 * margin - 1,
      height: 80,
      rx: 8,
    }),
    element("text", { class: "muted", x: width / 2, y: top + 44, "text-anchor": "middle" }, text),
  ];
}

function drawGrid(
  tiles: readonly Tile[],
  { overlaps, gaps }: Problems,
  top: number,
  width: number,
  drawOne: (tile: Tile, box: Box) => Markup,
): { content: Markup[]; height: number } {
  const areas = tiles.flatMap(({ area }) => area ?? []);
  // Room for what lies right of the grid is taken from the columns.
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

/** Never turned inside out, however small the box. */
function inset({ left, top, width, height }: Box, by: number): Box {
  const [x, y] = [Math.min(by, width / 4), Math.min(by, height / 4)];
  return { left: left + x, top: top + y, width: width - 2 * x, height: height - 2 * y };
}

/** Columns above, and on the left the rows at which tiles begin and end, as far as there is room for them. */
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

/** An area with slanted lines. Drawn as a path: a pattern would need an id, and pictures share pages. */
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

function caption(text: string, top: number, left: number): Markup {
  return element("text", { class: "muted strong", x: left, y: top + 12 }, text);
}
