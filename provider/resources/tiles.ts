import type { Data } from "../lifecycle/data";

/** What identifies a tile. */
export interface NamedTile {
  readonly id?: unknown;
  readonly name?: unknown;
}

/**
 * Ids of tiles by name. A name that occurs again gets a number, so that each tile has a key of its own: `Errors`,
 * `Errors (2)`.
 */
export function idsByName(tiles: readonly NamedTile[]): { [name: string]: string } {
  const keys = keysOf(tiles);
  return Object.fromEntries(
    tiles.flatMap((tile, index) =>
      typeof tile.id === "string" ? [[keys[index] ?? "", tile.id] as const] : [],
    ),
  );
}

/** The key of each tile: its name, numbered where it occurs again. */
export function keysOf(tiles: readonly NamedTile[]): string[] {
  const seen = new Map<string, number>();
  return tiles.map(({ name }) => {
    const key = String(name);
    const occurrence = (seen.get(key) ?? 0) + 1;
    seen.set(key, occurrence);
    return occurrence === 1 ? key : `${key} (${occurrence})`;
  });
}

/** The id that is known under a key. A tile may be called what every object has a member of, such as `constructor`. */
export function idAt(ids: { readonly [name: string]: string }, key: string): string | undefined {
  return Object.hasOwn(ids, key) ? ids[key] : undefined;
}

/**
 * The known id of each declared tile: the one that it declares, else that of the known tile with its name, else that of
 * the known tile in its position if no other tile claims it. A tile that keeps its id keeps its alerts.
 */
export function matchIds(
  declared: readonly NamedTile[],
  known: readonly NamedTile[],
  ids: { readonly [name: string]: string },
): (string | undefined)[] {
  const knownIds = keysOf(known).map((key) => idAt(ids, key));
  const claimed = new Set<string>();
  const claim = (id: string | undefined) => {
    if (id === undefined || claimed.has(id)) return undefined;
    claimed.add(id);
    return id;
  };
  const explicit = declared.map(({ id }) => claim(typeof id === "string" ? id : undefined));
  const named = keysOf(declared).map((key, index) => explicit[index] ?? claim(idAt(ids, key)));
  return named.map((id, index) => id ?? claim(knownIds[index]));
}

/** Found tiles in the order in which they were declared, where they are the same tiles. */
export function inDeclaredOrder<Tile extends NamedTile>(
  found: readonly Tile[],
  ids: readonly (string | undefined)[],
): readonly Tile[] {
  const ordered = ids.map((id) => found.find((tile) => tile.id === id));
  const same = found.length === ids.length && ordered.every((tile) => tile !== undefined);
  return same ? (ordered as Tile[]) : found;
}

/** Where a tile is on the grid. */
interface Area extends Data {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The pairs of tiles that cover the same place of the grid. Tiles with values that are not known yet are passed over. */
export function overlaps(tiles: readonly Data[]): (readonly [string, string])[] {
  const placed = tiles.filter(
    (tile): tile is Area =>
      typeof tile.name === "string" && ["x", "y", "w", "h"].every((side) => typeof tile[side] === "number"),
  );
  return placed.flatMap((first, index) =>
    placed
      .slice(index + 1)
      .filter(
        (second) =>
          first.x < second.x + second.w &&
          second.x < first.x + first.w &&
          first.y < second.y + second.h &&
          second.y < first.y + first.h,
      )
      .map((second) => [first.name, second.name] as const),
  );
}
