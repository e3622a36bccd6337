import { isObject } from "./json";
import type { TSchema } from "./schemaBuilders";

/**
 * The first mismatch between a response and its operation's schema, such as `result.0.id must be a string`. The few small
 * schemas are interpreted: a JSON Schema validator would take longer to load and compile them than a refresh takes.
 */
export function mismatch(schema: TSchema, value: unknown, path: string): string | undefined {
  switch (schema.type) {
    case "array":
      if (!Array.isArray(value)) return `${path} must be a list`;
      return first(value.keys(), (index) => mismatch(schema.items, value[index], `${path}.${index}`));
    case "object": {
      if (!isObject(value)) return `${path} must be an object`;
      const { required = [], properties = {} } = schema;
      const missing = (required as readonly string[]).find((name) => value[name] === undefined);
      if (missing !== undefined) return `${path} has no member "${missing}"`;
      return first(Object.keys(properties), (name) =>
        value[name] === undefined ? undefined : mismatch(properties[name], value[name], `${path}.${name}`),
      );
    }
    case "string":
      if (typeof value !== "string") return `${path} must be a string`;
      return value.length < (schema.minLength ?? 0) ? `${path} must not be empty` : undefined;
    default:
      return undefined;
  }
}

/** The first mismatch among the properties of an object or the elements of a list in a response. */
function first<Key>(keys: Iterable<Key>, mismatchAt: (key: Key) => string | undefined): string | undefined {
  for (const key of keys) {
    const mismatch = mismatchAt(key);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}
