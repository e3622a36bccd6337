import { isObject } from "../../../provider/values/data";
import type { Json } from "./example";
import { absent } from "./validInputs";

/** The numbers that tests put in place of a number in a program: those around the limits of the API documents. */
export const numbers = [
  -1, 0, 0.5, 1, 4, 5, 8, 9, 10, 12, 20, 21, 23, 24, 25, 50, 51, 356, 360, 1068, 1080, 1439, 1440,
];

const around = (limits: readonly number[]) => limits.flatMap((limit) => [limit, limit + 1]);

/**
 * Each limit that an API document gives for the number of characters, and the next larger number. `counts` has the same for the
 * number of list entries.
 */
export const lengths = around([
  20, 32, 36, 40, 64, 200, 256, 512, 1024, 2048, 4096, 8192, 10_000, 16_384, 50_000, 100_000,
]);
export const counts = around([1, 2, 10, 20, 50, 100, 500]);

export function mistyped(value: Json): Json[] {
  if (Array.isArray(value)) return [null, {}, "text", 7];
  if (isObject(value)) return [null, [], "text", 7];
  return typeof value === "string" ? [null, 7, [], {}] : [null, "text", [], {}];
}

export function others(value: Json): { readonly [name: string]: Json | typeof absent } {
  if (typeof value === "string") return { absent, empty: "", foreign: " no such word" };
  if (typeof value === "number")
    return { absent, ...Object.fromEntries(numbers.map((number) => [`= ${number}`, number])) };
  if (Array.isArray(value)) return { absent, empty: [], doubled: [value[0], value[0]] };
  return isObject(value) ? { absent, widened: { ...value, further: 1 } } : { absent };
}

/** Returns a text with the given number of characters, or a list with the given number of entries. */
export function ofSize(value: string | readonly Json[], size: number): Json {
  if (typeof value === "string") return value.padEnd(size, "a");
  const [first = "a"] = value;
  return Array.from({ length: size }, (_, index) => distinct(first, index));
}

function distinct(entry: Json, index: number): Json {
  if (typeof entry === "string") return `${entry}${index}`;
  if (!isObject(entry)) return entry;
  const names = ["id", "name", "webhookId", "variableName"].filter((name) => name in entry);
  const changed = names.map((name) => [name, `${entry[name]}${index}`] as const);
  return { ...entry, ...Object.fromEntries(changed), ...("y" in entry ? { y: 4 * index } : {}) } as Json;
}

/** Returns the largest size that the check accepts, by a binary search: if it accepts a size, it accepts all smaller ones. */
export async function largest(
  sizes: readonly number[],
  isTaken: (size: number) => Promise<boolean>,
): Promise<number | undefined> {
  let [low, high] = [0, sizes.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (await isTaken(sizes[middle] as number)) low = middle + 1;
    else high = middle;
  }
  return sizes[low - 1];
}
