import type { TSchema } from "../typebox";
import { differences, digest, pathOf } from "./compare";
import type { Data } from "./data";

/**
 * Digests, by path, of the values that the service answered in another form right after a write: defaults filled in,
 * another order, another shape. A value that still has its digest has not drifted.
 */
export type Normalized = { readonly [path: string]: string };

/** Where the answer to a write differs from what was declared. */
export function normalizationsOf(schema: TSchema, declared: Data, answered: Data): Normalized {
  const places = differences(schema, declared, answered, "left");
  return Object.fromEntries(places.map((place) => [pathOf(place.keys), digest(place.schema, place.right)]));
}

/**
 * The declared inputs as they are found in the service: a property has its declared value unless it drifted, that is,
 * unless it differs both from what was declared and from what the service answered right after the last write.
 */
export function reconcile(schema: TSchema, declared: Data, found: Data, normalized: Normalized): Data {
  const result = structuredClone(declared);
  for (const place of differences(schema, declared, found, "left")) {
    if (normalized[pathOf(place.keys)] !== digest(place.schema, place.right))
      setAt(result, place.keys, place.right);
  }
  return result;
}

function setAt(target: Data, keys: readonly (string | number)[], value: unknown): void {
  let inside = target as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) inside = inside[key] as Record<string | number, unknown>;
  inside[keys.at(-1) ?? ""] = value ?? null;
}
