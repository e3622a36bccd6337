import type { Box } from "./chart";
import type { TileChange } from "./compare";
import { element, type Markup } from "./element";
import { counted, describeAlert } from "./format";
import { columns, findGaps, findOverlaps, gridOf, type Overlap } from "./grid";
import { drawGrid, gap, margin } from "./gridDrawing";
import { gridsOf } from "./grids";
import type { Area, Dashboard, Tile, TileData } from "./model";
import { bold, fitted, isRightToLeft, widthOf } from "./text";
import { drawBell, drawTile, heightOfTile, type TileDrawing } from "./tile";

/** One dashboard in a picture. */
export interface Panel {
  readonly content: readonly Markup[];
  readonly width: number;
  readonly height: number;
}

/** How a panel is drawn. */
export interface PanelOptions {
  readonly form: "grid" | "stack";
  readonly width: number;
  /** Whether the panel shows the dashboard's name and tags, and problems with the places of tiles. */
  readonly titled: boolean;
  readonly data?: (tile: Tile) => TileData | undefined;
  /** A text above the name, such as `BEFORE`. */
  readonly heading?: string;
  /** The changes of a tile, in a comparison. */
  readonly changeOf?: (tile: Tile) => TileChange | undefined;
}

const longestList = 12;

/** Problems with the places of tiles. */
export interface Problems {
  readonly overlaps: readonly Overlap<Tile>[];
  readonly gaps: readonly Area[];
  readonly texts: readonly string[];
}

function overlapsOf(tiles: readonly Tile[]): Problems["overlaps"] {
  const overlaps = findOverlaps(tiles, ({ area }) => area);
  return overlaps.filter(({ first, second }) => gridOf(first.members) === gridOf(second.members));
}

/** Names the tiles that overlap. */
function overlapsInWords(overlaps: Problems["overlaps"]): string[] {
  return overlaps.map(({ first, second }) => `“${first.name}” and “${second.name}” overlap`);
}

/** Names the tiles that reach beyond the grid. */
function outsideInWords(tiles: readonly Tile[]): string[] {
  const outside = tiles.filter(({ area }) => area && area.x + area.w > columns);
  return outside.map(({ name }) => `“${name}” reaches beyond column ${columns}`);
}

/** Finds overlaps, gaps, tiles that reach beyond the grid, and tiles without a place. */
export function problemsOf(dashboard: Dashboard): Problems {
  const { tiles } = dashboard;
  const gaps = gridsOf(dashboard).flatMap((grid) => gapsOf(grid.tiles));
  const unplaced = tiles.filter(({ area }) => !area);
  const overlaps = overlapsOf(tiles);
  return {
    overlaps,
    gaps,
    texts: [
      ...limited(overlapsInWords(overlaps)),
      ...limited(outsideInWords(tiles)),
      ...limited(unplaced.map(({ name }) => `“${name}” has no place that is known`)),
      ...(gaps.length > 0 ? [counted(gaps.length, "gap")] : []),
    ],
  };
}

function gapsOf(tiles: readonly Tile[]): Area[] {
  return findGaps(tiles.flatMap(({ area }) => area ?? []));
}

function limited(texts: readonly string[]): string[] {
  return texts.length <= longestList
    ? [...texts]
    : [...texts.slice(0, longestList), `and ${texts.length - longestList} more of these`];
}

/** Draws a dashboard: its name, the problems of its layout, its tiles, and the alerts that are on no tile. */
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
  const problems = problemsOf(dashboard);
  if (options.titled) {
    content.push(...drawName(dashboard, problems, top, width));
    // Two panels side by side have to begin at the same height, so both leave room for a heading.
    top += problems.texts.length > 0 || options.heading ? 54 : 34;
  }

  const drawingOf = (tile: Tile): TileDrawing => {
    const change = options.changeOf?.(tile);
    return {
      data: options.data?.(tile),
      marks: change?.marks,
      changes: change?.changes,
      showsPlace: options.form === "stack" || tile.area === undefined,
    };
  };
  const drawOne = (tile: Tile, box: Box): Markup => drawTile(tile, box, drawingOf(tile));
  const grids = options.form === "grid" ? gridsOf(dashboard) : [];
  if (tiles.length === 0) {
    content.push(...drawNothing("No tiles.", top, width));
    top += 96;
  }
  for (const { title, tiles } of grids) {
    const placed = tiles.filter(({ area }) => area);
    if (placed.length === 0) continue;
    if (title !== undefined) {
      content.push(caption(fitted(title, width - 2 * margin, 12 * bold), top + 6, margin));
      top += 30;
    }
    const drawn = drawGrid(placed, { overlaps: overlapsOf(tiles), gaps: gapsOf(tiles) }, top, width, drawOne);
    content.push(...drawn.content);
    top += drawn.height + 8;
  }
  const listedTiles = options.form === "grid" ? tiles.filter(({ area }) => !area) : readingOrder(tiles);
  for (const [index, tile] of listedTiles.entries()) {
    if (index === 0 && options.form === "grid") {
      content.push(caption("Not on the grid", top, margin));
      top += 24;
    }
    const across = Math.min(width - 2 * margin, 480);
    const height = heightOfTile(tile, across, drawingOf(tile));
    const box = { left: margin, top, width: across, height };
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
  const title = fitted(name, tags.length > 0 ? room * 0.7 : room, 20 * bold);
  const isReversed = isRightToLeft(title);
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
      title,
    ),
  ];
  let left = isReversed ? margin : margin + widthOf(title, 20 * bold) + 10;
  const end = isReversed ? width - margin - widthOf(title, 20 * bold) - 10 : width - margin;
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

function caption(text: string, top: number, left: number): Markup {
  return element("text", { class: "muted strong", x: left, y: top + 12 }, text);
}
