import { readFileSync, writeFileSync } from "node:fs";
import { inCheckout, whenRunAsProgram } from "./checkout.mjs";
import { nameOf } from "./referenceTables.mjs";

/**
 * The name of the file with an overview of pipestack for language models: its pages, and each resource type and function with
 * its inputs. The text is made of docs/README.md and the committed package schema.
 * @typedef {import("./referenceTables.mjs").PackageSpec} PackageSpec
 * @typedef {{ description?: string, deprecationMessage?: string }} Described
 */

export const llmsFile = "llms.txt";

/** Makes the text of llms.txt, an overview of the project for language models. @returns {string} */
export function llmsText() {
  const read = (/** @type {string[]} */ ...path) => readFileSync(inCheckout(...path), "utf8");
  /** @type {PackageSpec} */
  const schema = JSON.parse(read("provider", "schema.json"));
  const [, summary = ""] = read("README.md").split("\n\n");
  const pages = [...read("docs", "README.md").matchAll(/^\| \[([^\]]+)\]\(([^)]+)\) \| (.*) \|$/gm)].map(
    ([, title, path = "", question]) => `- [${title}](${pathOf(path)}): ${question}`,
  );
  return `${[
    ...["# pipestack", "", `> ${summary.replaceAll("\n", " ")}`, ""],
    ...[
      "TypeScript programs import `pipestack`; programs in other languages use the SDKs of the resource plugin.",
    ],
    ...[
      "Members of inputs are named below: `*` marks those that are required. Each type and each function has a page of its own with",
      "its members, their allowed words and ranges, and an example: `node_modules/pipestack/dist/reference/<Name>.md` in the npm package.",
      "[docs/README.md](docs/README.md) lists all pages by what they answer.",
      "",
    ],
    ...["## Pages", "", ...pages, ""],
    ...[
      "## Resources",
      "",
      ...entriesOf(schema.resources, ({ inputProperties, requiredInputs }) =>
        membersOf(inputProperties, requiredInputs),
      ),
      "",
    ],
    ...[
      "## Functions",
      "",
      ...entriesOf(schema.functions, ({ inputs }) => membersOf(inputs?.properties, inputs?.required)),
    ],
  ].join("\n")}\n`;
}

/**
 * Makes the lines of llms.txt about the resource types or functions of the package schema.
 * @template {Described} Spec
 * @param {Record<string, Spec>} specs
 * @param {(spec: Spec) => string} members
 */
function entriesOf(specs, members) {
  return Object.entries(specs).map(([token, spec]) => {
    const inputs = members(spec);
    return `- ${nameOf(token)}: ${sentenceOf(spec)}${inputs === "" ? "" : ` Inputs: ${inputs}.`}`;
  });
}

/**
 * Lists the names of properties that are not deprecated, the required ones with a star.
 * @param {Record<string, Described> | undefined} properties
 * @param {readonly string[] | undefined} required
 */
function membersOf(properties = {}, required = []) {
  const names = Object.keys(properties).filter((name) => !properties[name]?.deprecationMessage);
  return names.map((name) => (required.includes(name) ? `${name}*` : name)).join(", ");
}

function sentenceOf({ description = "" }) {
  const [first = ""] = description.split("\n\n");
  return first
    .replaceAll("\n", " ")
    .replace(/^(.*?[.;:])( .*|$)/, "$1")
    .replace(/[;:]$/, ".");
}

/** Returns the path of a page of the docs, relative to the checkout's root. The addresses in llms.txt end with this path. */
function pathOf(/** @type {string} */ path) {
  return path.startsWith("../") ? path.slice(3) : `docs/${path}`;
}

whenRunAsProgram(import.meta.url, async () => {
  writeFileSync(inCheckout(llmsFile), llmsText());
});
