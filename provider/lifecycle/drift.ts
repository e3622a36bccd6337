import type { TSchema } from "../typebox";
import { differences, digest, pathOf } from "./compare";
import type { Data } from "./data";

/**
 * Digests of declared values that the service answered in other words right after they were written, by path: default
 * values filled in, another order, another shape. What still reads the same later has not drifted.
 */
export type Rewritten = { readonly [path: string]: string };

/** Where the answer to a write differs from what was declared. */
export function rewritingsOf(schema: TSchema, declared: Data, answered: Data): Rewritten {
  const places = differences(schema, declared, answered, "left");
  return Object.fromEntries(places.map((place) => [pathOf(place.keys), digest(place.schema, place.right)]));
}

/**
 * The declared inputs as they are found in the service: a property has its declared value unless it drifted, that is,
 * unless it differs both from what was declared and from what the service answered right after the last write.
 */
export function reconcile(schema: TSchema, declared: Data, found: Data, rewritten: Rewritten): Data {
  const result = structuredClone(declared);
  for (const place of differences(schema, declared, found, "left")) {
    if (rewritten[pathOf(place.keys)] !== digest(place.schema, place.right))
      setAt(result, place.keys, place.right);
  }
  return result;
}

function setAt(target: Data, keys: readonly (string | number)[], value: unknown): void {
  let inside = target as Record<string | number, unknown>;
  for (const key of keys.slice(0, -1)) inside = inside[key] as Record<string | number, unknown>;
  inside[keys.at(-1) ?? ""] = value ?? null;
}
