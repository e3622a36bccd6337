import { isObject, type PropertyMap } from "../../values/data";
import type { Failure } from "../../values/validate";
import { firstOf } from "../../values/wording";

/** The largest number of entries of a set that one message names. */
export const mostNamed = 10;

/**
 * Matches valid keys of entries in a set. Other keys would look different in Pulumi's property paths, and
 * the engine hides names that begin with `__`.
 */
const validKey = /^(?!__)[^"\\\p{Cc}]{1,100}$/u;
const keyRule =
  "must have a key of 1 to 100 characters without quotes, backslashes and control characters, which does not begin with __";
const adoptionRule =
  "is not for an entry, since a set makes all of its objects itself; declare an existing one as a resource of its own";

export function entryFailures(
  entries: readonly (readonly [key: string, values: unknown])[],
  at: (key: string, path?: string) => string,
): Failure[] {
  const adopts = (values: unknown) =>
    isObject(values) && ((values as PropertyMap).adoptId ?? undefined) !== undefined;
  return entries.flatMap(([key, values]) => [
    ...(validKey.test(key) ? [] : [{ path: at(key), message: keyRule }]),
    ...(adopts(values) ? [{ path: at(key, "adoptId"), message: adoptionRule }] : []),
  ]);
}

/** The warnings about the entries of a set, each once, with the names of all entries that it concerns. */
export function grouped(
  entries: readonly { readonly key: string; readonly warnings: readonly string[] }[],
  at: (key: string) => string,
): string[] {
  const keys = new Map<string, string[]>();
  for (const { key, warnings } of entries)
    for (const warning of warnings) {
      const entryNames = keys.get(warning) ?? [];
      entryNames.push(at(key));
      keys.set(warning, entryNames);
    }
  return [...keys].map(([warning, places]) => `${firstOf(places, mostNamed)}: ${warning}`);
}
