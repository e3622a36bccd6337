import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isObject, momentIn, ownMember, type PropertyMap } from "./data";
import { networkOf } from "./network";
import { type Annotations, annotationsOf, joinPath, schemaAt, schemasAlong } from "./schema";
import type { TSchema } from "./schemaBuilders";
import { containsUnknown, isUnknown } from "./unknown";

export interface Change {
  /** The path of the innermost changed property, such as `tiles[2].w`. */
  readonly path: string;
  readonly kind: "add" | "update" | "delete";
  /** Whether the change replaces the resource, since the property cannot be updated. */
  readonly replaces: boolean;
}

/** The changes from the inputs that the program declared before to those that it declares now. */
export function changes(schema: TSchema, olds: PropertyMap, news: PropertyMap): Change[] {
  return differences(schema, olds, news).map(({ keys, left, right }) => {
    const kind = isAbsent(left) ? "add" : isAbsent(right) ? "delete" : "update";
    return { path: pathOf(keys), kind, replaces: replacesAt(schema, keys) };
  });
}

/** The annotation `replaces` for a path, that of the innermost schema which has one. Default: false. */
export function replacementAt(
  schema: TSchema,
  keys: readonly (string | number)[],
): NonNullable<Annotations["replaces"]> {
  const declared = schemasAlong(schema, keys).flatMap((at) => annotationsOf(at).replaces ?? []);
  return declared.at(-1) ?? false;
}

/** Whether a change at this path may replace the resource. */
export function replacesAt(schema: TSchema, keys: readonly (string | number)[]): boolean {
  return replacementAt(schema, keys) !== false;
}

export interface Difference {
  readonly keys: readonly (string | number)[];
  readonly schema: TSchema;
  readonly left: unknown;
  readonly right: unknown;
}

/**
 * Finds the innermost properties that differ. `compared: "left"` compares a declaration with what an answer shows: it skips
 * undeclared properties, which only the right value has, unless the program owns the whole object, and takes an absent one for
 * its default.
 */
export function differences(
  schema: TSchema,
  left: unknown,
  right: unknown,
  compared: "both" | "left" = "both",
  keys: readonly (string | number)[] = [],
): Difference[] {
  // In the usual case that nothing has changed, comparing the whole values is faster than comparing each property.
  if (isDeepStrictEqual(left, right) && !containsUnknown(left)) return [];
  const inside = (key: string | number, leftMember: unknown, rightMember: unknown) =>
    differences(schemaAt(schema, key), leftMember, rightMember, compared, [...keys, key]);
  const { comparison } = annotationsOf(schema);
  const isOwned = comparison === "whole" && schema.properties !== undefined;
  if (!comparison || isOwned) {
    if (isObject(left) && isObject(right)) {
      const names =
        compared === "left"
          ? [...Object.keys(left), ...(isOwned ? addedIn(schema, left, right) : [])]
          : new Set([...Object.keys(left), ...Object.keys(right)]);
      return [...names].flatMap((name) => inside(name, ownMember(left, name), ownMember(right, name)));
    }
    if (Array.isArray(left) && Array.isArray(right) && left.length === right.length) {
      return left.flatMap((entry, index) => inside(index, entry, right[index]));
    }
  }
  const place = { keys, schema, left, right };
  const isSame =
    compared === "left"
      ? leavesOf(place).every((leaf) => equalByDefault(leaf.schema, leaf.left, leaf.right))
      : equal(schema, left, right);
  return isSame ? [] : [place];
}

/** The names of the schema's members that only the right object has. An empty member says nothing. */
function addedIn(schema: TSchema, left: PropertyMap, right: PropertyMap): string[] {
  return Object.keys(schema.properties ?? {}).filter(
    (name) => !Object.hasOwn(left, name) && !isEmpty(ownMember(right, name)),
  );
}

/** Splits an object that appears or disappears as a whole into its members; returns every other difference as it is. */
export function leavesOf(difference: Difference): Difference[] {
  const { keys, schema, left, right } = difference;
  const whole = isAbsent(left) ? right : isAbsent(right) ? left : undefined;
  if (!isObject(whole) || !schema.properties || annotationsOf(schema).comparison) return [difference];
  return Object.keys(whole).flatMap((name) =>
    leavesOf({
      keys: [...keys, name],
      schema: schemaAt(schema, name),
      left: isObject(left) ? ownMember(left, name) : undefined,
      right: isObject(right) ? ownMember(right, name) : undefined,
    }),
  );
}

/** Whether an object has the values that a request sent. Lacking properties are ignored: some lists shorten their objects. */
export function shows(schema: TSchema, request: PropertyMap, live: PropertyMap): boolean {
  return differences(schema, request, live, "left").every(({ right }) => right === undefined);
}

/** Joins names and positions to a path that users can read: `tiles[2].series[0].type`. */
export function pathOf(keys: readonly (string | number)[]): string {
  return keys.reduce<string>(joinPath, "");
}

/** Joins names and positions in `value` to a path for messages, with list elements by a unique `name`: `tiles["Errors"].w`. */
export function labelOf(value: unknown, keys: readonly (string | number)[]): string {
  let inside = value;
  return keys.reduce<string>((path, key) => {
    const list = inside;
    inside = isObject(list) || Array.isArray(list) ? (list as PropertyMap)[key] : undefined;
    const name = Array.isArray(list) && isObject(inside) ? inside.name : undefined;
    if (typeof name !== "string") return joinPath(path, key);
    const isUnique = countsOfNames(list as unknown[]).get(name) === 1;
    return isUnique ? `${path}[${JSON.stringify(name)}]` : joinPath(path, key);
  }, "");
}

const countedNames = new WeakMap<readonly unknown[], ReadonlyMap<unknown, number>>();

/** Counts how often each name occurs in a list. The result is kept, since many paths may lead through the same list. */
function countsOfNames(list: readonly unknown[]): ReadonlyMap<unknown, number> {
  const cached = countedNames.get(list);
  if (cached) return cached;
  const counts = new Map<unknown, number>();
  for (const entry of list) {
    const name = isObject(entry) ? entry.name : undefined;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  countedNames.set(list, counts);
  return counts;
}

/** Whether two values of a property mean the same to the service. An unknown value equals nothing. */
export function equal(schema: TSchema, left: unknown, right: unknown): boolean {
  if (containsUnknown(left) || containsUnknown(right)) return false;
  if (isDeepStrictEqual(left, right)) return true;
  return canonicalText(schema, left) === canonicalText(schema, right);
}

export function defaultsIn(schema: TSchema): PropertyMap {
  return Object.fromEntries(
    Object.keys(schema.properties ?? {}).flatMap((name) => {
      const { reset, default: byDefault = reset } = annotationsOf(schemaAt(schema, name));
      return byDefault === undefined ? [] : [[name, byDefault]];
    }),
  );
}

/** An object without the optional members, at any depth, that equal the default of their schema. */
export function withoutDefaults(schema: TSchema, value: PropertyMap): PropertyMap {
  const defaults = defaultsIn(schema);
  const required: readonly string[] = schema.required ?? [];
  const says = ([name, member]: [string, unknown]) =>
    required.includes(name) || !(name in defaults && equal(schemaAt(schema, name), member, defaults[name]));
  const members = Object.entries(value).map(
    ([name, member]) => [name, inside(schemaAt(schema, name), member)] as [string, unknown],
  );
  return Object.fromEntries(members.filter(says));
}

function inside(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => inside(schemaAt(schema, index), entry));
  return isObject(value) ? withoutDefaults(schema, value) : value;
}

/** Whether two values of a property mean the same if an absent one is the property's default. */
export function equalByDefault(schema: TSchema, left: unknown, right: unknown): boolean {
  const { default: byDefault } = annotationsOf(schema);
  return equal(schema, left ?? byDefault, right ?? byDefault);
}

/** A short fingerprint of a property's value: two values have the same digest if {@link equal} finds them equal. */
export function digest(schema: TSchema, value: unknown): string {
  return createHash("sha256").update(canonicalText(schema, value)).digest("hex").slice(0, 16);
}

function canonicalText(schema: TSchema, value: unknown): string {
  return JSON.stringify(canonical(schema, value));
}

/**
 * Converts a value to one common form of all values that mean the same to the service: lists without order are sorted, absent
 * properties and those with their default left out, and texts become numbers where the schema has a number.
 */
function canonical(schema: TSchema, value: unknown): unknown {
  // The value of a preview is a symbol, which JSON leaves out: an entry with one would have the digest of another entry.
  if (isUnknown(value)) return String(value);
  const { comparison } = annotationsOf(schema);
  if (comparison === "instant") return isAbsent(value) || value === "" ? null : instant(value);
  if (isAbsent(value)) return null;
  if (comparison === "commaSeparatedSet") return sorted(splitByComma(value));
  if (comparison === "text") return String(value);
  if (comparison === "emptyIsNone" && value === "") return null;
  if (comparison === "network" && typeof value === "string") return networkOf(value);
  if (comparison === "id" && typeof value === "string") return value.toLowerCase();
  if (Array.isArray(value)) {
    const entries = value.map((entry, index) => canonical(schemaAt(schema, index), entry));
    return comparison === "set" ? sorted(entries) : entries;
  }
  if (isObject(value)) {
    const members = Object.keys(value)
      .sort()
      .map((name) => [name, canonical(schemaAt(schema, name), value[name])] as const)
      .filter(([name, member]) => member !== null && !isDefault(schemaAt(schema, name), member));
    return Object.fromEntries(members);
  }
  // Some servers send numbers as texts, above all 64-bit integers, so such a text equals its number.
  if (
    (schema.type === "number" || schema.type === "integer") &&
    typeof value === "string" &&
    value.trim() !== ""
  ) {
    return Number.isFinite(Number(value)) ? Number(value) : value;
  }
  if (schema.type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** Whether the canonical form of a property's value is that of the property's default. */
function isDefault(schema: TSchema, value: unknown): boolean {
  const { default: byDefault } = annotationsOf(schema);
  return byDefault !== undefined && isDeepStrictEqual(value, canonical(schema, byDefault));
}

export function splitByComma(value: unknown): string[] {
  const text = (entry: unknown) => (typeof entry === "string" ? entry : (JSON.stringify(entry) ?? ""));
  const entries = Array.isArray(value) ? value.map(text) : text(value).split(",");
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== "");
}

function instant(value: unknown): unknown {
  const time = typeof value === "string" ? momentIn(value) : Number.NaN;
  return Number.isNaN(time) ? value : time;
}

function sorted(entries: unknown[]): unknown[] {
  const texts = entries.map((entry) => JSON.stringify(entry));
  return [...new Set(texts)].sort();
}

export function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}

/** Whether a property's value is empty. To servers, empty means the same as absent: they leave out empty properties. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.keys(value).length === 0;
  return isAbsent(value) || value === "" || value === false;
}
