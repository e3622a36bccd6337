import { mkdir, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { operationsOf, operationTable } from "./operationTables.mjs";
import { nameOf, propertyTable, typeSections } from "./referenceTables.mjs";

/**
 * The reference as Markdown: a page for each resource and each function, from the package schema and the table of
 * operations, so that nothing is documented twice.
 *
 * @typedef {import("./referenceTables.mjs").PackageSpec} PackageSpec
 * @typedef {import("./referenceTables.mjs").ResourceSpec} ResourceSpec
 * @typedef {import("./referenceTables.mjs").FunctionSpec} FunctionSpec
 * @typedef {import("../provider/descriptions.js").Descriptions} Descriptions
 * @typedef {import("../provider/lifecycle/resource.js").Resource} Resource
 * @typedef {import("./operationTables.mjs").Provider} Provider
 */

/**
 * The pages of the reference, by their names.
 * @param {PackageSpec} schema
 * @param {Provider} provider
 * @param {Descriptions} docs
 * @returns {Record<string, string>}
 */
export function referencePages(schema, provider, docs) {
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
    const resource = provider.resources[name];
    const { text, example } = parts(spec, docs.resources[name]);
    pages[`${name}.md`] =
      resourcePage(name, token, { ...spec, description: text }, example, resource, schema, provider) +
      seeAlso(docs.resources[name]);
  }
  for (const [token, spec] of Object.entries(schema.functions)) {
    const name = nameOf(token);
    const errors = docs.functions[name]?.throws ?? [];
    const { text, example } = parts(spec, docs.functions[name]);
    pages[`${name}.md`] =
      functionPage(name, { ...spec, description: text }, example, errors, schema, provider) +
      seeAlso(docs.functions[name]);
  }
  return pages;
}

/**
 * Makes the last section of a reference page, with references to the sections of the API document about the resource or
 * function.
 * @param {{ see?: readonly string[] }} [docstring]
 */
function seeAlso({ see = [] } = {}) {
  return see.length === 0 ? "" : ["", "## See also", "", ...see.map((text) => `- ${text}`), ""].join("\n");
}

/** The first sentence of a description in the package schema. @param {{ description: string }} spec */
function summaryOf({ description }) {
  const [first = ""] = description.split(/(?<=\.)\s/);
  return first.replace(/\s+/g, " ");
}

/**
 * Splits a description of the package schema into its text and a section with the example programs in all languages. The
 * documentation site shows the program in the reader's language.
 * @param {{ description: string }} spec
 * @param {{ examples?: readonly string[] }} [docstring] the docstring with the example programs of the dynamic provider
 */
function parts({ description }, { examples = [] } = {}) {
  const [text = "", programs = ""] = description.split("\n\n## Example Usage\n\n");
  const [first = "", ...more] = examples.map((program) =>
    program.replace("```typescript\n", (fence) => `${fence}import * as pipestack from "pipestack";\n\n`),
  );
  const example = [
    "## Example",
    "`@pipestack/sdk` and the other languages need the [plugin](../../docs/plugin.md), `pipestack` does not.",
    ...[first, ...inOrder(programs), ...more],
  ];
  return { text, example: [example.join("\n\n"), ""] };
}

const languages = ["typescript", "python", "go", "yaml"];

/** Sorts the code blocks of example programs by language. @param {string} programs */
function inOrder(programs) {
  const blocks = programs.match(/^```\w+\n(?:.*\n)*?```$/gm) ?? [];
  const place = (/** @type {string} */ block) =>
    languages.findIndex((language) => block.startsWith(`\`\`\`${language}`));
  return [...blocks].sort((a, b) => place(a) - place(b));
}

/**
 * The page of the reference about a resource type.
 * @param {string} name
 * @param {string} token
 * @param {ResourceSpec} spec
 * @param {readonly string[]} example
 * @param {Resource | undefined} resource undefined for a component
 * @param {PackageSpec} schema
 * @param {Provider} provider
 */
function resourcePage(name, token, spec, example, resource, schema, provider) {
  const outputs = Object.fromEntries(
    Object.entries(spec.properties).filter(([property]) => !(property in spec.inputProperties)),
  );
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
    resource ? "All arguments, `id`, and:" : "`urn`, and:",
    "",
    ...propertyTable(outputs, undefined, schema),
    "",
    ...example,
    ...typeSections(spec.inputProperties, outputs, schema),
    ...(resource ? ["## Import", "", ...importSection(token, resource), ""] : []),
    "## Errors",
    "",
    `An invalid argument fails in the preview, named by its path, before anything is sent. What becomes of every failed request is in [faults](../../docs/faults.md), and each message in [troubleshooting](../../docs/troubleshooting.md).`,
    "",
    ...(resource
      ? ["## Operations", "", ...operationTable(Object.entries(resource.operations), provider), ""]
      : []),
  ].join("\n");
}

/** The organization and the service, which the id of an import may name before the id of the object. */
const importScopes = {
  organization: "<organization>/",
  service: "<organization>/<service>/",
  observability: "<organization>/<service>/",
};

/**
 * The section about imports on the reference page of a resource type.
 * @param {string} token
 * @param {Resource} resource
 */
function importSection(token, { noun, operations, scope, entries }) {
  if (entries)
    return [
      `A set is not imported. An entry that declares the id of an existing ${entries.of.noun} as \`adoptId\` takes it over, without a request if it is as declared.`,
    ];
  const isSingleton = operations.list === undefined;
  const [name, id] = isSingleton ? ["service", "<serviceId>"] : [noun.replace(/\W+/g, "-"), "<id>"];
  return [
    "```sh",
    `pulumi import ${token} ${name} ${id}`,
    "```",
    "",
    isSingleton
      ? "The id is that of the service."
      : `The id is the one that the service gave. For another place than the settings name: \`${importScopes[scope]}<id>\`.`,
    "",
    `This needs the [plugin](../../docs/plugin.md), and so does the option \`import\`. With either host, [pipestack import](../../docs/import.md) writes the program as well.`,
  ];
}

/**
 * The page of the reference about a provider function.
 * @param {string} name
 * @param {FunctionSpec} spec
 * @param {readonly string[]} example
 * @param {readonly string[]} errors
 * @param {PackageSpec} schema
 * @param {Provider} provider
 */
function functionPage(name, spec, example, errors, schema, provider) {
  const inputs = spec.inputs.properties ?? {};
  const outputs = spec.outputs.properties ?? {};
  const definition = provider.functions[name];
  const used = definition ? operationsOf(definition).map((operation) => ["read", operation]) : [];
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
    ...example,
    ...typeSections(inputs, outputs, schema),
    "## Errors",
    "",
    ...errors.map((error) => `It fails ${error.replace(/^Error\s+/, "").replace(/\s+/g, " ")}.`),
    "",
    "## Operations",
    "",
    ...operationTable(used, provider),
    "",
  ].join("\n");
}

/**
 * Writes the reference pages of the built provider.
 * @param {string} built folder of its modules
 * @param {string} folder for the pages
 * @returns {Promise<string[]>} the paths of the pages
 */
export async function writeReference(built, folder) {
  /** Loads a module of the built provider. @param {string} path */
  const load = (path) => createRequire(import.meta.url)(join(built, path));
  const { offer } = load("hosts/plugin/offer.js");
  const { packageSchema } = load("hosts/plugin/packageSchema.js");
  const docs = load("descriptions.json");
  const schema = packageSchema(offer, docs);
  const { isWrite } = load("api/operation.js");
  const { operations } = load("api/operations.js");
  const { limits } = load("api/dialect.js").dialects.clickhouse;
  const pages = referencePages(schema, { ...offer, operations, isWrite, limits }, docs);
  await mkdir(folder, { recursive: true });
  return Promise.all(
    Object.entries(pages).map(async ([name, text]) => {
      await writeFile(join(folder, name), `${text.trimEnd()}\n`);
      return join(folder, name);
    }),
  );
}
