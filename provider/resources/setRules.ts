import type { Failure } from "../values/validate";
import { firstOf } from "../values/wording";

/** So many entries a message names at most. */
export const mostNamed = 10;

/** Other keys would not be the same in a path as in a program, and the engine hides names that begin with two underscores. */
const validKey = /^(?!__)[^"\\\p{Cc}]{1,100}$/u;
const keyRule =
  "must have a key of 1 to 100 characters without quotes, backslashes and control characters, which does not begin with __";

/** The violations of the rules for the keys of a set, and for those of entries that leave it. */
export function keyFailures(
  keys: readonly string[],
  retain: unknown,
  member: string,
  at: (key: string) => string,
): Failure[] {
  const declared = new Set(keys);
  const invalid = keys.filter((key) => !validKey.test(key));
  const retained = Array.isArray(retain) ? [...retain.entries()] : [];
  return [
    ...invalid.map((key) => ({ path: at(key), message: keyRule })),
    ...retained
      .filter(([, key]) => declared.has(key))
      .map(([index]) => ({
        path: `retain[${index}]`,
        message: `names an entry that ${member} still declares`,
      })),
  ];
}

/** Each warning once, with the entries that it is about. */
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

/** The reason not to delete an entry, and the remedy, to follow "it is that of". */
export function mustRetain(entry: string, rival: string): string {
  return `${entry}, which the set would delete, and ${rival} adopts it: name its key in retain of the set`;
}
