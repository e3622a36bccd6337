import { isObject } from "./json";

export { isObject };

/** Plain JSON data: the inputs or outputs of a resource, or an object from a response of the service. */
export type PropertyMap = { readonly [name: string]: unknown };

/** An object that has only members of the documented names, whose values are yet to be checked. */
export type MembersOf<Documented> = { readonly [Name in keyof Documented]?: unknown };

/** The value of an object's own property: a name from outside may be one that every object inherits, such as `constructor`. */
export function ownMember(data: PropertyMap, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

const withoutZone = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(:\d\d(\.\d+)?)?)$/;

/** A service's time in milliseconds since 1970; NaN for other texts. A missing zone means UTC, on which all machines agree. */
export function momentIn(text: string): number {
  return Date.parse(text.replace(withoutZone, "$1T$2Z"));
}

/** The named properties that an object has; null counts as absent. */
export function pick(data: PropertyMap, names: readonly string[]): PropertyMap {
  return Object.fromEntries(
    names.flatMap((name) => (data[name] === undefined || data[name] === null ? [] : [[name, data[name]]])),
  );
}

/** A value without the members that are to be left out, at any depth. */
export function withoutMembers(
  value: unknown,
  isLeftOut: (name: string, member: unknown) => boolean,
): unknown {
  if (Array.isArray(value)) return value.map((entry) => withoutMembers(entry, isLeftOut));
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name, member]) => !isLeftOut(name, member));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutMembers(member, isLeftOut)]));
}

/** Whether two ids are the same, regardless of case, since people may write a uuid in capitals. */
export function isSameId(a: unknown, b: unknown): boolean {
  const id = idText(a);
  return id !== undefined && id === idText(b);
}

/** Converts an id to lower case, in which equal ids can be compared; undefined for a value that is no id. */
export function idText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value).toLowerCase() : undefined;
}
