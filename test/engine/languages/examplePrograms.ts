import { join } from "node:path";

export const checkout = join(__dirname, "..", "..", "..");

/** The folder of the examples, each of which has one program for each language. */
export const examples = join(checkout, "examples");

export function projectIn(
  example: "plugin" | "query-api" | "service" | "roles" | "pipes" | "overview",
  language: "python" | "go",
) {
  return `name: first\nruntime: ${language}\nmain: ${JSON.stringify(join(examples, example, language))}\n`;
}

/** Matches a warning of the CLI, except for its note about a language host on the PATH. */
export const warning = /warning: (?!using pulumi-language-)/;
