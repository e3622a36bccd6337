import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import ts from "typescript";

const checkout = join(__dirname, "..", "..");
const examples = ["clickhouse-cloud", "self-hosted-hyperdx", "quickstart"];

describe("the programs of the examples", () => {
  for (const name of examples) {
    it(`compile with the options of their own tsconfig.json: ${name}`, () => {
      const folder = join(checkout, "examples", name);
      const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), ts.sys.readFile);
      const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
      expect(errors).to.deep.equal([]);
      expect(fileNames).to.have.length(1);
      const program = ts.createProgram(fileNames, {
        ...options,
        types: ["node"],
        typeRoots: [join(checkout, "node_modules", "@types")],
        paths: { pipestack: [join(checkout, "provider", "index.ts")] },
      });
      const problems = ts
        .getPreEmitDiagnostics(program)
        .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
      expect(problems).to.deep.equal([]);
    }).timeout(60_000);
  }

  for (const name of ["clickhouse-cloud", "self-hosted-hyperdx"]) {
    it(`have all that a project needs: ${name}`, () => {
      expect(readdirSync(join(checkout, "examples", name))).to.include.members([
        "Pulumi.yaml",
        "README.md",
        "index.ts",
        "package.json",
        "tsconfig.json",
      ]);
    });
  }
});
