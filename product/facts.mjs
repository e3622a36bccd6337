/**
 * @typedef {import("./table.mjs").Schema} Schema
 * @typedef {object} Fact the statements in a schema of an API document about a place in a value
 * @property {Set<string>} types
 * @property {Set<string>} owners the named schemas that have the place as a property
 * @property {boolean} isRequired whether any part of the schema requires the place
 * @property {boolean} isDeprecated
 * @property {Set<string>} values the only valid values; empty if any value is valid
 * @property {boolean} isOpen whether the value may be an object of which no property is known
 * @property {boolean} isClosed whether the value is an object that may have no other members than the known ones
 * @property {Map<string, Set<string>>} limits the limits by keyword, and likewise defaults and formats;
 *   alternatives may have several
 */

const limitNames = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"],
  ...["minItems", "maxItems", "minProperties", "maxProperties", "pattern", "default", "format"],
];

/**
 * Whether a limit in a schema excludes no value: every text has at least 0 characters.
 * @param {string} name
 * @param {unknown} value
 */
const saysNothing = (name, value) => value === 0 && ["minLength", "minItems", "minProperties"].includes(name);

/** A limit or a default as a text: a default may be a list or an object. @param {unknown} value */
const textOf = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

/** @returns {Fact} */
const emptyFact = () => ({
  ...{ types: new Set(), owners: new Set(), values: new Set(), limits: new Map() },
  ...{ isRequired: false, isDeprecated: false, isOpen: false, isClosed: false },
});

/**
 * Collects the facts that a schema states about each place in a value, through references, parts and alternatives.
 * `tiles[].name` is the name of each tile, `parameters{}` each value of a map, and `` the value itself.
 * @param {Schema} schema
 * @param {{ [name: string]: Schema }} [schemas] the schemas that it refers to
 * @returns {Map<string, Fact>}
 */
export function factsIn(schema, schemas = {}) {
  /** @type {Map<string, Fact>} */
  const facts = new Map();
  walk(schema, "", schemas, facts, []);
  const owners = new Set([...facts.keys()].filter((path) => path !== "").map(ownerOf));
  for (const [path, fact] of facts) fact.isOpen &&= !owners.has(path);
  return facts;
}

/**
 * Returns the path of the object, list or map that directly contains a property or element: `tiles[]` for `tiles[].config`.
 * @param {string} path
 */
export function ownerOf(path) {
  return path.replace(/(\[\]|\{\}|\.?[^.[\]{}]+)$/, "");
}

/**
 * Collects the facts that a schema states about a value and about each place inside it, such as `tiles[].name`. The given path
 * is that of the value.
 * @param {Schema} schema
 * @param {string} path
 * @param {{ [name: string]: Schema }} schemas
 * @param {Map<string, Fact>} facts
 * @param {readonly string[]} references those that lead here: a schema may contain itself
 */
function walk(schema, path, schemas, facts, references) {
  const fact = facts.get(path) ?? emptyFact();
  facts.set(path, fact);
  const { $ref: reference } = schema;
  if (typeof reference === "string") {
    if (references.includes(reference)) return;
    const target = schemas[reference.replace("#/schemas/", "")];
    if (!target) throw new Error(`there is no schema ${reference}`);
    walk(target, path, schemas, facts, [...references, reference]);
  }
  noteOwn(schema, fact);
  const { allOf = [], anyOf = [], oneOf = [], then: further, else: otherwise } = schema;
  for (const part of [...allOf, ...anyOf, ...oneOf, further ?? false, otherwise ?? false])
    if (typeof part === "object") walk(part, path, schemas, facts, references);
  const { properties = {}, items, additionalProperties, required = [] } = schema;
  // The schema `false` forbids a property in one part of a union type. Another part may allow the property, so the facts are
  // taken from that part.
  for (const [name, member] of Object.entries(properties))
    if (member !== false) {
      walk(member === true ? {} : member, joined(path, name), schemas, facts, references);
      facts.get(joined(path, name))?.owners.add(references.at(-1)?.replace("#/schemas/", "") ?? "");
    }
  for (const name of required) {
    const memberFact = facts.get(joined(path, name));
    if (memberFact) memberFact.isRequired = true;
  }
  if (items) walk(items, `${path}[]`, schemas, facts, references);
  if (typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0)
    walk(additionalProperties, `${path}{}`, schemas, facts, references);
}

/** Appends a property's name to the path of its owner. @param {string} path @param {string} name */
const joined = (path, name) => (path === "" ? name : `${path}.${name}`);

/**
 * Adds what a schema itself states about a value, such as its types and limits, to the facts about the value.
 * @param {Schema} schema
 * @param {Fact} fact
 */
function noteOwn(schema, fact) {
  for (const type of [schema.type ?? []].flat()) fact.types.add(type);
  if (schema.properties && !schema.type) fact.types.add("object");
  if (schema.deprecated) fact.isDeprecated = true;
  // If a value may be null, its facts list the type null, so they leave null out of the values that an `enum` allows.
  for (const value of "const" in schema ? [schema.const] : (schema.enum ?? []))
    if (value !== null) fact.values.add(String(value));
  for (const name of limitNames)
    if (schema[name] !== undefined && !saysNothing(name, schema[name]))
      fact.limits.set(name, (fact.limits.get(name) ?? new Set()).add(textOf(schema[name])));
  const isObject = schema.type === "object" && schema.additionalProperties !== false;
  if (schema.additionalProperties === false) fact.isClosed = true;
  if (isObject || Object.keys(schema).length === 0) fact.isOpen = true;
}
