import { differences, equal, isEmpty } from "./compare";
import { type Data, isObject, ownMember } from "./data";
import { annotationsOf, schemaAt } from "./schema";
import type { TSchema } from "./schemaBuilders";

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

/** Puts a value at a place of an object, which has all that the keys lead through. */
export function setAt(target: Data, keys: readonly (string | number)[], value: unknown): void {
  let inside = target as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) inside = inside[key] as Record<string | number, unknown>;
  inside[keys.at(-1) ?? ""] = value ?? null;
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

/**
 * The position of each declared entry in another version of its list; undefined where that does not have it. Entries with ids
 * are the same if these are. Of others, one that shows all that is declared is the same, else one of the same identity; the one
 * in the same position comes first.
 *
 * @param schema of an entry
 */
export function pairEntries(
  schema: TSchema,
  declared: readonly unknown[],
  others: readonly unknown[],
): (number | undefined)[] {
  const ids = others.map(idOf);
  const paired = declared.map((entry) => {
    const id = idOf(entry);
    return id === undefined || !ids.includes(id) ? undefined : ids.indexOf(id);
  });
  const pair = (isSame: (entry: unknown, other: unknown) => boolean) => {
    for (const isNear of [true, false])
      for (const [at, entry] of declared.entries()) {
        if (paired[at] !== undefined || idOf(entry) !== undefined) continue;
        const found = others.findIndex(
          (other, index) =>
            (!isNear || index === at) &&
            ids[index] === undefined &&
            !paired.includes(index) &&
            isSame(entry, other),
        );
        if (found >= 0) paired[at] = found;
      }
  };
  // A server may fill in members of the identity, such as the function that aggregates.
  const { identity = [] } = annotationsOf(schema);
  const isAlike = (entry: unknown, other: unknown) =>
    isObject(entry) &&
    isObject(other) &&
    identity.every((name) => isEmpty(entry[name]) || equal(schemaAt(schema, name), entry[name], other[name]));
  pair((entry, other) => isAlike(entry, other) && differences(schema, entry, other, "left").length === 0);
  if (identity.length > 0) pair(isAlike);
  return paired;
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
 * The declared value, with the live entries of lists that have others: declared entries keep their declared values at
 * their live positions, all others have their live values.
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
    const from = declaredPositions(
      list,
      now,
      idsIn(identified.declared, name),
      idsIn(identified.found, name),
    );
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
          const [, name = "", position, rest] = /^(\w+)\[(\d+)\](.*)$/s.exec(path) ?? [];
          const from = positions.get(name);
          const now = from ? from.indexOf(Number(position)) : 0;
          if (now < 0) return [];
          return [[from ? `${name}[${now}]${rest}` : path, record] as const];
        }),
      ),
  };
}

/**
 * The position among the declared entries of each found one: that of its id, else of its name, else its own if no other
 * entry has that; -1 for an entry that only the service has. Somebody may have made an entry anew, with another id.
 *
 * @returns undefined where no entry has the id of a declared one
 */
function declaredPositions(
  declared: readonly unknown[],
  found: readonly unknown[],
  ids: readonly (string | undefined)[],
  foundIds: readonly (string | undefined)[],
): number[] | undefined {
  const positions = foundIds.map((id) => (id === undefined ? -1 : ids.indexOf(id)));
  if (positions.every((position) => position < 0)) return undefined;
  const names = declared.map(nameOf);
  const isFree = (position: number) => position < declared.length && !positions.includes(position);
  for (const candidateOf of [(at: number) => names.indexOf(nameOf(found[at]) ?? null), (at: number) => at])
    for (const at of found.keys()) {
      const candidate = candidateOf(at);
      if (positions[at] === -1 && candidate >= 0 && isFree(candidate)) positions[at] = candidate;
    }
  return positions;
}

function nameOf(entry: unknown): string | null | undefined {
  return isObject(entry) && typeof entry.name === "string" ? entry.name : undefined;
}

function idsIn(object: Data, name: string): (string | undefined)[] {
  const list = ownMember(object, name);
  return Array.isArray(list) ? list.map(idOf) : [];
}
