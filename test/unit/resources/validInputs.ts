import { type TypeName, typeNames } from "../../../provider/resources/registry";
import type { Json, JsonObject } from "./example";
import { examples } from "./examples";

/** One valid object for each type, with every property that the type has. */
export const validInputs = Object.fromEntries(typeNames.map((type) => [type, examples[type].valid])) as {
  readonly [Type in TypeName]: JsonObject;
};

/** Stands for a property that is taken out. */
export const absent = Symbol("absent");

/** A copy of the object in which the property at the path, such as `tiles[1].series[0].type`, is another one. */
export function withChange(object: JsonObject, path: string, value: Json | typeof absent): JsonObject {
  const copy = JSON.parse(JSON.stringify(object)) as JsonObject;
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  let inside = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) inside = inside[key] as Record<string, unknown>;
  const last = keys.at(-1) ?? "";
  if (value === absent) delete inside[last];
  else inside[last] = value;
  return copy;
}

/** The paths of all places inside a value, at every depth. */
export function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inside = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return [inside, ...pathsIn(member, inside)];
  });
}
