import type { Schema } from "../../product/read";

/**
 * Turns a schema of the API documents into the form by which a server checks request bodies. Objects accept no further
 * properties. For a union, constant values choose one branch, so that a mistake is reported once, and only properties unknown
 * to that branch are dropped.
 */
export function shapeOf(schema: Schema): object {
  const alternatives = alternativesOf(schema);
  if (alternatives.every(isObjectSchema)) return chosen(alternatives);
  if (alternatives.length > 1) return { anyOf: alternatives.map(shapeOf) };
  const { type, items, not } = schema;
  return {
    ...Object.fromEntries(limits.flatMap((name) => (name in schema ? [[name, schema[name]]] : []))),
    // In the API documents, formats of numbers and texts other than `date-time` only say how many bits a number has, so the
    // sandbox ignores them.
    ...(schema.format === "date-time" && { format: "date-time" }),
    ...(schema.const !== undefined && { enum: [schema.const] }),
    ...(type !== undefined && { type }),
    ...(items && { items: shapeOf(items) }),
    ...(not !== undefined && { not }),
  };
}

const limits = [
  ...["enum", "minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum", "multipleOf"],
  ...["minItems", "maxItems", "uniqueItems"],
];

const isObjectSchema = (schema: Schema) =>
  schema.properties !== undefined || schema.additionalProperties !== undefined || schema.type === "object";

type Mutable = { [keyword: string]: unknown };

/** Lists the alternatives of a JSON Schema, with its nested `allOf` and unions resolved. */
function alternativesOf({ allOf = [], anyOf = [], oneOf = [], ...own }: Schema): Schema[] {
  let found: Schema[] = [own];
  for (const part of allOf) found = crossed(found, alternativesOf(part));
  for (const union of [anyOf, oneOf])
    if (union.length > 0) found = crossed(found, union.flatMap(alternativesOf));
  return found;
}

const crossed = (left: readonly Schema[], right: readonly Schema[]) =>
  left.flatMap((one) => right.map((other) => both(one, other)));

/**
 * Makes a JSON Schema for values that fit two schemas. If the second schema only limits a property that the first one lacks,
 * the limit is left out.
 */
function both(one: Schema, other: Schema): Schema {
  const merged: Mutable = { ...one, ...other };
  if (one.required || other.required)
    merged.required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  if (one.items && other.items) merged.items = both(one.items, other.items);
  if (one.properties && other.properties) {
    const isLimit = other.type === undefined;
    const names = Object.keys({ ...one.properties, ...(isLimit ? {} : other.properties) });
    merged.properties = Object.fromEntries(
      names.map((name) => {
        const [left, right] = [one.properties?.[name], other.properties?.[name]];
        return [name, left && right ? both(left, right) : (left ?? right)];
      }),
    );
  }
  return merged as Schema;
}

/**
 * Returns the only value that a JSON Schema allows for a property, such as `tile` for an alert's `source`; undefined if there
 * are several.
 */
function wordOf({ properties = {} }: Schema, member: string): unknown {
  const { const: only, enum: words = [] } = properties[member] ?? {};
  if (only !== undefined) return only;
  return words.length === 1 ? words[0] : undefined;
}

const only = (member: string, word: unknown) => ({
  type: "object",
  required: [member],
  properties: { [member]: { const: word } },
});

/**
 * Makes the schema of a value that is one of several object types. A property with one fixed value in each type, such as
 * `displayType`, tells them apart, so that a mistake is reported against that type alone.
 */
function chosen(objects: readonly Schema[]): object {
  const [first] = objects;
  if (first && objects.length === 1) return closed(first);
  const isTold = (object: Schema, tag: string) =>
    wordOf(object, tag) !== undefined && object.required?.includes(tag) === true;
  const tags = [...new Set(objects.flatMap(({ required = [] }) => required))].filter((tag) => {
    const words = new Set(
      objects.filter((object) => isTold(object, tag)).map((object) => wordOf(object, tag)),
    );
    return words.size > 1 || (words.size === 1 && objects.some((object) => !isTold(object, tag)));
  });
  const all = tags.find((tag) => objects.every((object) => isTold(object, tag)));
  // A property cannot tell the object types of a union apart if one of the types allows any value for it.
  const isTelling = (tag: string) =>
    objects.every((object) => isTold(object, tag) || !(tag in (object.properties ?? {})));
  const tag = all ?? tags.find(isTelling) ?? tags[0];
  if (tag === undefined) return { anyOf: objects.map(closed) };
  const words = [
    ...new Set(objects.filter((object) => isTold(object, tag)).map((object) => wordOf(object, tag))),
  ];
  const of = (word: unknown) =>
    chosen(objects.filter((object) => isTold(object, tag) && wordOf(object, tag) === word));
  if (all)
    return {
      type: "object",
      required: [tag],
      discriminator: { propertyName: tag },
      oneOf: words.map((word) => ({ ...only(tag, word), allOf: [of(word)] })),
    };
  const others = objects.filter((object) => !isTold(object, tag));
  const isUnnamed = others.every(({ properties = {} }) => !(tag in properties));
  const otherwise = isUnnamed
    ? { type: "object", allOf: [{ properties: { [tag]: { enum: words } } }, chosen(others)] }
    : chosen(others);
  return words.reduceRight<object>(
    // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
    (rest, word) => ({ type: "object", if: only(tag, word), then: of(word), else: rest }),
    otherwise,
  );
}

/** Makes the schema of an object. If the given schema names properties, the object accepts no others. */
function closed({
  properties,
  required,
  additionalProperties,
  minProperties,
  maxProperties,
  propertyNames,
}: Schema): object {
  const map =
    typeof additionalProperties === "object" ? shapeOf(additionalProperties as Schema) : additionalProperties;
  const isOpen = Object.keys(properties ?? {}).length === 0;
  const further = map ?? (isOpen ? undefined : false);
  return {
    type: "object",
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, shapeOf(member)]),
      ),
    }),
    ...(required && { required }),
    ...(further !== undefined && { additionalProperties: further }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
    ...(propertyNames !== undefined && { propertyNames }),
  };
}

/** Marks a JSON Schema so that the sandbox refuses unknown properties, even on the API that drops them elsewhere. */
export function refusing(shape: unknown): unknown {
  if (Array.isArray(shape)) return shape.map(refusing);
  if (typeof shape !== "object" || shape === null) return shape;
  const { additionalProperties, ...keywords } = shape as Mutable;
  const copy = Object.fromEntries(Object.entries(keywords).map(([name, inner]) => [name, refusing(inner)]));
  if (additionalProperties !== false)
    return { ...copy, ...(additionalProperties !== undefined && { additionalProperties }) };
  return { ...copy, propertyNames: { enum: Object.keys(keywords.properties ?? {}) } };
}
