import { enumTypes } from "../../provider/engine/enumTypes";
import { resources } from "../../provider/resources/registry";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { annotationsOf, kindOf, schemaAt } from "../../provider/values/schema";
import { type TSchema, Type } from "../../provider/values/schemaBuilders";
import type { Language, Uses } from "./language";
import { Expression, quotedText as quotedInJavaScript, Unchecked } from "./print";

const longestLine = 88;

/** Matches words that cannot be names of variables in Python but could in TypeScript, and names of Python's own functions. */
const reserved = /^(and|assert|def|del|elif|except|from|global|is|lambda|nonlocal|not|or|pass|pulumi|raise)$/;

/** Generates programs in Python, with the SDK that Pulumi generates for the plugin. */
export const python: Language = {
  file: "__main__.py",
  fileOf: (module) => `${pythonName(module)}.py`,
  opening: (comment, uses, hasSecrets) =>
    `# ${comment}\n${hasSecrets ? "import pulumi\n" : ""}import pulumi_pipestack as pipestack\n${importsOf(uses)}${hasSecrets ? "\nconfig = pulumi.Config()\n" : ""}`,
  runs: (comment, modules) =>
    `# ${comment}\n${modules.map((module) => `import ${pythonName(module)}  # noqa: F401\n`).join("")}`,
  secret: (key) => `config.require_secret(${quoted(key)})`,
  nameOf: pythonName,
  constant: (name, text) => `${pythonName(name)} = ${quoted(text)}\n`,
  lookup: (variable, { call, member }, args) =>
    `${pythonName(variable)} = pipestack.${pythonName(call)}_output(\n${argumentsOf(args, () => Type.Unknown())})${member === undefined ? "" : `.${pythonName(member)}`}\n`,
  tileId: (variable, tile) => `${pythonName(variable)}.tile_ids[${quoted(tile)}]`,
  resource({ type, name, variable }, args, use) {
    const lines = argumentsOf(args, (member) => schemaAt(resources[type].inputs, member));
    const start = use === "none" ? "" : `${pythonName(variable)} = `;
    return `${start}pipestack.${type}(\n    ${quoted(name)},\n${lines})\n`;
  },
};

/** Keyword arguments in Python, each in a line of its own. */
function argumentsOf(args: PropertyMap, schemaOf: (member: string) => TSchema): string {
  const lines = Object.entries(args).map(([member, value]) => {
    const start = `${pythonName(member)}=`;
    const schema = schemaOf(member);
    // Pulumi's SDK for Python takes only texts for properties that elsewhere may be lists, so lists become one text.
    const mayBeText = annotationsOf(schema).comparison === "commaSeparatedSet";
    const text = mayBeText && Array.isArray(value) ? value.join(",") : value;
    return `    ${start}${printed(text, "    ", start.length + 4, schema)},\n`;
  });
  return lines.join("");
}

function importsOf(uses: Uses): string {
  return [...uses]
    .map(([module, used]) => [pythonName(module), [...used].map(pythonName).sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, names]) => {
      const line = `from ${module} import ${names.join(", ")}\n`;
      if (line.length <= longestLine + 1) return line;
      return `from ${module} import (\n${names.map((name) => `    ${name},\n`).join("")})\n`;
    })
    .join("");
}

/** A text as Python code. JavaScript escapes a character beyond 16 bits as two surrogates, which Python does not join. */
function quoted(text: string): string {
  return quotedInJavaScript(text).replace(/\\(?:u(d[89ab]..)\\u(d[c-f]..)|.)/g, (escaped, high, low) => {
    if (high === undefined) return escaped;
    const character = String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
    return `\\U${character.codePointAt(0)?.toString(16).padStart(8, "0")}`;
  });
}

/** A name in snake case, as in Pulumi's SDK for Python. */
function pythonName(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return reserved.test(words) ? `${words}_` : words;
}

/** A value as Python code. The SDK translates the names of properties in the schema, and sends all others unchanged. */
function printed(value: unknown, indent: string, column: number, schema: TSchema): string {
  if (value instanceof Expression) return value.code;
  if (value instanceof Unchecked) return printed(value.value, indent, column, Type.Unknown());
  if (typeof value === "string") return constantOf(value, schema) ?? quoted(value);
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value === null || value === undefined) return "None";
  const inner = `${indent}    `;
  if (Array.isArray(value)) {
    const entry = schema.type === "array" ? schemaAt(schema, 0) : Type.Unknown();
    const entries = value.map((member) => printed(member, inner, inner.length, entry));
    const flat = `[${entries.join(", ")}]`;
    const fits = column + flat.length < longestLine && !flat.includes("\n");
    return fits ? flat : block("[", entries, "]", indent);
  }
  if (!isObject(value)) return String(value);
  const objectSchema = schema.type === "object" ? schema : Type.Unknown();
  const kind = kindOf(objectSchema, value) ?? objectSchema;
  const members = Object.entries(value).map(([name, member]) => {
    const start = `${quoted(Object.hasOwn(objectSchema.properties ?? {}, name) ? pythonName(name) : name)}: `;
    return start + printed(member, inner, inner.length + start.length, schemaAt(kind, name));
  });
  return members.length === 0 ? "{}" : block("{", members, "}", indent);
}

/** The constant of the SDK for a word, where type checkers refuse texts; undefined where they take any text. */
function constantOf(word: string, schema: TSchema): string | undefined {
  const { known, isClosed } = annotationsOf(schema);
  const words: readonly unknown[] = schema.enum ?? (isClosed ? known : undefined) ?? [];
  const type = words.includes(word) ? enumTypes[words.join(" ")] : undefined;
  return type && `pipestack.${type}(${quoted(word)})`;
}

function block(open: string, lines: readonly string[], close: string, indent: string): string {
  return `${open}\n${lines.map((line) => `${indent}    ${line},\n`).join("")}${indent}${close}`;
}
