import type { State } from "../../lifecycle/state";
import { type Data, isObject } from "../../values/data";
import { unknown } from "../../values/unknown";
import type { IsRename } from "./renames";

/** The members by which a tile is identified. */
export interface NamedTile {
  readonly id?: unknown;
  readonly name?: unknown;
}

/**
 * The ids of tiles by name. If several tiles have the same name, the further ones get a number: `Errors`, `Errors (2)`.
 */
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

/** The ids of tiles by their keys: those of a state, or those in a request body. */
export function tileIdsIn({ tileIds, tiles }: Data): { readonly [name: string]: string } {
  return (tileIds as { [name: string]: string } | undefined) ?? idsByName(tilesIn(tiles));
}

/**
 * The key of each tile: its name, with a number if an earlier tile has the same name. A numbered key never equals
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
 * The id that belongs to a key. Only own members count, since a tile's name may equal that of a built-in member, such
 * as `constructor`.
 */
export function idAt(ids: { readonly [name: string]: string }, key: string): string | undefined {
  return Object.hasOwn(ids, key) ? ids[key] : undefined;
}

/**
 * Finds the known id of each declared tile: the declared `id`, or else that of the known tile with the same name. A
 * renamed tile gets the id of the known tile at its position, if no other tile claims that and both show the same. A
 * tile that keeps its id keeps its alerts and undeclared members, which belong to what the tile shows.
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
    former[index] !== undefined && isRename(declared[index] as Data, former[index] as Data);
  return named.map((id, index) => id ?? (isRenamed(index) ? claim(knownIds[index]) : undefined));
}

/**
 * Gives entries their known ids, as {@link matchIds} finds them.
 *
 * @param live the live tiles. A declared id that none of them has is ignored, so that the entry keeps the id of its
 * name
 */
export function identified(
  entries: unknown,
  former: readonly NamedTile[],
  ids: { readonly [name: string]: string },
  isRename: IsRename,
  live: readonly NamedTile[] = [],
): readonly Data[] {
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
 * The ids of declared tiles in an answer: the known ids, and for new tiles those found by name. The service may show
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
 * The ids by their keys, where other people may have added tiles. An unknown tile gets its own name as key, numbered if
 * the known tile with that name still exists. A known id that is missing may belong to a tile that the service hides.
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

/** The tiles of an answer in the order in which the program declares them. */
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
 * For each tile of an answer, the index of the declared tile: by its id, or else by its position, if that declared tile
 * is not found elsewhere.
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

/** Names a dashboard as the subject of a message. */
export function subjectOf({ name }: Data): string {
  return typeof name === "string" ? `Dashboard ${JSON.stringify(name)}` : "Dashboard";
}

/** The tiles of a list; none if the list is unknown. */
export function tilesIn(list: unknown): readonly Data[] {
  return entriesOf(list).map(([, entry]) => entry);
}

/** Objects, each with its position in a list. */
export type Entries = readonly (readonly [number, Data])[];

/** The objects of a list. */
export function entriesOf(value: unknown): Entries {
  return Array.isArray(value) ? [...value.entries()].filter(([, entry]) => isObject(entry)) : [];
}

/**
 * The tiles of an answer that may belong to the program. Tiles with PromQL are made in the console, since their members
 * are not documented; such a tile belongs to the program only if the program declares it.
 *
 * @param ids the known ids of the program's tiles
 */
export function ownTiles(
  live: readonly Data[],
  declared: readonly Data[],
  ids: { readonly [name: string]: string },
): readonly Data[] {
  const ownIds = new Set<unknown>([...Object.values(ids), ...declared.map(({ id }) => id)]);
  const names = new Set(declared.filter(isInPromql).map(({ name }) => name));
  return live.filter((tile) => !isInPromql(tile) || ownIds.has(tile.id) || names.has(tile.name));
}

/** Whether the query of a tile is in PromQL. */
export function isInPromql({ config }: Data): boolean {
  return isObject(config) && config.configType === "promql";
}

/** The ids of the tiles that an update leaves unchanged; nothing if the name of a tile is unknown. */
export function plannedTileIds({ tiles }: Data, { tileIds }: State): Data {
  const named = tilesIn(tiles).filter((tile) => typeof tile.name === "string");
  if (!Array.isArray(tiles) || named.length !== tiles.length) return {};
  const idsByKey = (isObject(tileIds) ? tileIds : {}) as { readonly [name: string]: string };
  const ids = matchIds(named, [], idsByKey, () => false);
  const knownIds = new Set<string | undefined>(Object.values(idsByKey));
  const entries = keysOf(named).map((key, index) => [key, knownIds.has(ids[index]) ? ids[index] : unknown]);
  return { tileIds: Object.fromEntries(entries) };
}

/**
 * A tile as it would be declared: newer servers show `config` in place of the `series` and `asRatio` that were sent.
 */
export function liveTile(live: Data, declared: Data | undefined): Data {
  const { id, config, ...members } = live;
  const identity = declared && !("id" in declared) ? {} : { id };
  if (members.series !== undefined || !isObject(config)) return { ...members, ...identity };
  if (declared?.series === undefined) return { ...members, config, ...identity };
  const { asRatio, ...series } = config;
  return { ...members, ...(asRatio === undefined ? {} : { asRatio }), series, ...identity };
}
