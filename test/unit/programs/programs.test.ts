import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { expect } from "chai";
import ts from "typescript";
import * as pipestack from "../../../provider";
import { Editor, userOptions } from "./editor";

const checkout = resolve(__dirname, "..", "..", "..");
const documents = [
  "README.md",
  "sandbox/README.md",
  ...readdirSync(join(checkout, "docs")).map((name) => `docs/${name}`),
].filter((name) => name.endsWith(".md"));

/** Lines that the programs in the documents leave out, such as their imports. */
const prelude = "const config = new pulumi.Config();\nvoid config;\n";
const imports = ['import * as pulumi from "@pulumi/pulumi";\n', 'import * as pipestack from "pipestack";\n'];

function programsIn(markdown: string): string[] {
  return [...markdown.matchAll(/^```(?:typescript|ts)\n([\s\S]*?)^```/gm)].map(([, program = ""]) => program);
}

describe("Programs in the pages of the documents", () => {
  const programsOf = new Map(
    documents.map((document) => [document, programsIn(readFileSync(join(checkout, document), "utf8"))]),
  );
  const files = new Map<string, string[]>();
  let editor: Editor;

  // The editor gets all programs before the first is compiled, since each added program makes the compiler start again.
  before(async function () {
    this.timeout(120_000);
    editor = await Editor.open();
    for (const [document, programs] of programsOf) {
      const paths = programs.map((program, index) => {
        const own = imports.filter((line) => !program.includes(line.replace(/ from .*\n/, ""))).join("");
        return editor.write(`${document.replace(/\W/g, "-")}-${index}.ts`, own + prelude + program);
      });
      files.set(document, paths);
    }
  });

  it("the tests find at least five programs in the documents", () => {
    expect([...programsOf.values()].flat()).to.have.length.of.at.least(5);
  });

  for (const [document, programs] of programsOf) {
    if (programs.length === 0) continue;
    it(`the programs in a document compile without errors: ${document}`, () => {
      const errors = files.get(document)?.flatMap((path) => editor.errorsIn(path));
      expect(errors).to.deep.equal([]);
    }).timeout(120_000);
  }
});

describe("Examples in the reference", () => {
  const provider = join(checkout, "provider");
  const sources = readdirSync(provider, { recursive: true, encoding: "utf8" })
    .filter((name) => /^(functions|hosts.dynamic)\b.*\.ts$/.test(name))
    .map((name) => [name, readFileSync(join(provider, name), "utf8").replace(/^ *\* ?/gm, "")] as const)
    .filter(([, text]) => programsIn(text).length > 0);
  const files = new Map<string, string[]>();
  let editor: Editor;

  before(async function () {
    this.timeout(120_000);
    editor = await Editor.open();
    for (const [name, text] of sources)
      files.set(
        name,
        programsIn(text).map((program, at) =>
          editor.write(`reference-${name.replace(/\W/g, "-")}-${at}.ts`, imports.join("") + program),
        ),
      );
  });

  it("every class and function in the reference has an example", () => {
    // The form of a function that takes outputs has the docstring of the other one, with its example.
    const exported = Object.keys(pipestack).filter((name) => /^[A-Z]|^(?!.*Output$)/.test(name));
    const examples = sources.map(([, text]) => programsIn(text).join("")).join("");
    for (const name of exported) expect(examples).to.match(new RegExp(`\\b${name}\\b`));
  });

  for (const [name] of sources)
    it(`an example in the reference compiles below the imports of its page: ${name}`, () => {
      expect(files.get(name)?.flatMap((path) => editor.errorsIn(path))).to.deep.equal([]);
    }).timeout(120_000);
});

const projectFiles: Record<string, string[]> = {
  nodejs: ["index.ts", "package.json", "tsconfig.json", "tsconfig.pulumi.json"],
  python: ["__main__.py", "requirements.txt"],
  go: ["main.go", "go.mod", "go.sum"],
  yaml: ["Pulumi.yaml"],
};

describe("The projects in the folder examples", () => {
  const examples = join(checkout, "examples");
  const files = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter(
    (file) => !file.includes("node_modules"),
  );

  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    it(`an example compiles with the options of its own tsconfig.json: ${file}`, async () => {
      const folder = join(examples, dirname(file));
      const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
      const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
      expect(errors).to.deep.equal([]);
      const beside = files.filter((name) => name.endsWith(".ts") && dirname(name) === dirname(file));
      expect(fileNames.map((name) => basename(name))).to.have.members(beside.map((name) => basename(name)));
      const { configFilePath, ...own } = options;
      expect(own, "the options that the tests compile programs with").to.deep.equal(userOptions);
      expect((await Editor.open()).errorsIn(join(examples, file))).to.deep.equal([]);
    }).timeout(120_000);
  }

  for (const file of files.filter((name) => basename(name) === "Pulumi.yaml")) {
    it(`an example has the files of a project: ${dirname(file)}`, () => {
      const folder = join(examples, dirname(file));
      const runtime =
        /^runtime:\s+(?:name: )?(\w+)$/m.exec(readFileSync(join(examples, file), "utf8"))?.[1] ?? "";
      expect(readdirSync(folder)).to.include.members(projectFiles[runtime] ?? ["a known runtime"]);
      const readMes = [folder, dirname(folder)].map((path) => join(path, "README.md"));
      expect(readMes.some(existsSync), "a README.md").to.equal(true);
    });
  }
});
