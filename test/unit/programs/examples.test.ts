import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { expect } from "chai";
import ts from "typescript";

const checkout = join(__dirname, "..", "..", "..");
const examples = join(checkout, "examples");
const files = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter(
  (file) => !file.includes("node_modules"),
);

describe("the programs of the examples", () => {
  for (const file of files.filter((name) => name.endsWith(".ts"))) {
    it(`compile with the options of their own tsconfig.json: ${file}`, () => {
      const folder = join(examples, dirname(file));
      const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
      const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
      expect(errors).to.deep.equal([]);
      expect(fileNames.map((name) => basename(name))).to.deep.equal([basename(file)]);
      const program = ts.createProgram(fileNames, {
        ...options,
        types: ["node"],
        typeRoots: [join(checkout, "node_modules", "@types")],
        paths: {
          pipestack: [join(checkout, "provider", "index.ts")],
          "@pulumi/pulumiservice": [join(__dirname, "pulumiservice.d.ts")],
        },
      });
      const problems = ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
      expect(problems).to.deep.equal([]);
    }).timeout(60_000);
  }

  for (const file of files.filter((name) => basename(name) === "Pulumi.yaml")) {
    it(`have all that a project needs: ${dirname(file)}`, () => {
      const folder = join(examples, dirname(file));
      expect(readdirSync(folder)).to.include.members([
        "index.ts",
        "package.json",
        "tsconfig.json",
        "tsconfig.pulumi.json",
      ]);
      const readMes = [folder, dirname(folder)].map((path) => join(path, "README.md"));
      expect(readMes.some(existsSync), "a README.md").to.equal(true);
    });
  }
});
