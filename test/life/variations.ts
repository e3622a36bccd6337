import { isDeepStrictEqual } from "node:util";
import { isObject, type PropertyMap } from "../../provider/values/data";
import {
  type Annotations,
  annotationsOf,
  joinPath,
  keysIn,
  schemaAt,
  wordsOf,
} from "../../provider/values/schema";
import type { TSchema } from "../../provider/values/schemaBuilders";
import type { Json, JsonObject } from "../unit/resources/example";
import { absent, withChange, withChanges } from "../unit/resources/validInputs";

/** Another value at a property path of a program. */
export interface Change {
  readonly path: string;
  readonly value: Json;
}

type Candidates = { readonly [member: string]: readonly Json[] };

/**
 * Returns another valid value for each property path of a program that the provider compares separately, if the schema allows
 * one.
 * @param isValid tells whether the check accepts a program
 * @param alternatives other values for properties that refer to existing objects, by the value or by the name of the property
 * @param isReplacing whether to return the changes that replace the object, in place of those that update it
 */
export function changesOf(
  schema: TSchema,
  program: JsonObject,
  isValid: (program: PropertyMap) => boolean,
  alternatives: Candidates = {},
  isReplacing = false,
): Change[] {
  const places = placesIn(schema, program).filter(({ isFixed }) => isFixed === isReplacing);
  return places.flatMap(({ path, value, schema: valueSchema }) => {
    const [member = ""] = keysIn(path)
      .filter((key) => typeof key === "string")
      .slice(-1);
    const candidates = alternatives[String(value)] ?? alternatives[member] ?? otherValues(valueSchema, value);
    const other = candidates.find((candidate) => {
      const changed = withChange(program, path, candidate);
      return !isDeepStrictEqual(changed, program) && isValid(changed);
    });
    return other === undefined ? [] : [{ path, value: other }];
  });
}

/** A program with other values at some property paths. */
export interface Batch {
  readonly paths: readonly string[];
  readonly program: JsonObject;
}

/**
 * Puts changes of a program into few batches, so that one update tries many property paths. Those of one batch are in different
 * entries of the program's lists, such as the tiles of a dashboard, so that none depends on another. A change outside of lists
 * stays alone.
 */
export function batchesOf(
  program: JsonObject,
  changes: readonly Change[],
  isValid: (program: PropertyMap) => boolean = () => true,
): Batch[] {
  const batches: Batch[] = [];
  for (let left = changes; left.length > 0; ) {
    const [first, ...others] = left as [Change, ...Change[]];
    const entries = [entryOf(first.path)];
    const apart = others.filter(({ path }) => {
      const entry = entryOf(path);
      const isApart = entries.every((other) => !other.startsWith(entry) && !entry.startsWith(other));
      if (isApart) entries.push(entry);
      return isApart;
    });
    const all = [first, ...apart];
    // A check takes long, so the whole batch is checked first.
    const batch = isValid(withAll(program, all)) ? all : ([] as Change[]);
    if (batch.length === 0)
      for (const change of all) if (isValid(withAll(program, batch.concat(change)))) batch.push(change);
    batches.push({ paths: batch.map(({ path }) => path), program: withAll(program, batch) });
    left = left.filter((change) => !batch.includes(change));
  }
  return batches;
}

/** Returns the path of the innermost entry of a list that contains a path; empty if none does. */
const entryOf = (path: string) => /^.*\]/.exec(path)?.[0] ?? "";

const withAll = (program: JsonObject, changes: readonly Change[]): JsonObject =>
  withChanges(program, Object.fromEntries(changes.map(({ path, value }) => [path, value])));

export function reductionsOf(
  schema: TSchema,
  program: JsonObject,
  isValid: (program: PropertyMap, before?: PropertyMap) => boolean,
): { readonly path: string; readonly program: JsonObject }[] {
  return removablePaths(schema, program)
    .map((path) => ({ path, program: withChange(program, path, absent) }))
    .filter((reduced) => isValid(reduced.program) && isValid(reduced.program, program));
}

/** Lists the property paths that an update may remove from a program, also inside objects. */
function removablePaths(
  schema: TSchema,
  value: JsonObject,
  path = "",
  isFixed: Annotations["replaces"] = false,
): string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const memberSchema = schemaAt(schema, name);
    const { sent, shown, replaces = isFixed } = annotationsOf(memberSchema);
    if (sent === "never") return [];
    const own = joinPath(path, name);
    const isOpened = isObject(member) && memberSchema.properties !== undefined && shown !== "never";
    const inner = isOpened ? removablePaths(memberSchema, member as JsonObject, own, replaces) : [];
    return replaces ? inner : [own, ...inner];
  });
}

export function leastOf(
  schema: TSchema,
  program: JsonObject,
  isValid: (program: PropertyMap, before?: PropertyMap) => boolean,
  keptPath = "",
): JsonObject {
  const properties = reductionsOf(schema, program, isValid).filter(({ path }) => path in program);
  return properties.reduce((reduced, { path }) => {
    const less = withChange(reduced, path, absent);
    return path !== keptPath && isValid(less) && isValid(less, program) ? less : reduced;
  }, program);
}

interface Place {
  readonly path: string;
  readonly value: Json;
  readonly schema: TSchema;
  /** Whether a change replaces the object. */
  readonly isFixed: boolean;
}

/** Lists the places in the inputs of a resource that the provider compares one by one. A list of texts is one place. */
function placesIn(
  schema: TSchema,
  value: Json,
  path = "",
  isFixed: Annotations["replaces"] = false,
): Place[] {
  const { comparison, sent: requests, replaces = isFixed } = annotationsOf(schema);
  if (requests === "never" || requests === "atCreation") return [];
  // An object that the program owns as a whole is compared member by member, a map is not.
  const isOpened = comparison === undefined || (comparison === "whole" && schema.properties !== undefined);
  const isWhole = !isOpened || typeof value !== "object" || value === null || isListOfTexts(value);
  if (isWhole) return [{ path, value, schema, isFixed: Boolean(replaces) }];
  return Object.entries(value).flatMap(([name, member]) => {
    const key = Array.isArray(value) ? Number(name) : name;
    return placesIn(schemaAt(schema, key), member as Json, joinPath(path, key), replaces);
  });
}

const isListOfTexts = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => typeof entry !== "object");

function otherValues(schema: TSchema, value: Json): Json[] {
  if (typeof value === "boolean") return [!value];
  if (typeof value === "number")
    return [
      ...[1, -1, 4, -4, 12, -12].map((step) => value + step),
      ...[0.5, 0.9].filter((candidate) => candidate !== value),
    ];
  if (Array.isArray(value)) return otherLists(schema, value);
  if (typeof value !== "string") return [];
  const words = [
    ...(annotationsOf(schema).known ?? []),
    ...(schema.enum || schema.const ? wordsOf(schema) : []),
  ];
  const instant = /^\d{4}-\d\d-\d\dT/.test(value) ? [value.replace(/T\d\d/, "T11")] : [];
  return [
    ...words.filter((word) => word !== value),
    ...instant,
    `${value}2`,
    `${value} 2`,
    value.replace(/.$/, "0"),
  ];
}

function otherLists(schema: TSchema, list: readonly Json[]): Json[] {
  const [first] = list;
  if (list.length > 1) return [list.slice(1)];
  const entries = schema.items as TSchema | undefined;
  if (typeof first !== "string" || !entries) return [[]];
  return [...otherValues(entries, first).map((candidate) => [first, candidate]), []];
}
