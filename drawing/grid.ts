import type { Area, Members } from "./model";

/** Columns of the grid. */
export const columns = 24;

/** The part of the grid that both areas cover; undefined if they do not overlap. */
export function intersection(first: Area, second: Area): Area | undefined {
  const x = Math.max(first.x, second.x);
  const y = Math.max(first.y, second.y);
  const w = Math.min(first.x + first.w, second.x + second.w) - x;
  const h = Math.min(first.y + first.h, second.y + second.h) - y;
  return w > 0 && h > 0 ? { x, y, w, h } : undefined;
}

/** The key of the grid that a tile is on: each container has a grid of its own, and so has each of its tabs. */
export function gridOf({ containerId, tabId }: Members): string {
  return JSON.stringify([containerId ?? null, tabId ?? null]);
}

/** Two tiles that overlap. */
export interface Overlap<Placed> {
  readonly first: Placed;
  readonly second: Placed;
  readonly area: Area;
}

/** The pairs of tiles that overlap, in the order of the tiles. */
export function findOverlaps<Placed>(
  tiles: readonly Placed[],
  areaOf: (tile: Placed) => Area | undefined,
): Overlap<Placed>[] {
  const placed = tiles.flatMap((tile, index) => {
    const area = areaOf(tile);
    return area ? [{ tile, index, area }] : [];
  });
  const overlaps: (Overlap<Placed> & { readonly at: readonly [number, number] })[] = [];
  // The tiles are visited from top to bottom: only tiles that reach into the rows of the next tile can overlap it.
  let reaching: typeof placed = [];
  for (const next of [...placed].sort((a, b) => a.area.y - b.area.y)) {
    reaching = reaching.filter(({ area }) => area.y + area.h > next.area.y);
    for (const neighbour of reaching) {
      const area = intersection(neighbour.area, next.area);
      const [first, second] = neighbour.index < next.index ? [neighbour, next] : [next, neighbour];
      if (area)
        overlaps.push({ first: first.tile, second: second.tile, area, at: [first.index, second.index] });
    }
    reaching.push(next);
  }
  return overlaps
    .sort(({ at: a }, { at: b }) => a[0] - b[0] || a[1] - b[1])
    .map(({ at, ...overlap }) => overlap);
}

/**
 * The empty places above the lower edge of the lowest tile, as rectangles that do not overlap, from top to bottom.
 * Empty places in the same columns of adjacent rows form one gap.
 */
export function findGaps(areas: readonly Area[]): Area[] {
  const rows = edges(areas, "y", "h");
  const inRows = areasInRows(areas, rows);
  const open: Area[] = [];
  const gaps: Area[] = [];
  for (const [index, y] of rows.slice(0, -1).entries()) {
    const bottom = rows[index + 1] as number;
    const inRow = inRows[index] ?? [];
    const free = freeColumns(inRow);
    const going = open.splice(0);
    for (const [x, w] of free) {
      const above = going.find((gap) => gap.x === x && gap.w === w);
      if (above) going.splice(going.indexOf(above), 1);
      open.push({ x, w, y: above?.y ?? y, h: bottom - (above?.y ?? y) });
    }
    gaps.push(...going);
  }
  return [...gaps, ...open].sort((a, b) => a.y - b.y || a.x - b.x);
}

/** The areas that reach into each band of rows between two edges. */
function areasInRows(areas: readonly Area[], rows: readonly number[]): (readonly Area[])[] {
  const below = [...areas].sort((a, b) => a.y - b.y);
  let [inside, next]: [Area[], number] = [[], 0];
  return rows.slice(0, -1).map((y, index) => {
    const bottom = rows[index + 1] as number;
    inside = inside.filter((area) => area.y + area.h > y);
    for (; next < below.length && (below[next] as Area).y < bottom; next++) inside.push(below[next] as Area);
    return inside;
  });
}

function freeColumns(areas: readonly Area[]): (readonly [x: number, w: number])[] {
  const free: (readonly [number, number])[] = [];
  let x = 0;
  for (const area of [...areas].sort((a, b) => a.x - b.x)) {
    const end = Math.min(area.x, columns);
    if (end > x) free.push([x, end - x]);
    x = Math.max(x, area.x + area.w);
  }
  if (x < columns) free.push([x, columns - x]);
  return free;
}

/** The distinct edges of areas in one direction, and 0, in ascending order. */
function edges(areas: readonly Area[], start: "x" | "y", length: "w" | "h"): number[] {
  return [...new Set([0, ...areas.flatMap((area) => [area[start], area[start] + area[length]])])].sort(
    (a, b) => a - b,
  );
}

/** The index of the first of ascending numbers that is at least `least`; -1 if there is none. */
function firstFrom(numbers: readonly number[], least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] as number) >= least) high = middle;
    else low = middle + 1;
  }
  return low < numbers.length ? low : -1;
}

/** Converts columns or rows to pixels. */
export interface Scale {
  /** The edges of tiles, each with its position in pixels, in ascending order. */
  readonly stops: readonly (readonly [position: number, pixels: number])[];
  /** The pixels of a column or row. */
  at(position: number): number;
  /** The pixels of the last edge. */
  readonly length: number;
}

/** Maximum number of rows between two edges that are drawn in full height. */
const longest = { empty: 3, used: 16 };

/**
 * Converts rows to pixels. A row is `height` high, but long stretches (a tile a thousand rows high, a hundred empty
 * rows) are drawn shorter, so that nobody has to scroll through them.
 */
export function rowScale(areas: readonly Area[], height: number): Scale {
  const rows = edges(areas, "y", "h");
  const used = new Map(areasInRows(areas, rows).map((inside, index) => [rows[index], inside.length > 0]));
  return scaleOf(rows, (from, to) => {
    const isUsed = used.get(from) === true;
    return Math.min(to - from, isUsed ? longest.used : longest.empty) * height;
  });
}

/** Converts columns to pixels. Wide stretches to the right of the grid are drawn shorter. */
export function columnScale(areas: readonly Area[], width: number): Scale {
  const outside = edges(areas, "x", "w").filter((x) => x > columns);
  return scaleOf([0, columns, ...outside], (from, to) =>
    to <= columns ? (to - from) * width : Math.min(to - from, longest.empty) * width,
  );
}

function scaleOf(stops: readonly number[], lengthOf: (from: number, to: number) => number): Scale {
  let pixels = 0;
  const placed = stops.map((stop, index) => {
    if (index > 0) pixels += lengthOf(stops[index - 1] as number, stop);
    return [stop, pixels] as const;
  });
  return {
    stops: placed,
    length: pixels,
    at(position) {
      const next = firstFrom(stops, position);
      const [toStop, toPixels] = placed[next] ?? [0, 0];
      if (next <= 0) return next === 0 ? toPixels : pixels;
      const [fromStop, fromPixels] = placed[next - 1] as readonly [number, number];
      return fromPixels + ((position - fromStop) / (toStop - fromStop)) * (toPixels - fromPixels);
    },
  };
}
