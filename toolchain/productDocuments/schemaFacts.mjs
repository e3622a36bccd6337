/**
 * What a JSON Schema says of each place of a value, whatever it is made of: references, parts, alternatives, conditions.
 *
 * @typedef {{ [keyword: string]: any }} Schema
 *
 * @typedef {object} Fact
 * @property {boolean} isRequired whether any part of the schema requires it
 * @property {Set<string>} values the values that it may have, quoted; none where any will do
 * @property {boolean} isOpen whether it is, or may be, an object of which no member is known
 * @property {Map<string, Set<number>>} limits by keyword; alternatives may have several
 */

const limitNames = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength"],
  ...["minItems", "maxItems", "minProperties", "maxProperties"],
];

/** A limit that says nothing: every text has at least no character, and none is that long. */
const isNoLimit = (/** @type {string} */ name, /** @type {number} */ value) =>
  (value === 0 && ["minLength", "minItems", "minProperties"].includes(name)) || value >= 1e6;

/** @returns {Fact} */
const emptyFact = () => ({ isRequired: false, values: new Set(), isOpen: false, limits: new Map() });

/**
 * The facts by path: `tiles[].name` is the name of each tile, and `` the value itself.
 *
 * @param {Schema} schema
 * @param {Schema} [root] the document that references are about
 * @returns {Map<string, Fact>}
 */
export function factsIn(schema, root = {}) {
  /** @type {Map<string, Fact>} */
  const facts = new Map();
  walk(schema, "", root, facts, []);
  const owners = new Set([...facts.keys()].filter((path) => path !== "").map(ownerOf));
  for (const [path, fact] of facts) fact.isOpen &&= !owners.has(path);
  return facts;
}

/** The place that another one is in: `tiles[].config` is in `tiles[]`, `tiles` and ``. @param {string} path */
export function ownerOf(path) {
  return path.replace(/(\[\]|\.?[^.[\]]+)$/, "");
}

/**
 * @param {Schema} schema
 * @param {string} path
 * @param {Schema} root
 * @param {Map<string, Fact>} facts
 * @param {readonly string[]} references those that lead here: a schema may contain itself
 */
function walk(schema, path, root, facts, references) {
  const fact = facts.get(path) ?? emptyFact();
  facts.set(path, fact);
  const { $ref: reference } = schema;
  if (typeof reference === "string") {
    if (references.includes(reference)) return;
    walk(resolved(reference, root), path, root, facts, [...references, reference]);
  }
  for (const value of valuesOf(schema)) fact.values.add(value);
  for (const name of limitNames) {
    const limit = schema[name];
    if (typeof limit !== "number" || isNoLimit(name, limit)) continue;
    fact.limits.set(name, (fact.limits.get(name) ?? new Set()).add(limit));
  }
  for (const part of partsOf(schema)) walk(part, path, root, facts, references);
  const { properties = {}, items, required = [] } = schema;
  for (const [name, member] of Object.entries(properties)) {
    // One that a part forbids is a member by another part, or by none.
    if (member === false) continue;
    const memberPath = path === "" ? name : `${path}.${name}`;
    walk(member === true ? {} : member, memberPath, root, facts, references);
    if (required.includes(name)) /** @type {Fact} */ (facts.get(memberPath)).isRequired = true;
  }
  for (const name of required) {
    const memberFact = facts.get(path === "" ? name : `${path}.${name}`);
    if (memberFact) memberFact.isRequired = true;
  }
  if (items) walk(items, `${path}[]`, root, facts, references);
  const isObject = schema.type === "object" && schema.additionalProperties !== false;
  if (isObject || Object.keys(schema).length === 0) fact.isOpen = true;
}

/** The schemas of which one consists, or may be meant. @param {Schema} schema @returns {Schema[]} */
function partsOf({ allOf = [], anyOf = [], oneOf = [], then: further, else: otherwise }) {
  return [...allOf, ...anyOf, ...oneOf, further ?? false, otherwise ?? false].filter(
    (part) => typeof part === "object",
  );
}

/** The allowed values, as texts: one document has numbers as texts. Null is told by the type. @param {Schema} schema */
function valuesOf(schema) {
  const values = "const" in schema ? [schema.const] : (schema.enum ?? []);
  return values
    .filter((/** @type {unknown} */ value) => value !== null)
    .map((/** @type {unknown} */ value) => JSON.stringify(String(value)));
}

/**
 * @param {string} reference such as `#/components/schemas/Alert`
 * @param {Schema} root
 * @returns {Schema}
 */
export function resolved(reference, root) {
  /** @type {any} */
  let target = root;
  for (const part of reference.replace(/^#\//, "").split("/"))
    target = target?.[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")];
  if (typeof target !== "object" || target === null)
    throw new Error(`the document has no ${reference}, which it refers to`);
  return target;
}
