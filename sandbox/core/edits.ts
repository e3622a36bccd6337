import { isDeepStrictEqual } from "node:util";
import { redacted } from "./journal";
import { fitted, membersOf, type Shape } from "./requestForm";
import type { Route } from "./routes";

/** The members of an object, or of the body of a request. */
export interface Members {
  readonly [name: string]: unknown;
}

export const asMembers = (value: unknown) =>
  (typeof value === "object" && value !== null ? value : {}) as Members;

/** Reads a list of names with values as the object with these members; undefined for other values. */
export function asMap(value: unknown): Members | undefined {
  if (!Array.isArray(value))
    return typeof value === "object" && value !== null ? (value as Members) : undefined;
  if (!value.every((entry) => "name" in asMembers(entry) && "value" in asMembers(entry))) return undefined;
  return Object.fromEntries(value.map(({ name, value: content }) => [name, content]));
}

/** Makes the body of a request that turns the old members of an object into the wanted ones. */
export function bodyOf({ method, body }: Route, old: Members, wanted: Members): Members {
  const schema = (body ?? {}) as Shape;
  const names = membersOf(schema).filter(
    (name) => method !== "PATCH" || isKind(schema, name) || !isDeepStrictEqual(old[name], wanted[name]),
  );
  const members = names.flatMap((name) => {
    const value = wanted[name] ?? (method === "PATCH" ? null : undefined);
    return value === undefined ? [] : [[name, fitted(value, schema, name, old[name])]];
  });
  return Object.fromEntries(members);
}

/** Whether a member tells the kinds of a body apart, so that each request needs it. */
const isKind = ({ anyOf = [] }: Shape, name: string) =>
  anyOf.length > 0 && anyOf.every(({ properties }) => properties?.[name]?.enum?.length === 1);

/**
 * Splits the body of a request into one with the removals from lists and one with the rest, since ClickHouse Cloud refuses to
 * add tags and remove them in one request. Parts without content are left out.
 */
export function partsOf({ method }: Route, body: Members): readonly object[] {
  const members = Object.entries(body);
  const removals = members.flatMap(([name, value]) => {
    const { add, remove } = asMembers(value);
    return Array.isArray(add) && Array.isArray(remove) && remove.length > 0 ? [[name, { remove }]] : [];
  });
  const rest = members.flatMap(([name, value]) => {
    const { add, remove } = asMembers(value);
    const isEmpty =
      typeof value === "object" && Object.keys(value ?? {}).length === 0 && !Array.isArray(value);
    if (!Array.isArray(add) || !Array.isArray(remove))
      return method === "PATCH" && value !== null && isEmpty ? [] : [[name, value]];
    return add.length > 0 ? [[name, { add }]] : [];
  });
  return [removals, rest].filter((part) => part.length > 0).map((part) => Object.fromEntries(part));
}

/** Puts the values back that an object's form did not show because they are secret. */
export function restored(value: unknown, stored: unknown): unknown {
  if (value === redacted) return stored;
  if (Array.isArray(value))
    return value.map((item, index) => restored(item, Array.isArray(stored) ? stored[index] : undefined));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, restored(member, asMembers(stored)[name])]),
  );
}
