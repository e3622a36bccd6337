import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { type OperationName, operations } from "../../../provider/api/operations";
import { type FunctionName, functions } from "../../../provider/functions/registry";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import { annotationsOf, schemaAt } from "../../../provider/values/schema";
import type { TSchema } from "../../../provider/values/schemaBuilders";

const page = readFileSync(join(__dirname, "../../../docs/internals/neutral-api.md"), "utf8");

/** The words in code style in each cell of the table whose heading row begins with these words. */
function tableAfter(heading: string): string[][][] {
  const [, rows = ""] = page.split(`| ${heading}`);
  const [, , ...lines] = (rows.split("\n\n")[0] ?? "").split("\n");
  return lines
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1))
    .map((cells) => cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word)));
}

const members = new Map(
  tableAfter("type | members").map(([[type = ""] = [], own = [], others = []]) => [type, { own, others }]),
);
const [[both = []] = []] = tableAfter("types that both");

/** The members of requests without an annotation, by their paths; below one in `ends`, none are listed. */
function unannotated(schema: TSchema, ends: readonly string[], path = ""): string[] {
  if (schema.items) return unannotated(schema.items, ends, path);
  return Object.keys(schema.properties ?? {}).flatMap((name) => {
    const { dialect, sent: requests } = annotationsOf(schemaAt(schema, name));
    const own = path ? `${path}.${name}` : name;
    if (dialect || requests === "never") return [];
    return ends.includes(own) ? [own] : [own, ...unannotated(schemaAt(schema, name), ends, own)];
  });
}

describe("What the neutral document says", () => {
  it("the provider has its operations, with their methods and paths", () => {
    const rows = tableAfter("operation | API");
    expect(rows).to.have.length(13);
    for (const [[name = ""] = [], , [request] = []] of rows) {
      const { method, path } = operations[name as OperationName];
      expect(request, name).to.equal(`${method} ${path}`);
    }
  });

  for (const [type, { own, others }] of members)
    it(`members of ${type} are annotated if the document lacks them, and only then`, () => {
      const found = unannotated(resources[type as TypeName].inputs, others);
      expect(found).to.have.members([...own, ...others]);
    });

  it("only the types that the neutral document names work without the dialect of the product", () => {
    const others = typeNames.filter((type) => !members.has(type));
    expect(others.filter((type) => resources[type].dialect === undefined)).to.have.members(both);
    for (const type of members.keys()) expect(resources[type as TypeName].dialect).to.equal(undefined);
  });

  it("functions return the members of the document's answers", () => {
    const rows = tableAfter("function | members");
    expect(rows).to.have.length(7);
    for (const [[name = ""] = [], answered = []] of rows) {
      const result: TSchema = functions[name as FunctionName].result;
      expect(Object.keys((result.items ?? result).properties), name).to.include.members(answered);
    }
  });
});
