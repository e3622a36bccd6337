import { differences, pathOf } from "./compare";
import type { PropertyMap } from "./data";
import { idsIn, setAt } from "./pairing";
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

/**
 * Inputs with the service's values for the properties of `ignoreChanges`, so that an update leaves these unchanged.
 * @param identified the inputs and the service's values, with the ids of list entries: entries correspond by them
 */
export function withIgnored(
  schema: TSchema,
  inputs: PropertyMap,
  live: PropertyMap,
  ignored: readonly string[],
  identified: { readonly inputs: PropertyMap; readonly live: PropertyMap },
): PropertyMap {
  const result = structuredClone(inputs);
  const found = inPlaces(inputs, live, ignored, identified);
  for (const { keys, right } of differences(schema, inputs, found, "left"))
    if (isIgnored(pathOf(keys), ignored) && (right ?? undefined) !== undefined) setAt(result, keys, right);
  return result;
}

/**
 * The service's values with its list entries at the places of the declared ones. An entry that it lacks is as declared. A list that
 * is ignored as a whole is that of the service.
 */
function inPlaces(
  inputs: PropertyMap,
  live: PropertyMap,
  ignored: readonly string[],
  identified: { readonly inputs: PropertyMap; readonly live: PropertyMap },
): PropertyMap {
  const lists = Object.entries(inputs).flatMap(([name, declared]) => {
    const now = live[name];
    const ids = idsIn(identified.inputs, name);
    const isWhole = ignored.some((path) => isIgnored(name, [path]) || path === `${name}[*]`);
    if (isWhole || !Array.isArray(declared) || !Array.isArray(now) || !ids.some(Boolean)) return [];
    const byId = new Map(idsIn(identified.live, name).map((id, index) => [id, now[index]]));
    const placed = declared.map((entry, index) => {
      const id = ids[index];
      return (id === undefined ? undefined : byId.get(id)) ?? entry;
    });
    return [[name, placed] as const];
  });
  return { ...live, ...Object.fromEntries(lists) };
}
