import type { State } from "../../lifecycle/state";
import { type Data, isObject } from "../../values/data";
import { unknown } from "../../values/unknown";
import type { IsRename } from "./renames";

/** The identity of a tile. */
export interface NamedTile {
  readonly id?: unknown;
  readonly name?: unknown;
}

/**
 * Ids of tiles by name. A name that occurs again gets a number, so that each tile has a key of its own: `Errors`,
 * `Errors (2)`.
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

/** The ids of tiles by their keys: those of a state, or those in a body that is sent. */
export function tileIdsIn({ tileIds, tiles }: Data): { readonly [name: string]: string } {
  return (tileIds as { [name: string]: string } | undefined) ?? idsByName(tilesIn(tiles));
}

/**
 * The key of each tile: its name, numbered where it occurs again, with a number that makes it none of the names.
 *
 * @param reserved keys that other tiles have
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

/** The id that is known under a key. A tile may have the name of a member of every object, such as `constructor`. */
export function idAt(ids: { readonly [name: string]: string }, key: string): string | undefined {
  return Object.hasOwn(ids, key) ? ids[key] : undefined;
}

/**
 * The known id of each declared tile: the one that it declares, else that of the known tile with its name, else that of
 * the known tile in its position if no other tile claims it and both show the same, so that it is renamed. A tile that keeps
 * its id keeps its alerts, and what nobody declares of it: both mean what it shows.
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
 * Entries with their known ids, as {@link matchIds} finds them.
 *
 * @param live the live tiles. An id that none of them has is passed over, so that the entry keeps the id that it has by its name
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
 * The ids of declared tiles among those that are found: the known ones, and those of tiles that nobody knows yet by their
 * names. A service may answer the tiles of a new dashboard in another order.
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
 * Ids by their keys where somebody may have made tiles since: one that nobody knows has its id by its name, numbered where
 * the known tile of that name is still there. A known id that is not there may be that of a tile which the service hides.
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

/** Found tiles in the order in which they were declared, where they are the same tiles. */
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
 * Which of the declared tiles each found one is: the one with its id, else the one in its position if that is not found
 * elsewhere.
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

/** A dashboard as the subject of a message. */
export function subjectOf({ name }: Data): string {
  return typeof name === "string" ? `Dashboard ${JSON.stringify(name)}` : "Dashboard";
}

/** The tiles of a list; none where the list is not known yet. */
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
 * The tiles among the found ones that may be those of a program. Tiles in PromQL are made on the product's page, since no
 * document has their members; one is the program's only if the program declares it all the same.
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

/** Whether a tile is queried in PromQL. */
export function isInPromql({ config }: Data): boolean {
  return isObject(config) && config.configType === "promql";
}

/** The ids of the tiles that an update leaves alone; nothing while the name of one is unknown. */
export function plannedTileIds({ tiles }: Data, { tileIds }: State): Data {
  const named = tilesIn(tiles).filter((tile) => typeof tile.name === "string");
  if (!Array.isArray(tiles) || named.length !== tiles.length) return {};
  const idsByKey = (isObject(tileIds) ? tileIds : {}) as { readonly [name: string]: string };
  const ids = matchIds(named, [], idsByKey, () => false);
  const knownIds = new Set<string | undefined>(Object.values(idsByKey));
  const entries = keysOf(named).map((key, index) => [key, knownIds.has(ids[index]) ? ids[index] : unknown]);
  return { tileIds: Object.fromEntries(entries) };
}

/** Newer servers answer with one `config` instead of the `series` and `asRatio` that were sent. */
export function liveTile(live: Data, declared: Data | undefined): Data {
  const { id, config, ...members } = live;
  const identity = declared && !("id" in declared) ? {} : { id };
  if (members.series !== undefined || !isObject(config)) return { ...members, ...identity };
  if (declared?.series === undefined) return { ...members, config, ...identity };
  const { asRatio, ...series } = config;
  return { ...members, ...(asRatio === undefined ? {} : { asRatio }), series, ...identity };
}
