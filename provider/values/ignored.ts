import { differences, pathOf } from "./compare";
import type { Data } from "./data";
import { setAt } from "./pairing";
import { keysIn } from "./schema";
import type { TSchema } from "./schemaBuilders";

/**
 * Matches a path as programs write it for `ignoreChanges`: names, positions, quoted names, and `*` for any. The engine
 * skips all other paths.
 */
const wellFormed =
  /^(?:[^.[\]"]+|\[(?:\d+|\*|"(?:[^"\\\p{Cc}]|\\")*")\])(?:\.[^.[\]"]+|\[(?:\d+|\*|"(?:[^"\\\p{Cc}]|\\")*")\])*$/u;

/**
 * Whether a property's path equals, or is inside, a path of the option `ignoreChanges`. `*` stands for any name or position.
 */
export function isIgnored(path: string, ignored: readonly string[]): boolean {
  const keys = keysIn(path).map(String);
  return ignored.some(
    (pattern) =>
      wellFormed.test(pattern) &&
      keysIn(pattern).every((key, index) => key === "*" || String(key) === keys[index]),
  );
}

/**
 * Inputs in which the properties of `ignoreChanges` have the values of the service, so that an update leaves them unchanged.
 */
export function withIgnored(schema: TSchema, inputs: Data, live: Data, ignored: readonly string[]): Data {
  const result = structuredClone(inputs);
  for (const { keys, right } of differences(schema, inputs, live, "left"))
    if (isIgnored(pathOf(keys), ignored) && (right ?? undefined) !== undefined) setAt(result, keys, right);
  return result;
}
