import { isDeepStrictEqual } from "node:util";
import type { TSchema } from "../typebox";
import { type Data, isObject, ownMember } from "./data";
import { containsUnknown, isUnknown } from "./unknown";

/** A place whose value its schema does not allow. */
export interface Violation {
  readonly keys: readonly (string | number)[];
  /** The schema that is violated: that of the value, or that of the object around a member that is missing or not known. */
  readonly schema: TSchema;
  readonly value: unknown;
  readonly problem: "invalid" | "missing" | "not known" | Duplicate;
}

/** The positions of two equal entries of a list that must not have any. */
export interface Duplicate {
  readonly entries: readonly [number, number];
}

/**
 * Where a value violates its schema, of conditions first. What is not known yet violates nothing. A process checks a
 * handful of objects, so schemas are followed as they are: a checker of JSON Schema takes longer to load and to compile
 * them.
 */
export function* violations(
  schema: TSchema,
  value: unknown,
  keys: Violation["keys"] = [],
): Generator<Violation> {
  if (isUnknown(value)) return;
  for (const part of schema.allOf ?? []) yield* violations(part, value, keys);
  if (schema.if) yield* violations((holds(schema.if, value) ? schema.then : schema.else) ?? {}, value, keys);
  if (!isAllowed(schema, value)) yield { keys, schema, value, problem: "invalid" };
  if (Array.isArray(value)) yield* violationsInList(schema, value, keys);
  else if (isObject(value)) yield* violationsInObject(schema, value, keys);
}

function* violationsInList(
  schema: TSchema,
  value: readonly unknown[],
  keys: Violation["keys"],
): Generator<Violation> {
  const { items = {}, uniqueItems } = schema;
  const entries = uniqueItems ? duplicateIn(value, items) : undefined;
  if (entries) yield { keys, schema, value, problem: { entries } };
  for (const [index, entry] of value.entries()) yield* violations(items, entry, [...keys, index]);
}

function duplicateIn(list: readonly unknown[], items: TSchema): Duplicate["entries"] | undefined {
  for (const [index, entry] of list.entries()) {
    // An entry that is not even valid is named itself.
    if (containsUnknown(entry) || !isValid(items, entry)) continue;
    const earlier = list.slice(0, index).findIndex((other) => isDeepStrictEqual(other, entry));
    if (earlier >= 0) return [earlier, index];
  }
  return undefined;
}

function* violationsInObject(schema: TSchema, value: Data, keys: Violation["keys"]): Generator<Violation> {
  const { properties = {}, required = [], additionalProperties, patternProperties } = schema;
  for (const name of required as readonly string[]) {
    if (value[name] === undefined)
      yield { keys: [...keys, name], schema, value: undefined, problem: "missing" };
  }
  const [ofOthers] = Object.values<TSchema>(patternProperties ?? {});
  for (const [name, member] of Object.entries(value)) {
    if (Object.hasOwn(properties, name)) continue;
    if (ofOthers) yield* violations(ofOthers, member, [...keys, name]);
    else if (additionalProperties === false)
      yield { keys: [...keys, name], schema, value: member, problem: "not known" };
  }
  // In the order of the schema: hosts give members in orders of their own.
  for (const [name, own] of Object.entries<TSchema>(properties)) {
    const member = ownMember(value, name);
    if (member !== undefined) yield* violations(own, member, [...keys, name]);
  }
}

/** Whether a condition is known to hold. */
function holds(condition: TSchema, value: unknown): boolean {
  const decisive = Object.keys(condition.properties ?? {});
  const isKnown = !isObject(value) || decisive.every((name) => !containsUnknown(value[name]));
  return isKnown && isValid(condition, value);
}

function isValid(schema: TSchema, value: unknown): boolean {
  return violations(schema, value).next().done === true;
}

const isOf: { readonly [type: string]: (value: unknown) => boolean } = {
  array: Array.isArray,
  boolean: (value) => typeof value === "boolean",
  integer: Number.isInteger,
  null: (value) => value === null,
  number: Number.isFinite,
  object: isObject,
  string: (value) => typeof value === "string",
};

/** Whether a value keeps all rules but those about what is inside it. */
function isAllowed(schema: TSchema, value: unknown): boolean {
  const { type, anyOf } = schema;
  const types: readonly string[] = type === undefined ? [] : [type].flat();
  if (types.length > 0 && !types.some((name) => isOf[name]?.(value))) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.const !== undefined && schema.const !== value) return false;
  // Which branch of a union is meant may depend on what is inside.
  if (anyOf && !containsUnknown(value) && !anyOf.some((branch: TSchema) => isValid(branch, value)))
    return false;
  if (typeof value === "string") return isTextAllowed(schema, value);
  if (typeof value === "number") {
    const { multipleOf } = schema;
    return (
      isWithin(value, schema.minimum, schema.maximum) && (!multipleOf || Number.isInteger(value / multipleOf))
    );
  }
  if (Array.isArray(value)) return isWithin(value.length, schema.minItems, schema.maxItems);
  return !isObject(value) || isWithin(Object.keys(value).length, schema.minProperties);
}

function isTextAllowed({ minLength, maxLength, pattern, format }: TSchema, text: string): boolean {
  if ((minLength ?? maxLength) !== undefined && !isWithin([...text].length, minLength, maxLength))
    return false;
  if (pattern !== undefined && !new RegExp(pattern, "u").test(text)) return false;
  return format !== "date-time" || isMoment(text);
}

function isWithin(value: number, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): boolean {
  return value >= least && value <= most;
}

const momentParts =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/;

/** Whether a text is a moment with a time zone, on a day that there is. */
function isMoment(text: string): boolean {
  const [year, month, day] = momentParts.exec(text)?.slice(1).map(Number) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}
