export { isObject } from "./json";

/** Plain data: inputs, outputs and answers as the lifecycle sees them. */
export type Data = { readonly [name: string]: unknown };

/** An own member: a name from outside may be one that every object inherits. */
export function ownMember(data: Data, name: string): unknown {
  return Object.hasOwn(data, name) ? data[name] : undefined;
}

/** A moment without a zone. */
const withoutZone = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(:\d\d(\.\d+)?)?)$/;

/**
 * The milliseconds since 1970 of a moment that a service answers; not a number for other texts. One without a zone is in UTC:
 * JavaScript would take that of the machine, and two machines would not agree.
 */
export function momentIn(text: string): number {
  return Date.parse(text.replace(withoutZone, "$1T$2Z"));
}

/** The named members that the data has; null counts as not there. */
export function pick(data: Data, names: readonly string[]): Data {
  return Object.fromEntries(
    names.flatMap((name) => (data[name] === undefined || data[name] === null ? [] : [[name, data[name]]])),
  );
}

/** People write a uuid in capitals too. */
export function isSameId(a: unknown, b: unknown): boolean {
  const id = idText(a);
  return id !== undefined && id === idText(b);
}

/** The one form of ids that mean the same. A value that is no id may not even convert to text. */
export function idText(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value).toLowerCase() : undefined;
}
