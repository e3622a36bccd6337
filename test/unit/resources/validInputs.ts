import { type TypeName, typeNames } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import type { Json, JsonObject } from "./example";
import { examples } from "./examples";

export const validInputs = Object.fromEntries(typeNames.map((type) => [type, examples[type].valid])) as {
  readonly [Type in TypeName]: JsonObject;
};

/** A value in `Changes` that means the removal of a property from the program. */
export const absent = Symbol("absent");

export type Changes = { readonly [path: string]: unknown };

export function withChanges<Original extends PropertyMap>(object: Original, changes: Changes): Original {
  const copy = JSON.parse(JSON.stringify(object)) as Original;
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
    let inside = copy as Record<string, unknown>;
    for (const key of keys.slice(0, -1)) inside = inside[key] as Record<string, unknown>;
    const last = keys.at(-1) ?? "";
    if (value === absent) delete inside[last];
    else inside[last] = value;
  }
  return copy;
}

export function withChange(object: JsonObject, path: string, value: Json | typeof absent): JsonObject {
  return withChanges(object, { [path]: value });
}

export function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inside = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return [inside, ...pathsIn(member, inside)];
  });
}
