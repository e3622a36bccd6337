import type { State } from "../../lifecycle/state";
import { isObject, type PropertyMap } from "../../values/data";
import { unknown } from "../../values/unknown";
import type { IsRename } from "./renames";

export interface NamedTile {
  readonly id?: unknown;
  readonly name?: unknown;
}

/** The ids of tiles by name. Further tiles of the same name get a number: `Errors`, `Errors (2)`. */
export function idsByName(
  tiles: readonly NamedTile[],
  reserved: readonly string[] = [],
): { [name: string]: string } {
  const keys = keysOf(tiles, reserved);
  return Object.fromEntries(
    tiles.flatMap((tile, index) =>
      typeof tile.id === "string" ? [[keys[index] ?? "", tile.id] as const] : [],
    ),
  );
}

/** The ids of tiles by their keys (numbered names), from the Pulumi state or from a request body. */
export function tileIdsIn({ tileIds, tiles }: PropertyMap): { readonly [name: string]: string } {
  return (tileIds as { [name: string]: string } | undefined) ?? idsByName(tilesIn(tiles));
}

/**
 * The key of each tile in `tileIds`: its name, with a number if an earlier tile has the same name. A numbered key never equals
 * another tile's name.
 *
 * @param reserved keys that other tiles already have
 */
export function keysOf(tiles: readonly NamedTile[], reserved: readonly string[] = []): string[] {
  const names = tiles.map(({ name }) => (typeof name === "string" ? name : ""));
  const [used, keys] = [new Set([...names, ...reserved]), new Set(reserved)];
  const next = new Map<string, number>();
  return names.map((name) => {
    if (!keys.has(name)) {
      keys.add(name);
      return name;
    }
    let number = next.get(name) ?? 2;
    while (used.has(`${name} (${number})`)) number++;
    next.set(name, number + 1);
    const key = `${name} (${number})`;
    used.add(key);
    return key;
  });
}

/**
 * The id for a tile's key. A tile may have the name of a built-in property, such as `constructor`, so only own properties
 * count.
 */
export function idAt(ids: { readonly [name: string]: string }, key: string): string | undefined {
  return Object.hasOwn(ids, key) ? ids[key] : undefined;
}

/**
 * Finds the known id of each declared tile: the declared `id`, or else that of the known tile with the same name. A renamed
 * tile gets the id of the known tile at its index, if no other tile has that id and both tiles show the same content. A tile
 * that keeps its id also keeps its alerts and its undeclared members, which only make sense for the same content.
 */
export function matchIds(
  declared: readonly NamedTile[],
  former: readonly NamedTile[],
  ids: { readonly [name: string]: string },
  isRename: IsRename,
): (string | undefined)[] {
  const knownIds = keysOf(former).map((key) => idAt(ids, key));
  const claimed = new Set<string>();
  const claim = (id: string | undefined) => {
    if (id === undefined || claimed.has(id)) return undefined;
    claimed.add(id);
    return id;
  };
  const explicit = declared.map(({ id }) => claim(typeof id === "string" ? id : undefined));
  const named = keysOf(declared).map((key, index) => explicit[index] ?? claim(idAt(ids, key)));
  const isRenamed = (index: number) =>
    former[index] !== undefined && isRename(declared[index] as PropertyMap, former[index] as PropertyMap);
  return named.map((id, index) => id ?? (isRenamed(index) ? claim(knownIds[index]) : undefined));
}

/**
 * Gives declared tiles or filters their known ids, which {@link matchIds} finds.
 *
 * @param live the tiles or filters on the service. A declared id that none of them has is ignored, and the id is found by name
 */
export function identified(
  entries: unknown,
  former: readonly NamedTile[],
  ids: { readonly [name: string]: string },
  isRename: IsRename,
  live: readonly NamedTile[] = [],
): readonly PropertyMap[] {
  const now = live.length > 0 ? idsAmong(live, ids) : ids;
  const liveIds = new Set<unknown>([...Object.values(now), ...live.map(({ id }) => id)]);
  const isKnown = (id: unknown) => live.length === 0 || liveIds.has(id);
  const declared = tilesIn(entries);
  const matched = matchIds(
    declared.map(({ id, ...entry }) => ({ ...entry, ...(isKnown(id) ? { id } : {}) })),
    former,
    now,
    isRename,
  );
  return declared.map((entry, index) => ({ ...entry, ...(matched[index] ? { id: matched[index] } : {}) }));
}

/**
 * The ids of the declared tiles in an answer: the known ids, and for new tiles those found by name, since the service may show
 * the tiles of a new dashboard in another order.
 */
export function idsOfDeclared(
  declared: readonly NamedTile[],
  ids: { readonly [name: string]: string },
  live: readonly NamedTile[],
): (string | undefined)[] {
  const now = idsAmong(live, ids);
  return keysOf(declared).map((key) => idAt(now, key));
}

/**
 * The ids of a dashboard's tiles by their keys, where other people may have added tiles. The key of an added tile is its name,
 * with a number if a tile of the program has that name. A known tile that the answer lacks keeps its id, since the service may
 * only hide the tile, unless an added tile has its key.
 */
function idsAmong(
  live: readonly NamedTile[],
  ids: { readonly [name: string]: string },
): { readonly [name: string]: string } {
  const [formerIds, liveIds] = [new Set<unknown>(Object.values(ids)), new Set(live.map(({ id }) => id))];
  const reserved = Object.keys(ids).filter((key) => liveIds.has(ids[key]));
  const newIds = idsByName(
    live.filter(({ id }) => !formerIds.has(id)),
    reserved,
  );
  const remaining = Object.entries(ids).filter(
    ([key, id]) => liveIds.has(id) || idAt(newIds, key) === undefined,
  );
  return { ...newIds, ...Object.fromEntries(remaining) };
}

/** The tiles in an answer of the API, in the order in which the program declares them. */
export function inDeclaredOrder<Tile extends NamedTile>(
  live: readonly Tile[],
  ids: readonly (string | undefined)[],
): readonly Tile[] {
  const byId = new Map(live.map((tile) => [tile.id, tile]));
  const ordered = ids.map((id) => byId.get(id));
  const isSame = live.length === ids.length && ordered.every((tile) => tile !== undefined);
  return isSame ? (ordered as Tile[]) : live;
}

/**
 * For each tile in an answer, the index of the declared tile that it belongs to: the one with the same id, or else the one at
 * the same index. The latter does not count if another tile in the answer has its id.
 */
export function declaredPositions(
  live: readonly NamedTile[],
  ids: readonly (string | undefined)[],
): (number | undefined)[] {
  const positions = new Map([...ids.entries()].reverse().map(([index, id]) => [id, index]));
  const foundIds = new Set(live.map(({ id }) => id));
  return live.map(({ id }, index) => {
    const position = typeof id === "string" ? positions.get(id) : undefined;
    if (position !== undefined) return position;
    return ids[index] !== undefined && foundIds.has(ids[index]) ? undefined : index;
  });
}

export function subjectOf({ name }: PropertyMap): string {
  return typeof name === "string" ? `Dashboard ${JSON.stringify(name)}` : "Dashboard";
}

/** The tiles in a list; none if a preview does not know the list. */
export function tilesIn(list: unknown): readonly PropertyMap[] {
  return entriesOf(list).map(([, entry]) => entry);
}

/** The objects in a list of inputs, each with its index, for the paths of failures. */
export type Entries = readonly (readonly [number, PropertyMap])[];

/** The objects in a list of inputs, each with its index. Other entries are left out. */
export function entriesOf(value: unknown): Entries {
  return Array.isArray(value) ? [...value.entries()].filter(([, entry]) => isObject(entry)) : [];
}

/**
 * The tiles in an answer that may belong to the program. People make tiles with PromQL, whose members are not documented, in
 * the console. Such a tile belongs to the program only if the program declares it.
 *
 * @param ids the known ids of the program's tiles
 */
export function ownTiles(
  live: readonly PropertyMap[],
  declared: readonly PropertyMap[],
  ids: { readonly [name: string]: string },
): readonly PropertyMap[] {
  const ownIds = new Set<unknown>([...Object.values(ids), ...declared.map(({ id }) => id)]);
  const names = new Set(declared.filter(isInPromql).map(({ name }) => name));
  return live.filter((tile) => !isInPromql(tile) || ownIds.has(tile.id) || names.has(tile.name));
}

export function isInPromql({ config }: PropertyMap): boolean {
  return isObject(config) && config.configType === "promql";
}

/** The ids of tiles that an update leaves unchanged; none if a preview does not know the name of a tile. */
export function plannedTileIds({ tiles }: PropertyMap, { tileIds }: State): PropertyMap {
  const named = tilesIn(tiles).filter((tile) => typeof tile.name === "string");
  if (!Array.isArray(tiles) || named.length !== tiles.length) return {};
  const idsByKey = (isObject(tileIds) ? tileIds : {}) as { readonly [name: string]: string };
  const ids = matchIds(named, [], idsByKey, () => false);
  const knownIds = new Set<string | undefined>(Object.values(idsByKey));
  const entries = keysOf(named).map((key, index) => [key, knownIds.has(ids[index]) ? ids[index] : unknown]);
  return { tileIds: Object.fromEntries(entries) };
}

/** A tile in an answer as the program declares it: newer servers show `config` in place of the sent `series` and `asRatio`. */
export function liveTile(live: PropertyMap, declared: PropertyMap | undefined): PropertyMap {
  const { id, config, ...members } = live;
  const identity = declared && !("id" in declared) ? {} : { id };
  if (members.series !== undefined || !isObject(config)) return { ...members, ...identity };
  if (declared?.series === undefined) return { ...members, config, ...identity };
  const { asRatio, ...series } = config;
  return { ...members, ...(asRatio === undefined ? {} : { asRatio }), series, ...identity };
}
