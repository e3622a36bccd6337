import { differences, digest, equal, isEmpty } from "./compare";
import { isObject, ownMember, type PropertyMap } from "./data";
import { annotationsOf, schemaAt } from "./schema";
import type { TSchema } from "./schemaBuilders";

/** The names and positions that lead to a value inside an object. */
export type Keys = readonly (string | number)[];

export class Places {
  readonly #keys: ReadonlySet<string>;
  readonly #above: ReadonlySet<string>;

  constructor(places: readonly Keys[]) {
    this.#keys = new Set(places.map((keys) => JSON.stringify(keys)));
    this.#above = new Set(places.flatMap(prefixesOf));
  }

  /** Whether this set of paths has the given path, or the path of a value around it. */
  cover(keys: Keys): boolean {
    return prefixesOf(keys).some((prefix) => this.#keys.has(prefix));
  }

  /** Whether this set of paths has the given path, or the path of a value inside it. */
  areWithin(keys: Keys): boolean {
    return this.#above.has(JSON.stringify(keys));
  }
}

function prefixesOf(keys: Keys): string[] {
  return keys.map((_, index) => JSON.stringify(keys.slice(0, index + 1)));
}

export function valueAt(value: unknown, keys: Keys): unknown {
  return keys.reduce(memberAt, value);
}

function memberAt(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" ? value[key] : undefined;
  return isObject(value) ? ownMember(value, String(key)) : undefined;
}

/** Sets the value at a path inside an object. The objects and lists that the path leads through have to exist. */
export function setAt(target: PropertyMap, keys: readonly (string | number)[], value: unknown): void {
  let inside = target as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) inside = inside[key] as Record<string | number, unknown>;
  inside[keys.at(-1) ?? ""] = value ?? null;
}

/**
 * The path to the same value in another version of an object. List elements correspond by id, or without ids by position.
 * @returns undefined if the other version lacks a list element on the path
 */
export function counterpart(keys: Keys, object: unknown, version: unknown): Keys | undefined {
  const path: (string | number)[] = [];
  let [inside, insideOther] = [object, version];
  for (const key of keys) {
    const keyThere = typeof key === "number" ? indexOfSame(memberAt(inside, key), key, insideOther) : key;
    if (keyThere === undefined) return undefined;
    path.push(keyThere);
    inside = memberAt(inside, key);
    insideOther = memberAt(insideOther, keyThere);
  }
  return path;
}

function indexOfSame(entry: unknown, index: number, list: unknown): number | undefined {
  const id = idOf(entry);
  if (id === undefined) return idOf(memberAt(list, index)) === undefined ? index : undefined;
  return Array.isArray(list) ? positionsOf(list).get(id) : undefined;
}

const knownPositions = new WeakMap<readonly unknown[], ReadonlyMap<string | undefined, number>>();

function positionsOf(list: readonly unknown[]): ReadonlyMap<string | undefined, number> {
  const positions = knownPositions.get(list) ?? firstPositions(list.map(idOf));
  knownPositions.set(list, positions);
  return positions;
}

/**
 * Finds the position of each declared list element in another version of its list; undefined if that version lacks the element.
 * Elements with ids are paired by id. Others are paired with an element that has all declared values, or else with one whose
 * properties of the annotation `identity` are equal, preferably at the same position.
 */
export function pairEntries(
  schema: TSchema,
  declared: readonly unknown[],
  entries: readonly unknown[],
): (number | undefined)[] {
  const byId = firstPositions(entries.map(idOf));
  const paired = declared.map((entry) => (idOf(entry) === undefined ? undefined : byId.get(idOf(entry))));
  const free = new Map([...entries.entries()].filter(hasNoId));
  const pair = (
    namesIn: (entry: PropertyMap) => string[],
    isSame: (entry: PropertyMap, candidate: PropertyMap) => boolean,
  ) => {
    const alike = alikeIn(free, schema);
    for (const isNear of [true, false])
      for (const [at, entry] of [...declared.entries()].filter(hasNoId)) {
        if (paired[at] !== undefined) continue;
        const candidates = isNear ? new Set([at]) : alike(entry, namesIn(entry));
        for (const index of candidates) {
          const candidate = free.get(index);
          if (!candidate) candidates.delete(index);
          else if (isSame(entry, candidate)) {
            paired[at] = index;
            free.delete(index);
            break;
          }
        }
      }
  };
  const isPlain = (value: unknown) => typeof value !== "object" || value === null;
  pair(
    (entry) => Object.keys(entry).filter((name) => isPlain(entry[name])),
    (entry, candidate) => differences(schema, entry, candidate, "left").length === 0,
  );
  // A server may fill in properties of the annotation `identity`, such as a tile's aggregate function, so those that are empty
  // in the declared element are not compared.
  const { identity = [] } = annotationsOf(schema);
  const identityOf = (entry: PropertyMap) => identity.filter((name) => !isEmpty(entry[name]));
  if (identity.length > 0)
    pair(identityOf, (entry, candidate) =>
      identityOf(entry).every((name) => equal(schemaAt(schema, name), entry[name], candidate[name])),
    );
  return paired;
}

function hasNoId(entry: [number, unknown]): entry is [number, PropertyMap] {
  return isObject(entry[1]) && idOf(entry[1]) === undefined;
}

/** Makes a function that finds, by an index, the list elements that equal a given element in the given properties. */
function alikeIn(entries: ReadonlyMap<number, PropertyMap>, schema: TSchema) {
  const positions = new Map<string, Set<number>>();
  const grouped = new Set<string>();
  const keyOf = (entry: PropertyMap, names: readonly string[]) =>
    JSON.stringify(names.map((name) => [name, digest(schemaAt(schema, name), ownMember(entry, name))]));
  return (entry: PropertyMap, names: readonly string[]): Set<number> => {
    const key = keyOf(entry, names);
    const form = names.join();
    for (const [index, candidate] of grouped.has(form) ? [] : entries) {
      const keyOfCandidate = keyOf(candidate, names);
      positions.set(keyOfCandidate, (positions.get(keyOfCandidate) ?? new Set()).add(index));
    }
    grouped.add(form);
    return positions.get(key) ?? new Set();
  };
}

export function idOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry.id === "string" ? entry.id : undefined;
}

/**
 * Puts the elements of an object's lists in the order of another version of the object, by their ids. An empty object takes the
 * place of an element that the object lacks.
 */
export function inOrderOf(order: PropertyMap, object: PropertyMap): PropertyMap {
  return Object.fromEntries(
    Object.entries(object).map(([name, list]) => {
      const ordered = ownMember(order, name);
      if (!Array.isArray(list) || !Array.isArray(ordered) || !ordered.some(idOf)) return [name, list];
      const byId = new Map(list.map((entry) => [idOf(entry), entry]));
      return [name, ordered.map((entry) => (idOf(entry) === undefined ? {} : (byId.get(idOf(entry)) ?? {})))];
    }),
  );
}

/**
 * Declared values whose lists are in the order of the service, and a function that moves the records about values to the paths
 * that the values have then.
 */
export interface Followed {
  readonly declared: PropertyMap;
  follow<Value>(records: { readonly [path: string]: Value }): { readonly [path: string]: Value };
}

/**
 * Puts declared lists in the service's order: declared elements keep their values, all others get those of the service.
 * @param identified the declared value and that of the service, with the ids of the list elements
 */
export function followed(
  declared: PropertyMap,
  live: PropertyMap,
  identified: { readonly declared: PropertyMap; readonly live: PropertyMap },
): Followed {
  const result: Record<string, unknown> = { ...declared };
  const positions = new Map<string, readonly number[]>();
  for (const [name, list] of Object.entries(declared)) {
    const now = ownMember(live, name);
    if (!Array.isArray(list) || !Array.isArray(now)) continue;
    const from = declaredPositions(list, now, idsIn(identified.declared, name), idsIn(identified.live, name));
    if (!from) continue;
    if (list.length === now.length && from.every((position, index) => position === index)) continue;
    result[name] = now.map((entry, index) => list[from[index] ?? -1] ?? entry);
    positions.set(name, from);
  }
  return {
    declared: result,
    follow: (records) =>
      Object.fromEntries(
        Object.entries(records).flatMap(([path, record]) => {
          const [, name = "", position, suffix] = /^(\w+)\[(\d+)\](.*)$/s.exec(path) ?? [];
          const from = positions.get(name);
          const now = from ? from.indexOf(Number(position)) : 0;
          if (now < 0) return [];
          return [[from ? `${name}[${now}]${suffix}` : path, record] as const];
        }),
      ),
  };
}

/**
 * For each list element of the service, the position of the declared element: by its id, else by its name, else by its own
 * position if no other element claims that; -1 for one that only the service has. Names count because somebody may have made a
 * deleted element anew, with another id. Undefined if no id of a declared element is in the service.
 */
function declaredPositions(
  declared: readonly unknown[],
  live: readonly unknown[],
  ids: readonly (string | undefined)[],
  foundIds: readonly (string | undefined)[],
): number[] | undefined {
  const byId = firstPositions(ids);
  const positions = foundIds.map((id) => (id === undefined ? -1 : (byId.get(id) ?? -1)));
  if (positions.every((position) => position < 0)) return undefined;
  const byName = firstPositions(declared.map(entryTitle));
  const assigned = new Set(positions);
  const isFree = (position: number) => position < declared.length && !assigned.has(position);
  for (const candidateOf of [
    (at: number) => byName.get(entryTitle(live[at]) ?? null) ?? -1,
    (at: number) => at,
  ])
    for (const at of live.keys()) {
      const candidate = candidateOf(at);
      if (positions[at] !== -1 || candidate < 0 || !isFree(candidate)) continue;
      positions[at] = candidate;
      assigned.add(candidate);
    }
  return positions;
}

function firstPositions<Value>(list: readonly Value[]): Map<Value, number> {
  return new Map([...list.entries()].reverse().map(([index, value]) => [value, index]));
}

function entryTitle(entry: unknown): string | null | undefined {
  return isObject(entry) && typeof entry.name === "string" ? entry.name : undefined;
}

/** The ids of the entries of a list in an object; none if it has no such list. */
export function idsIn(object: PropertyMap, name: string): (string | undefined)[] {
  const list = ownMember(object, name);
  return Array.isArray(list) ? list.map(idOf) : [];
}
