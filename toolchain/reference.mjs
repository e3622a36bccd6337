import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";

/**
 * The reference as Markdown: a page for each resource and each function, from the package schema and the table of
 * operations, so that nothing is documented twice.
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
 * @typedef {import("../provider/api/operation.js").Operation} Operation
 * @typedef {import("../provider/descriptions.js").Descriptions} Descriptions
 * @typedef {import("../provider/lifecycle/resource.js").Resource} Resource
 */

/**
 * The pages, by their names.
 * @param {PackageSpec} schema
 * @param {Record<string, Resource>} resources
 * @param {Record<string, Operation>} operations
 * @param {Descriptions} docs
 * @returns {Record<string, string>}
 */
export function referencePages(schema, resources, operations, docs) {
  /** @type {Record<string, string>} */
  const pages = {};
  const entries = { Resources: schema.resources, Functions: schema.functions };
  const index = Object.entries(entries).flatMap(([heading, specs]) => [
    `## ${heading}`,
    "",
    ...Object.entries(specs).map(
      ([token, spec]) => `- [${nameOf(token)}](${nameOf(token)}.md): ${summaryOf(spec)}`,
    ),
    "",
  ]);
  const names = [...Object.keys(schema.resources), ...Object.keys(schema.functions)].map(nameOf);
  const children = names.map((name) => `  - ./${name}.md`);
  pages["README.md"] = [
    "---",
    "title: Reference",
    "children:",
    ...children,
    "---",
    "",
    "# Reference",
    "",
    ...index,
  ].join("\n");
  for (const [token, spec] of Object.entries(schema.resources)) {
    const name = nameOf(token);
    const resource = resources[name];
    if (!resource) throw new Error(`the registry has no resource ${name}`);
    const described = withExamples(spec, docs.resources[name]);
    pages[`${name}.md`] = resourcePage(name, token, described, resource, schema, operations);
  }
  for (const [token, spec] of Object.entries(schema.functions)) {
    const name = nameOf(token);
    pages[`${name}.md`] = functionPage(name, withExamples(spec, docs.functions[name]), schema);
  }
  return pages;
}

/** @param {string} token */
function nameOf(token) {
  return token.slice(token.lastIndexOf(":") + 1);
}

/** The first sentence. @param {{ description: string }} spec */
function summaryOf({ description }) {
  const [first = ""] = description.split(/(?<=\.)\s/);
  return first.replace(/\s+/g, " ");
}

/**
 * The programs of the docstring come before those of the plugin.
 * @template {{ description: string }} Spec
 * @param {Spec} spec
 * @param {{ examples?: readonly string[] }} [docstring]
 * @returns {Spec}
 */
function withExamples(spec, { examples = [] } = {}) {
  const [text = "", programs] = spec.description.split("\n\n## Example Usage\n\n");
  const withPlugin = programs
    ? ["With the [plugin](../../docs/plugin.md):", programs.replace(/<!--.*-->\n?/g, "").trim()]
    : [];
  const description = [text, "## Example", ...examples, ...withPlugin].join("\n\n");
  return { ...spec, description };
}

/**
 * @param {string} name
 * @param {string} token
 * @param {ResourceSpec} spec
 * @param {Resource} resource
 * @param {PackageSpec} schema
 * @param {Record<string, Operation>} operations
 */
function resourcePage(name, token, spec, resource, schema, operations) {
  const outputs = Object.fromEntries(
    Object.entries(spec.properties).filter(([property]) => !(property in spec.inputProperties)),
  );
  const used = Object.entries(resource.operations);
  return [
    `# ${name}`,
    "",
    spec.description,
    "",
    "## Arguments",
    "",
    ...propertyTable(spec.inputProperties, spec.requiredInputs, schema),
    "",
    "## Outputs",
    "",
    `All arguments, \`id\`, and:`,
    "",
    ...propertyTable(outputs, undefined, schema),
    "",
    ...typeSections(spec.inputProperties, outputs, schema),
    "## Import",
    "",
    ...(resource.operations.list
      ? ["```sh", `pulumi import ${token} ${resource.noun.replace(/\W+/g, "-")} <id>`, "```"]
      : ["The id is that of the service.", "", "```sh", `pulumi import ${token} service <serviceId>`, "```"]),
    "",
    `This needs the [plugin](../../docs/plugin.md). With either host, [pipestack import](../../docs/import.md) writes the program as well.`,
    "",
    "## Operations",
    "",
    "| step | operation | request | documented in `neutral` |",
    "|---|---|---|---|",
    ...used.map(([step, operation]) => operationRow(step, operation, operations)),
    "",
  ].join("\n");
}

/**
 * @param {string} step
 * @param {string} name
 * @param {Record<string, Operation>} operations
 */
function operationRow(step, name, operations) {
  const operation = operations[name];
  if (!operation) throw new Error(`there is no operation ${name}`);
  const request = `\`${operation.method} ${operation.path}\``;
  return `| ${step} | \`${name}\` (${operation.api} API) | ${request} | ${operation.documented ? "yes" : "no"} |`;
}

/**
 * @param {string} name
 * @param {FunctionSpec} spec
 * @param {PackageSpec} schema
 */
function functionPage(name, spec, schema) {
  const inputs = spec.inputs.properties ?? {};
  const outputs = spec.outputs.properties ?? {};
  return [
    `# ${name}`,
    "",
    spec.description,
    "",
    `\`${name}\` returns a promise, \`${name}Output\` takes and returns outputs.`,
    "",
    "## Arguments",
    "",
    ...propertyTable(inputs, spec.inputs.required ?? [], schema),
    "",
    "## Result",
    "",
    ...propertyTable(outputs, undefined, schema),
    "",
    ...typeSections(inputs, outputs, schema),
  ].join("\n");
}

/**
 * @param {Properties} properties
 * @param {readonly string[] | undefined} required undefined for outputs
 * @param {PackageSpec} schema
 */
function propertyTable(properties, required, schema) {
  if (Object.keys(properties).length === 0) return ["None."];
  const names = Object.keys(properties).sort(
    (one, other) => Number(required?.includes(other) ?? 0) - Number(required?.includes(one) ?? 0),
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

/** Markdown in a cell. @param {string} text */
function cell(text) {
  return text
    .trim()
    .replace(/\s*\n\s*/g, " ")
    .replaceAll("|", "\\|");
}

/**
 * @param {TypeSpec} spec
 * @param {PackageSpec} schema
 * @returns {string}
 */
function typeText({ type, $ref, items, additionalProperties, oneOf }, schema) {
  if (oneOf) {
    // Values that only newer servers know are allowed, too.
    const texts = [...new Set(oneOf.map((one) => typeText(one, schema)))].filter((text) => text !== "any");
    // Beside its values, an enumeration takes any string: newer servers may have more.
    const known = oneOf.some((one) => schema.types[tokenOf(one)]?.enum);
    return texts.filter((text) => !(known && text === "string")).join(" or ");
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

/** @param {TypeSpec} spec */
function tokenOf({ $ref = "" }) {
  return decodeURIComponent($ref.replace("#/types/", ""));
}

/**
 * A section for each object inside the properties, outer ones first.
 * @param {Properties} inputs
 * @param {Properties} outputs
 * @param {PackageSpec} schema
 */
function typeSections(inputs, outputs, schema) {
  const declared = objectsIn(inputs, schema);
  const read = [...objectsIn(outputs, schema)].filter((token) => !declared.has(token));
  return [...declared, ...read].flatMap((token) => {
    const { description, properties = {}, required = [] } = schema.types[token] ?? {};
    return [
      `### ${nameOf(token)}`,
      "",
      ...(description ? [description, ""] : []),
      ...propertyTable(properties, declared.has(token) ? required : undefined, schema),
      "",
    ];
  });
}

/**
 * The tokens of all objects inside properties.
 * @param {Properties} properties
 * @param {PackageSpec} schema
 */
function objectsIn(properties, schema) {
  /** @type {Set<string>} */
  const tokens = new Set();
  /** @param {TypeSpec} spec */
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

/**
 * Writes the pages of the provider that is built.
 * @param {string} built folder of its modules
 * @param {string} folder for the pages
 * @returns {Promise<string[]>} the paths of the pages
 */
export async function writeReference(built, folder) {
  /** @param {string} path */
  const load = (path) => createRequire(import.meta.url)(join(built, path));
  const { resources } = load("resources/registry.js");
  const { functions } = load("functions/registry.js");
  const { packageSchema } = load("hosts/plugin/packageSchema.js");
  const docs = load("descriptions.json");
  const schema = packageSchema({ resources, functions }, docs);
  const pages = referencePages(schema, resources, load("api/operations.js").operations, docs);
  await mkdir(folder, { recursive: true });
  return Promise.all(
    Object.entries(pages).map(async ([name, text]) => {
      await writeFile(join(folder, name), `${text.trimEnd()}\n`);
      return join(folder, name);
    }),
  );
}
