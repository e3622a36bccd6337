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
