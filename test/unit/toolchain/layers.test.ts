import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { command } from "../../../toolchain/command.mjs";

const checkout = join(__dirname, "..", "..", "..");
const biome = join(checkout, "node_modules", "@biomejs", "biome", "bin", "biome");

/**
 * Modules by the file that imports them: those that the linter has to refuse, and those that it has to allow. What is more
 * than a path is a whole statement.
 */
const layers: Record<string, { refused: string[]; allowed: string[] }> = {
  "drawing/a.ts": {
    refused: [
      "../provider/values/schemaBuilders",
      "node:fs",
      "@sinclair/typebox",
      'void require("../provider/values/schemaBuilders");',
    ],
    allowed: ["./model"],
  },
  "provider/values/a.ts": {
    refused: ["../api/errors", "../index", "../../drawing/model"],
    allowed: ["./data", "@sinclair/typebox"],
  },
  "provider/api/a.ts": {
    refused: ["../lifecycle/state", "../index", "..", 'import type { Output } from "@pulumi/pulumi";'],
    allowed: ["./errors", "../values/schemaBuilders", "axios"],
  },
  "provider/lifecycle/a.ts": {
    refused: [
      "../resources/alert",
      'import type { Alert } from "../resources/alert";',
      'export * from "../resources/alert";',
      'void import("../resources/alert");',
      'void require("../resources/alert");',
      'export let one: import("../resources/alert").Alert;',
      'export let all: typeof import("../resources/alert");',
      "../../drawing/model",
      "@pulumi/pulumi/proto/provider_pb",
    ],
    allowed: [
      "../api/errors",
      "../values/schemaBuilders",
      'void (require("../api/client") as typeof import("../api/client"));',
      'export let ajv: import("ajv").default;',
    ],
  },
  "provider/resources/a.ts": {
    refused: ["../hosts/dynamic/types", "../functions/pipes", "@pulumi/pulumi"],
    allowed: ["./alert/alert", "../lifecycle/state", "../api/errors"],
  },
  "provider/resources/alert/a.ts": {
    refused: [
      "../../hosts/dynamic/types",
      "../../functions/pipes",
      "../../../drawing/read",
      "@pulumi/pulumi",
      'void require("@pulumi/pulumi");',
    ],
    allowed: ["../dashboard/tiles", "../../lifecycle/state", "../../api/errors"],
  },
  "provider/functions/a.ts": {
    refused: ["../hosts/dynamic/functionCall", "../cli/main", "@pulumi/pulumi"],
    allowed: ["../resources/alert", "../lifecycle/state"],
  },
  "provider/hosts/dynamic/a.ts": {
    refused: [
      "../../cli/shared/table",
      "../../index",
      "../../../drawing/model",
      "../../../sandbox/core/store",
      "../plugin/values",
    ],
    allowed: ["../names", "../../functions/pipes", "../../resources/alert", "@pulumi/pulumi"],
  },
  "provider/hosts/plugin/a.ts": {
    refused: ["@pulumi/pulumi", "../dynamic/hostValues", "../../cli/shared/table", "../../index"],
    allowed: ["@pulumi/pulumi/proto/provider_pb", "../names", "../engineValues", "../../lifecycle/check"],
  },
  "provider/cli/draw/a.ts": {
    refused: [
      "../../hosts/dynamic/managedResource",
      "../../index",
      "../../../sandbox/core/store",
      'void require("../../hosts/dynamic/managedResource");',
    ],
    allowed: [
      "../shared/table",
      "../../hosts/names",
      "../../hosts/dynamic/hostValues",
      "../../hosts/engineValues",
      "../../functions/pipes",
      "../../../drawing/model",
      'void (require("./command") as typeof import("./command"));',
    ],
  },
  "provider/index.ts": {
    refused: ["./cli/main", "../sandbox/index"],
    allowed: ["./hosts/dynamic/provider", "./resources/alert"],
  },
  "sandbox/core/a.ts": {
    refused: [
      "../../provider/api/errors",
      "../../drawing/model",
      "../page/app",
      "pipestack",
      'void require("../../provider/api/errors");',
      "../http/sandbox",
      "fastify",
    ],
    allowed: ["./store", "node:crypto"],
  },
  "sandbox/http/a.ts": {
    refused: ["../../provider/api/errors", "../page/app", "pipestack"],
    allowed: ["../core/store", "fastify"],
  },
  "sandbox/page/views/a.ts": {
    refused: ["../../../provider/api/errors", "pipestack/host"],
    allowed: ["../../core/store", "../../../drawing/model"],
  },
  "test/strictProduct/a.ts": {
    refused: ["../../provider/api/errors", "../../sandbox/core/store"],
    allowed: ["./schemas"],
  },
};

/** Two modules that import nothing but a type of each other. */
const circle = {
  "bench/even.ts": 'import type { Odd } from "./odd";\nexport type Even = Odd | 0;\n',
  "bench/odd.ts": 'import type { Even } from "./even";\nexport type Odd = Even | 1;\n',
};

const statement = (text: string) => (text.endsWith(";") ? text : `import "${text}";`);

interface Diagnostic {
  category: string;
  location: { path: string; start: { line: number } };
}

describe("the linter", () => {
  let diagnostics: Diagnostic[];

  before(async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "pipestack-layers-")));
    try {
      for (const path of ["biome.json", "toolchain/lateImports.grit"])
        await cp(join(checkout, path), join(folder, path));
      const files = new Map(Object.entries(circle));
      for (const [path, { refused, allowed }] of Object.entries(layers))
        files.set(path, [...refused, ...allowed].map(statement).join("\n"));
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

  for (const [path, { refused, allowed }] of Object.entries(layers)) {
    it(`refuses the imports of ${path} that its layer forbids, and no others`, () => {
      const lines = linesOf(path, "lint/style/noRestrictedImports", "plugin");
      const all = [...refused, ...allowed];
      expect(all.filter((_, index) => lines.has(index + 1))).to.deep.equal(refused);
    });
  }

  it("refuses a circle of imports, of types too", () => {
    for (const path of Object.keys(circle))
      expect([...linesOf(path, "lint/suspicious/noImportCycles")], path).to.deep.equal([1]);
  });
});
