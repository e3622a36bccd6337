import { differences, pathOf } from "./compare";
import type { Data } from "./data";
import { setAt } from "./pairing";
import { keysIn } from "./schema";
import type { TSchema } from "./schemaBuilders";

/** A path as programs write it: names, positions, quoted names, and `*` for any. The engine passes over all others. */
const wellFormed =
  /^(?:[^.[\]"]+|\[(?:\d+|\*|"(?:[^"\\\p{Cc}]|\\")*")\])(?:\.[^.[\]"]+|\[(?:\d+|\*|"(?:[^"\\\p{Cc}]|\\")*")\])*$/u;

/** Whether a path is one of those that a program ignores, or inside one. `*` stands for any member or entry. */
export function isIgnored(path: string, ignored: readonly string[]): boolean {
  const keys = keysIn(path).map(String);
  return ignored.some(
    (pattern) =>
      wellFormed.test(pattern) &&
      keysIn(pattern).every((key, index) => key === "*" || String(key) === keys[index]),
  );
}

/** Inputs with the live value wherever the program ignores changes: an update leaves it as it is. */
export function withIgnored(schema: TSchema, inputs: Data, live: Data, ignored: readonly string[]): Data {
  const result = structuredClone(inputs);
  for (const { keys, right } of differences(schema, inputs, live, "left"))
    if (isIgnored(pathOf(keys), ignored) && (right ?? undefined) !== undefined) setAt(result, keys, right);
  return result;
}
