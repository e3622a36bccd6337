import { keysIn } from "./schema";

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
