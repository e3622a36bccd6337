import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect } from "chai";
import ts from "typescript";

const checkout = resolve(__dirname, "..", "..", "..");
const documents = ["README.md", ...readdirSync(join(checkout, "docs")).map((name) => `docs/${name}`)].filter(
  (name) => name.endsWith(".md"),
);

/** What the programs in documents take for granted. */
const prelude = `import * as pulumi from "@pulumi/pulumi";\nconst config = new pulumi.Config();\nvoid config;\n`;
const ownImport = 'import * as pipestack from "pipestack";\n';

describe("the programs in the documents", () => {
  const folder = join(checkout, ".build", `documents-${process.pid}`);

  before(() => mkdirSync(folder, { recursive: true }));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const programsOf = new Map(
    documents.map((document) => [document, programsIn(readFileSync(join(checkout, document), "utf8"))]),
  );

  it("are found", () => {
    expect([...programsOf.values()].flat()).to.have.length.of.at.least(5);
  });

  for (const [document, programs] of programsOf) {
    if (programs.length === 0) continue;
    it(`compile: ${document}`, () => {
      const files = programs.map((program, index) => {
        const file = join(folder, `${document.replace(/\W/g, "-")}-${index}.ts`);
        const own = program.includes(ownImport) ? "" : ownImport;
        writeFileSync(file, prelude + own + program);
        return file;
      });
      expect(problemsIn(files)).to.deep.equal([]);
    }).timeout(60_000);
  }
});

function programsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^```(?:typescript|ts)\n([\s\S]*?)^```/gm)].map(([, program = ""]) => program);
}

function problemsIn(files: string[]): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node20,
    types: ["node"],
    typeRoots: [join(checkout, "node_modules", "@types")],
    paths: {
      pipestack: [join(checkout, "provider", "index.ts")],
      "pipestack-sandbox": [join(checkout, "sandbox", "src", "index.ts")],
    },
  };
  return ts
    .getPreEmitDiagnostics(ts.createProgram(files, options))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
