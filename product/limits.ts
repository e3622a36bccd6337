import type { Schema } from "./schema";

type Limits = Map<string, Map<string, Set<unknown>>>;

/** The types of values to which each limit of a JSON Schema applies. */
const kinds: { readonly [limit: string]: readonly string[] } = {
  ...{ minLength: ["string"], maxLength: ["string"], pattern: ["string"] },
  ...{ minimum: ["integer", "number"], maximum: ["integer", "number"] },
  ...{ minItems: ["array"], maxItems: ["array"], maxProperties: ["object"] },
};

/**
 * Adds to a schema the limits, such as a maximum length, that another schema has at the same places: ClickHouse Cloud's API
 * document lacks the limits of the HyperDX server behind it. If the alternatives of a union type have different limits, the
 * widest limit counts.
 */
export function withLimitsOf(schema: Schema, other: Schema): Schema {
  const limits: Limits = new Map();
  note(other, "", limits);
  return limited(schema, "", limits);
}

function within(schema: Schema): (readonly [step: string, inner: Schema])[] {
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => list ?? []);
  const map = schema.additionalProperties;
  return [
    ...parts.map((part) => ["", part] as const),
    ...Object.entries(schema.properties ?? {}).map(([name, part]) => [`.${name}`, part] as const),
    ...(schema.items ? [["[]", schema.items] as const] : []),
    ...(typeof map === "object" ? [["{}", map as Schema] as const] : []),
  ];
}

function note(schema: Schema, path: string, limits: Limits): void {
  const own = limits.get(path) ?? new Map<string, Set<unknown>>();
  limits.set(path, own);
  if (schema.type !== undefined)
    for (const limit of Object.keys(kinds))
      if (hasType(schema, limit) && schema[limit] !== undefined)
        own.set(limit, (own.get(limit) ?? new Set()).add(schema[limit]));
  for (const [step, inner] of within(schema)) if (typeof inner === "object") note(inner, path + step, limits);
}

function widest(limit: string, values: readonly unknown[]): unknown {
  if (limit === "pattern") return values.length === 1 ? values[0] : undefined;
  const numbers = values as readonly number[];
  return limit.startsWith("max") ? Math.max(...numbers) : Math.min(...numbers);
}

const hasType = (schema: Schema, limit: string) =>
  [schema.type].flat().some((type) => type !== undefined && kinds[limit]?.includes(type));

function limited(schema: Schema, path: string, limits: Limits): Schema {
  if (typeof schema !== "object") return schema;
  const copy: { [keyword: string]: unknown } = { ...schema };
  for (const [limit, values] of limits.get(path) ?? [])
    if (!(limit in schema) && hasType(schema, limit)) {
      const value = widest(limit, [...values]);
      if (value !== undefined) copy[limit] = value;
    }
  for (const keyword of ["allOf", "anyOf", "oneOf"] as const)
    if (schema[keyword]) copy[keyword] = schema[keyword].map((part) => limited(part, path, limits));
  if (schema.items) copy.items = limited(schema.items, `${path}[]`, limits);
  if (typeof schema.additionalProperties === "object")
    copy.additionalProperties = limited(schema.additionalProperties as Schema, `${path}{}`, limits);
  if (schema.properties)
    copy.properties = Object.fromEntries(
      Object.entries(schema.properties).map(([name, part]) => [
        name,
        limited(part, `${path}.${name}`, limits),
      ]),
    );
  return copy as Schema;
}
