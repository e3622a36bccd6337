import type { TSchema } from "../typebox";
import { isObject } from "./data";
import { annotationsOf, joinPath, schemaAt } from "./schema";
import type { Failure } from "./validate";

/** Texts that are longer, and lists that have more entries, than the schema says that servers take. */
export function beyondLimits(schema: TSchema, value: unknown, path: string): Failure[] {
  const { most = Number.POSITIVE_INFINITY } = annotationsOf(schema);
  if (typeof value === "string")
    return value.length > most ? [{ path, message: `must be a string of at most ${most} characters` }] : [];
  if (Array.isArray(value)) {
    if (value.length > most) return [{ path, message: `must be a list of at most ${most} entries` }];
    return value.flatMap((entry, index) =>
      beyondLimits(schemaAt(schema, index), entry, joinPath(path, index)),
    );
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    beyondLimits(schemaAt(schema, name), member, joinPath(path, name)),
  );
}
