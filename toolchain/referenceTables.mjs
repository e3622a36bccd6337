/**
 * The tables of the reference pages, made from the package schema.
 *
 * @typedef {{
 *   type?: string, $ref?: string, items?: TypeSpec, additionalProperties?: TypeSpec, oneOf?: TypeSpec[],
 * }} TypeSpec
 * @typedef {TypeSpec & {
 *   description?: string, deprecationMessage?: string, secret?: boolean, willReplaceOnChanges?: boolean, default?: unknown,
 * }} PropertySpec
 * @typedef {Record<string, PropertySpec>} Properties
 * @typedef {{ type: string, description?: string, properties?: Properties, required?: string[], enum?: { value: string }[] }} NamedType
 * @typedef {{
 *   description: string, inputProperties: Properties, requiredInputs: string[], properties: Properties,
 * }} ResourceSpec
 * @typedef {{
 *   description: string, inputs: NamedType, outputs: NamedType,
 * }} FunctionSpec
 * @typedef {{
 *   types: Record<string, NamedType>, resources: Record<string, ResourceSpec>, functions: Record<string, FunctionSpec>,
 * }} PackageSpec
 */

/** The name of a type or function in its token. @param {string} token */
export function nameOf(token) {
  return token.slice(token.lastIndexOf(":") + 1);
}

/**
 * Makes the table of properties on a reference page.
 * @param {Properties} properties
 * @param {readonly string[] | undefined} required undefined for outputs
 * @param {PackageSpec} schema
 */
export function propertyTable(properties, required, schema) {
  if (Object.keys(properties).length === 0) return ["None."];
  const names = Object.keys(properties).sort(
    (a, b) => Number(required?.includes(b) ?? 0) - Number(required?.includes(a) ?? 0),
  );
  const rows = names.map((name) => {
    const spec = properties[name] ?? {};
    const notes = [
      ...(required?.includes(name) ? ["**Required.**"] : []),
      ...(spec.deprecationMessage ? [`**Deprecated:** ${spec.deprecationMessage}`] : []),
      spec.description ?? "",
      ...(spec.secret ? ["**Secret.**"] : []),
      ...(required && spec.willReplaceOnChanges ? ["**A change replaces the object.**"] : []),
    ];
    return `| \`${name}\` | ${typeText(spec, schema)} | ${cell(notes.join(" "))} |`;
  });
  return ["| name | type | |", "|---|---|---|", ...rows];
}

/** Escapes Markdown in the text of a table cell. @param {string} text */
function cell(text) {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}

/**
 * The text of a property's type, as the reference shows it.
 * @param {TypeSpec} spec
 * @param {PackageSpec} schema
 * @returns {string}
 */
function typeText({ type, $ref, items, additionalProperties, oneOf }, schema) {
  if (oneOf) {
    const texts = [...new Set(oneOf.map((alternative) => typeText(alternative, schema)))].filter(
      (text) => text !== "any",
    );
    // An open enumeration also allows any text, for the values of newer servers; the reference shows only its known values.
    const isEnumeration = oneOf.some((alternative) => schema.types[tokenOf(alternative)]?.enum);
    return texts.filter((text) => !(isEnumeration && text === "string")).join(" or ");
  }
  if ($ref) {
    const named = schema.types[tokenOf({ $ref })];
    if (!named) return "any";
    if (named.enum) return named.enum.map(({ value }) => `\`${JSON.stringify(value)}\``).join(", ");
    return `[${nameOf(tokenOf({ $ref }))}](#${nameOf(tokenOf({ $ref })).toLowerCase()})`;
  }
  if (items) return `list of ${typeText(items, schema)}`;
  if (additionalProperties) return `map of ${typeText(additionalProperties, schema)}`;
  return type ?? "any";
}

/** The token of the named type to which a type refers. @param {TypeSpec} spec */
function tokenOf({ $ref = "" }) {
  return decodeURIComponent($ref.replace("#/types/", ""));
}

/**
 * Makes the sections of a reference page about the objects inside the properties, outer objects first.
 * @param {Properties} inputs
 * @param {Properties} outputs
 * @param {PackageSpec} schema
 */
export function typeSections(inputs, outputs, schema) {
  const declared = objectsIn(inputs, schema);
  const read = [...objectsIn(outputs, schema)].filter((token) => !declared.has(token));
  const sections = [...declared, ...read].flatMap((token) => {
    const { description, properties = {}, required = [] } = schema.types[token] ?? {};
    return [
      `### ${nameOf(token)}`,
      "",
      ...(description ? [description, ""] : []),
      ...propertyTable(properties, declared.has(token) ? required : undefined, schema),
      "",
    ];
  });
  return sections.length > 0 ? ["## Types", "", ...sections] : [];
}

/**
 * The tokens of all object types inside properties.
 * @param {Properties} properties
 * @param {PackageSpec} schema
 */
function objectsIn(properties, schema) {
  /** @type {Set<string>} */
  const tokens = new Set();
  /** Collects the tokens of the object types inside a type, at every depth. @param {TypeSpec} spec */
  const collect = (spec) => {
    for (const inner of [spec.items, spec.additionalProperties, ...(spec.oneOf ?? [])])
      if (inner) collect(inner);
    const token = tokenOf(spec);
    const members = schema.types[token]?.properties;
    if (!members || tokens.has(token)) return;
    tokens.add(token);
    Object.values(members).forEach(collect);
  };
  Object.values(properties).forEach(collect);
  return tokens;
}
