import { type Data, isObject, ownMember } from "./data";

/** Where a value is inside an object. */
export type Keys = readonly (string | number)[];

/** The value at a place; undefined where there is none. */
export function valueAt(value: unknown, keys: Keys): unknown {
  return keys.reduce(memberAt, value);
}

function memberAt(value: unknown, key: string | number): unknown {
  if (Array.isArray(value)) return typeof key === "number" ? value[key] : undefined;
  return isObject(value) ? ownMember(value, String(key)) : undefined;
}

/**
 * Where a place of an object is in another version of it: entries of a list are the same if they have the same id, or
 * the same position in a list whose entries have none.
 *
 * @returns undefined if the other version does not have the entry
 */
export function counterpart(keys: Keys, object: unknown, other: unknown): Keys | undefined {
  const found: (string | number)[] = [];
  let [inside, insideOther] = [object, other];
  for (const key of keys) {
    const same = typeof key === "number" ? indexOfSame(memberAt(inside, key), key, insideOther) : key;
    if (same === undefined) return undefined;
    found.push(same);
    inside = memberAt(inside, key);
    insideOther = memberAt(insideOther, same);
  }
  return found;
}

function indexOfSame(entry: unknown, index: number, others: unknown): number | undefined {
  const id = idOf(entry);
  if (id === undefined) return idOf(memberAt(others, index)) === undefined ? index : undefined;
  const found = Array.isArray(others) ? others.findIndex((other) => idOf(other) === id) : -1;
  return found < 0 ? undefined : found;
}

/** The id of an entry of a list, if it has one. */
export function idOf(entry: unknown): string | undefined {
  return isObject(entry) && typeof entry.id === "string" ? entry.id : undefined;
}

/**
 * An object with the entries of its lists where those with the same ids are in another version of it. An entry that it
 * does not have is an empty object.
 */
export function inOrderOf(order: Data, object: Data): Data {
  return Object.fromEntries(
    Object.entries(object).map(([name, list]) => {
      const ordered = ownMember(order, name);
      if (!Array.isArray(list) || !Array.isArray(ordered) || !ordered.some(idOf)) return [name, list];
      const byId = new Map(list.map((entry) => [idOf(entry), entry]));
      return [name, ordered.map((entry) => (idOf(entry) === undefined ? {} : (byId.get(idOf(entry)) ?? {})))];
    }),
  );
}

/** Declared values with the entries that their lists have in the service, and the way of records by path to them. */
export interface Followed {
  readonly declared: Data;
  follow<Value>(records: { readonly [path: string]: Value }): { readonly [path: string]: Value };
}

/**
 * What is declared, where lists of the service have other entries: those with the same ids stay as they are declared,
 * wherever they are now, and all others are as they are found.
 *
 * @param identified both, with the ids of the entries
 */
export function followed(
  declared: Data,
  found: Data,
  identified: { readonly declared: Data; readonly found: Data },
): Followed {
  const result: Record<string, unknown> = { ...declared };
  const positions = new Map<string, readonly number[]>();
  for (const [name, list] of Object.entries(declared)) {
    const now = ownMember(found, name);
    if (!Array.isArray(list) || !Array.isArray(now)) continue;
    const ids = idsIn(identified.declared, name);
    const from = idsIn(identified.found, name).map((id) => (id === undefined ? -1 : ids.indexOf(id)));
    if (from.every((position) => position < 0)) continue;
    if (list.length === now.length && from.every((position, index) => position === index)) continue;
    result[name] = now.map((entry, index) => list[from[index] ?? -1] ?? entry);
    positions.set(name, from);
  }
  return {
    declared: result,
    follow: (records) =>
      Object.fromEntries(
        Object.entries(records).flatMap(([path, record]) => {
          const [, name = "", position, rest] = /^(\w+)\[(\d+)\](.*)$/s.exec(path) ?? [];
          const from = positions.get(name);
          const now = from ? from.indexOf(Number(position)) : 0;
          if (now < 0) return [];
          return [[from ? `${name}[${now}]${rest}` : path, record] as const];
        }),
      ),
  };
}

function idsIn(object: Data, name: string): (string | undefined)[] {
  const list = ownMember(object, name);
  return Array.isArray(list) ? list.map(idOf) : [];
}
