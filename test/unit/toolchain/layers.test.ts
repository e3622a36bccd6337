import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { command } from "../../../toolchain/command.mjs";

const checkout = join(__dirname, "..", "..", "..");
const biome = join(checkout, "node_modules", "@biomejs", "biome", "bin", "biome");

/** Other forms of an import than the usual statement. The linter must refuse them as it refuses that statement. */
const forms: Record<string, (path: string) => string> = {
  type: (path) => `import type { Output } from "${path}";`,
  export: (path) => `export * from "${path}";`,
  import: (path) => `void import("${path}");`,
  require: (path) => `void require("${path}");`,
  late: (path) => `void (require("${path}") as typeof import("${path}"));`,
  typeof: (path) => `export let modules: typeof import("${path}");`,
  member: (path) => `export let entry: import("${path}").default;`,
};

/**
 * For each importing file, imports that the linter must refuse and imports that it must allow. A prefix before a colon names
 * another form of import.
 */
const layers: Record<string, [refused: string, allowed: string]> = {
  "drawing/a.ts": [
    "../provider/values/schemaBuilders node:fs @sinclair/typebox require:../provider/values/schemaBuilders",
    "./model",
  ],
  "provider/values/a.ts": [
    "../api/errors ../index ../../cli/main ../../drawing/model",
    "./data @sinclair/typebox",
  ],
  "provider/api/a.ts": [
    "../lifecycle/state ../index .. ../../cli/main type:@pulumi/pulumi",
    "./errors ../values/schemaBuilders axios",
  ],
  "provider/lifecycle/a.ts": [
    `../resources/alert type:../resources/alert export:../resources/alert import:../resources/alert
     require:../resources/alert member:../resources/alert typeof:../resources/alert
     ../../cli/main ../../drawing/model @pulumi/pulumi/proto/provider_pb`,
    "../api/errors ../values/schemaBuilders late:../api/client member:ajv",
  ],
  "provider/resources/a.ts": [
    "../hosts/dynamic/types ../engine/names ../functions/pipes ../../cli/main @pulumi/pulumi",
    "./alert/alert ../lifecycle/state ../api/errors",
  ],
  "provider/resources/alert/a.ts": [
    `../../hosts/dynamic/types ../../engine/names ../../functions/pipes ../../../cli/main ../../../drawing/read
     ../dashboard/dashboard type:../webhook/webhook @pulumi/pulumi require:@pulumi/pulumi`,
    "../tiles/tiles ../access/addresses ./alertBody ../../lifecycle/state ../../api/errors ../../../drawing/grid",
  ],
  "provider/functions/a.ts": [
    "../hosts/dynamic/functionCall ../engine/names ../../cli/main @pulumi/pulumi",
    "../resources/alert ../lifecycle/state",
  ],
  "provider/engine/a.ts": [
    "../hosts/ownership/claims ../../cli/main ../../drawing/model @pulumi/pulumi",
    "./values ../functions/pipes ../resources/alert",
  ],
  "provider/hosts/dynamic/a.ts": [
    "../../../cli/shared/table ../../index ../../../drawing/model ../../../sandbox/core/store ../plugin/wireValues",
    "../../engine/names ../../functions/pipes ../../resources/alert @pulumi/pulumi",
  ],
  "provider/hosts/plugin/a.ts": [
    "@pulumi/pulumi ../dynamic/types ../../../cli/shared/table ../../index",
    "@pulumi/pulumi/proto/provider_pb ../../engine/names ../../engine/engineValues ../../lifecycle/check",
  ],
  "cli/draw/a.ts": [
    `../../provider/hosts/ownership/claims ../../provider/hosts/dynamic/managedResource ../../provider ../../provider/index
     ../../provider/host ../../sandbox/core/store require:../../provider/hosts/dynamic/managedResource`,
    `../shared/table ../../provider/engine/names ../../provider/engine/properties ../../provider/engine/values
     ../../provider/functions/pipes ../../drawing/model late:./command`,
  ],
  "cli/pluginServer.ts": [
    "require:../provider/hosts/ownership/board",
    "../provider/hosts/plugin/server late:./main",
  ],
  "provider/index.ts": ["../cli/main ../sandbox/index", "./hosts/dynamic/provider ./resources/alert"],
  "provider/testing.ts": ["../cli/main ..", "./resources/registry"],
  "sandbox/core/a.ts": [
    `../../provider/api/errors ../../cli/main ../../drawing/model ../page/app pipestack require:../../provider/api/errors
     ../http/sandbox fastify`,
    "./store node:crypto",
  ],
  "sandbox/http/a.ts": [
    "../../provider/api/errors ../../cli/main ../page/app pipestack",
    "../core/store fastify",
  ],
  "sandbox/page/views/a.ts": [
    "../../../provider/api/errors ../../../cli/main pipestack/host",
    "../../core/store ../../../drawing/model",
  ],
  "product/a.ts": ["../provider/api/errors ../cli/main ../sandbox/core/store pipestack", "./schema node:fs"],
  "test/productJudge.ts": ["../provider/api/errors ../cli/main ../sandbox/core/store", "../product/read"],
};

const listed = (modules: string) => modules.split(/\s+/);

function statement(module: string): string {
  const [, form = "", path = ""] = /^(\w+):(.+)$/.exec(module) ?? [];
  return forms[form]?.(path) ?? `import "${module}";`;
}

/** Two modules that import only a type from each other, which the linter must refuse. */
const circle = {
  "bench/even.ts": 'import type { Odd } from "./odd";\nexport type Even = Odd | 0;\n',
  "bench/odd.ts": 'import type { Even } from "./even";\nexport type Odd = Even | 1;\n',
};

interface Diagnostic {
  category: string;
  location: { path: string; start: { line: number } };
}

describe("The layers that the linter enforces", () => {
  let diagnostics: Diagnostic[];

  before(async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "pipestack-layers-")));
    try {
      for (const path of ["biome.json", "toolchain/lateImports.grit"])
        await cp(join(checkout, path), join(folder, path));
      const files = new Map(Object.entries(circle));
      for (const [path, modules] of Object.entries(layers))
        files.set(path, modules.flatMap(listed).map(statement).join("\n"));
      for (const [path, text] of files) {
        await mkdir(join(folder, dirname(path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const args = ["lint", "--reporter=json", "--max-diagnostics=none", "."];
      const { stdout } = await command(process.execPath, [biome, ...args], { cwd: folder });
      diagnostics = JSON.parse(stdout).diagnostics;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  const linesOf = (path: string, ...categories: string[]) =>
    new Set(
      diagnostics
        .filter(({ category, location }) => location.path === path && categories.includes(category))
        .map(({ location }) => location.start.line),
    );

  for (const [path, modules] of Object.entries(layers)) {
    it(`the linter refuses exactly the imports of ${path} that its layer forbids`, () => {
      const lines = linesOf(path, "lint/style/noRestrictedImports", "plugin");
      const found = modules.flatMap(listed).filter((_, index) => lines.has(index + 1));
      expect(found).to.deep.equal(listed(modules[0]));
    });
  }

  it("the linter refuses a cycle of imports, even of types", () => {
    for (const path of Object.keys(circle))
      expect([...linesOf(path, "lint/suspicious/noImportCycles")], path).to.deep.equal([1]);
  });
});
