export { isObject } from "./json";

/** Plain data, as in inputs, outputs and answers. */
export type Data = { readonly [name: string]: unknown };

/** An object's own member. A name from outside may equal a member that every object inherits, such as `constructor`. */
export function ownMember(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/** Matches a date and time without a time zone. */
const withoutZone = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(:\d\d(\.\d+)?)?)$/;

/**
 * The milliseconds since 1970 of a time that the service answers; NaN for other texts. A time without a zone is in UTC:
 * JavaScript would take it as local time, so that two machines disagree.
 */
export function momentIn(text: string): number {
  return Date.parse(text.replace(withoutZone, "$1T$2Z"));
}

/** The named members of an object that it has; null counts as absent. */
export function pick(data: Data, names: readonly string[]): Data {
  return Object.fromEntries(
    names.flatMap((name) => (data[name] === undefined || data[name] === null ? [] : [[name, data[name]]])),
  );
}

/** Whether two ids are the same, regardless of case: people write a uuid in capitals, too. */
export function isSameId(a: unknown, b: unknown): boolean {
  const id = idText(a);
  return id !== undefined && id === idText(b);
}

/**
 * The common form of ids that mean the same; undefined for a value that is no id, and may not even convert to a text.
 */
export function idText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value).toLowerCase() : undefined;
}
