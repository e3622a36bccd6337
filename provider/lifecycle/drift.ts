import { type Difference, differences, digest, pathOf } from "../values/compare";
import { type Data, isObject, ownMember } from "../values/data";
import { schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";

/**
 * Digests, by path, of the values that the service answered in another form right after a write (defaults filled in,
 * another order, another shape), each with that of the value that was declared: `answered/declared`. A value that still has its digest has not drifted.
 */
export type Normalized = { readonly [path: string]: string };

/** What is recorded of a place. Its path may be one that every object has, and a state may have been edited by hand. */
export function recordAt(normalized: Normalized, keys: Difference["keys"]): string | undefined {
  const recorded = ownMember(normalized, pathOf(keys));
  return typeof recorded === "string" ? recorded : undefined;
}

/** What `normalized` says where the service made the right value of the left one. */
export function normalizationOf({ schema, left, right }: Difference): string {
  return `${digest(schema, right)}/${digest(schema, left)}`;
}

/** Whether the right value is what the service made of the left one. */
function isNormalized(place: Difference, recorded: string | undefined): boolean {
  return recorded === normalizationOf(place);
}

/** Whether the service has answered the value before, whatever it was made of. */
export function wasAnswered(schema: TSchema, value: unknown, recorded: string | undefined): boolean {
  return recorded?.split("/")[0] === digest(schema, value);
}

/** Where the answer to a write differs from what was declared. */
export function normalizationsOf(schema: TSchema, declared: Data, answered: Data): Normalized {
  const places = differences(schema, declared, answered, "left");
  return Object.fromEntries(places.map((place) => [pathOf(place.keys), normalizationOf(place)]));
}

/** Where the service has neither what was declared nor what it made of that. */
export function driftIn(schema: TSchema, declared: Data, found: Data, normalized: Normalized): Difference[] {
  return differences(schema, declared, found, "left").filter(
    (place) => !isNormalized(place, recordAt(normalized, place.keys)),
  );
}

/**
 * The declared inputs as they are found in the service: a property has its declared value unless it drifted, that is,
 * unless it differs both from what was declared and from what the service answered right after the last write.
 */
export function reconcile(schema: TSchema, declared: Data, found: Data, normalized: Normalized): Data {
  const result = structuredClone(declared);
  for (const { keys, right } of driftIn(schema, declared, found, normalized)) setAt(result, keys, right);
  return result;
}

/**
 * Inputs without the nulls that {@link reconcile} has put where the service has nothing: the option `ignoreChanges` hands them
 * on to the next check. What takes null by its schema keeps it.
 *
 * @param before the inputs in state
 */
export function withoutMissing(schema: TSchema, inputs: unknown, before: unknown): unknown {
  if (Array.isArray(inputs) && Array.isArray(before))
    return inputs.map((entry, index) => withoutMissing(schemaAt(schema, index), entry, before[index]));
  if (!isObject(inputs) || !isObject(before)) return inputs;
  const members = Object.entries(inputs).filter(
    ([name, value]) =>
      value !== null || ownMember(before, name) !== null || schemaAt(schema, name).type === undefined,
  );
  return Object.fromEntries(
    members.map(([name, value]) => [
      name,
      withoutMissing(schemaAt(schema, name), value, ownMember(before, name)),
    ]),
  );
}

/** Puts a value at a place of an object, which has what is around it. */
export function setAt(target: Data, keys: readonly (string | number)[], value: unknown): void {
  let inside = target as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) inside = inside[key] as Record<string | number, unknown>;
  inside[keys.at(-1) ?? ""] = value ?? null;
}
