import { columns, gridOf, intersection } from "../../../drawing/grid";
import type { Area } from "../../../drawing/model";
import { isObject, type PropertyMap } from "../../values/data";
import { isUnknown, unknown } from "../../values/unknown";
import type { Failure } from "../../values/validate";
import { entriesOf } from "../tiles/tiles";

/** Width and height of a tile if the program declares neither, as in the console. */
const usual = { w: 12, h: 10 };
const sizes: { readonly [kind: string]: { readonly w: number; readonly h: number } } = {
  number: { w: 6, h: 6 },
  table: { w: columns, h: 12 },
  search: { w: columns, h: 12 },
  markdown: { w: 12, h: 8 },
};

/** The failures for a tile's `row` that is no boolean, and for a tile that declares only one of `x` and `y`. */
export function flowFailures(tiles: unknown): Failure[] {
  return entriesOf(tiles).flatMap(([at, tile]) => {
    const { row } = tile;
    const failures: Failure[] = [];
    if (row !== undefined && typeof row !== "boolean" && !isUnknown(row))
      failures.push({ path: `tiles[${at}].row`, message: "must be true or false" });
    const missing = (["x", "y"] as const).filter((side) => tile[side] === undefined);
    const [side] = missing;
    if (missing.length === 1 && side)
      failures.push({
        path: `tiles[${at}].${side}`,
        message: `is required if ${side === "x" ? "y" : "x"} is declared; without both, the tile follows the one before it`,
      });
    return failures;
  });
}

/**
 * Fills in missing sizes and positions of tiles, which flow from left to right. A new row begins where the width is used up or
 * `row` says so. The console moves every tile up until it touches another one, and saves this when somebody opens the
 * dashboard. The layout gives each tile that position from the start, so the console changes nothing.
 *
 * @param defaultSize sizes of all tiles from the dashboard's `defaults`, which take precedence over the sizes by kind of tile
 */
export function laidOut(tiles: readonly unknown[], defaultSize: PropertyMap = {}): readonly unknown[] {
  const sized = tiles.map((tile) => (isObject(tile) ? withSize(tile, defaultSize) : tile));
  const fixed = sized.filter((tile) => !isFlowing(tile));
  const grids = new Map<string, Grid>();
  const gridFor = (tile: PropertyMap) => {
    const key = gridOf(tile);
    const areas = () =>
      fixed.filter(
        (tile): tile is PropertyMap & Area =>
          isObject(tile) && gridOf(tile) === key && hasNumbers(tile, axes),
      );
    const grid = grids.get(key) ?? { fixed: areas(), flowing: [], end: 0 };
    grids.set(key, grid);
    return grid;
  };
  // A tile of unknown position may block any other one, so all positions after it are unknown, too.
  let isKnown = !fixed.some((tile) => isUnknown(tile) || hasUnknown(tile, axes));
  return sized.map((tile) => {
    if (!isObject(tile)) return tile;
    const { row, ...placed } = tile;
    if (!isFlowing(tile)) return placed;
    isKnown &&= hasNumbers(tile, ["w", "h"]) && !hasUnknown(tile, ["row"]);
    return {
      ...placed,
      ...(isKnown ? place(tile as PropertyMap & Area, gridFor(tile)) : { x: unknown, y: unknown }),
    };
  });
}

const axes = ["x", "y", "w", "h"] as const;
type Side = (typeof axes)[number];

function hasNumbers(tile: PropertyMap, sides: readonly Side[]): boolean {
  return sides.every((side) => typeof tile[side] === "number");
}

/** Whether a preview does not know a tile's container or tab, or one of its members with the given names. */
function hasUnknown(tile: unknown, names: readonly string[]): boolean {
  return isObject(tile) && [...names, "containerId", "tabId"].some((name) => isUnknown(tile[name]));
}

function isFlowing(tile: unknown): boolean {
  return isObject(tile) && tile.x === undefined && tile.y === undefined;
}

function withSize(tile: PropertyMap, defaultSize: PropertyMap): PropertyMap {
  const kind = kindName(tile);
  const ofKind = typeof kind === "string" && Object.hasOwn(sizes, kind) ? sizes[kind] : usual;
  const size = isUnknown(kind) ? { w: unknown, h: unknown } : ofKind;
  // A size of a tile that is null stays null, since the check of the dashboard reports it.
  const { w = defaultSize.w ?? size?.w, h = defaultSize.h ?? size?.h } = tile;
  return { ...tile, w, h };
}

/** The kind of a tile; unknown if a preview does not know its content. */
function kindName({ config, series }: PropertyMap): unknown {
  if (isUnknown(config) || isUnknown(series)) return unknown;
  if (isObject(config)) return config.displayType;
  const first: unknown = Array.isArray(series) ? series[0] : undefined;
  return isObject(first) ? first.type : first;
}

interface Grid {
  /** The areas of the grid that tiles with declared positions take. */
  readonly fixed: readonly Area[];
  readonly flowing: Area[];
  /** The column of the grid at which the last placed tile without a declared position ends. */
  end: number;
}

function place({ w, h, row }: PropertyMap & Area, grid: Grid): Pick<Area, "x" | "y"> {
  const start = row === true || grid.end + w > columns ? 0 : grid.end;
  // If a tile with a declared position is in the way, the next tile goes to its right or below it, whichever is higher up.
  const starts = new Set([start]);
  const spots: Area[] = [];
  for (const x of starts) {
    const { y, passed } = spotAt(x, w, h, grid);
    spots.push({ x, y, w, h });
    for (const area of passed) {
      const end = area.x + area.w;
      if (end > x && end + w <= columns) starts.add(end);
    }
  }
  const spot = spots.reduce((best, candidate) =>
    candidate.y < best.y || (candidate.y === best.y && candidate.x < best.x) ? candidate : best,
  );
  grid.flowing.push(spot);
  grid.end = spot.x + w;
  return { x: spot.x, y: spot.y };
}

/**
 * The highest row in which a tile of this width fits at column `x`. It is below the tiles that were placed there before, and
 * below those tiles with declared positions that are in the way.
 */
function spotAt(x: number, w: number, h: number, { fixed, flowing }: Grid): { y: number; passed: Area[] } {
  const above = flowing.filter((area) => area.x < x + w && x < area.x + area.w);
  let y = above.reduce((lowest, area) => Math.max(lowest, area.y + area.h), 0);
  const passed: Area[] = [];
  const inTheWay = () => fixed.find((area) => intersection(area, { x, y, w, h }));
  for (let area = inTheWay(); area; area = inTheWay()) {
    passed.push(area);
    y = area.y + area.h;
  }
  return { y, passed };
}
