import { differences, pathOf } from "./compare";
import type { PropertyMap } from "./data";
import { setAt } from "./pairing";
import { keysIn } from "./schema";
import type { TSchema } from "./schemaBuilders";

/** Matches a path of `ignoreChanges`: names, positions, quoted names, `*` for any. The engine skips all other paths. */
const wellFormed =
  /^(?:[^.[\]"]+|\[(?:\d+|\*|"(?:[^"\\\p{Cc}]|\\")*")\])(?:\.[^.[\]"]+|\[(?:\d+|\*|"(?:[^"\\\p{Cc}]|\\")*")\])*$/u;

/** Whether a property's path is a path of `ignoreChanges`, or inside one. `*` stands for any name or position. */
export function isIgnored(path: string, ignored: readonly string[]): boolean {
  const keys = keysIn(path).map(String);
  return ignored.some(
    (pattern) =>
      wellFormed.test(pattern) &&
      keysIn(pattern).every((key, index) => key === "*" || String(key) === keys[index]),
  );
}

/** Inputs with the service's values for the properties of `ignoreChanges`, so that an update leaves these unchanged. */
export function withIgnored(
  schema: TSchema,
  inputs: PropertyMap,
  live: PropertyMap,
  ignored: readonly string[],
): PropertyMap {
  const result = structuredClone(inputs);
  for (const { keys, right } of differences(schema, inputs, live, "left"))
    if (isIgnored(pathOf(keys), ignored) && (right ?? undefined) !== undefined) setAt(result, keys, right);
  return result;
}
