import { cp, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "chai";
import { command } from "../../../toolchain/command.mjs";

const checkout = join(__dirname, "..", "..", "..");
const biome = join(checkout, "node_modules", "@biomejs", "biome", "bin", "biome");

/** Statements by the file in which they stand: those that the linter has to refuse, and those that it has to allow. */
const layers: Record<string, { refused: string[]; allowed: string[] }> = {
  "drawing/a.ts": {
    refused: [
      'import "../provider/values/schemaBuilders";',
      'import "node:fs";',
      'import "@sinclair/typebox";',
      'void require("../provider/values/schemaBuilders");',
    ],
    allowed: ['import "./model";'],
  },
  "provider/values/a.ts": {
    refused: ['import "../api/errors";', 'import "../index";', 'import "../../drawing/model";'],
    allowed: ['import "./data";', 'import "@sinclair/typebox";'],
  },
  "provider/api/a.ts": {
    refused: [
      'import "../lifecycle/state";',
      'import "../index";',
      'import "..";',
      'import type { Output } from "@pulumi/pulumi";',
    ],
    allowed: ['import "./errors";', 'import "../values/schemaBuilders";', 'import "axios";'],
  },
  "provider/lifecycle/a.ts": {
    refused: [
      'import "../resources/alert";',
      'import type { Alert } from "../resources/alert";',
      'export * from "../resources/alert";',
      'void import("../resources/alert");',
      'void require("../resources/alert");',
      'export let one: import("../resources/alert").Alert;',
      'export let all: typeof import("../resources/alert");',
      'import "../../drawing/model";',
      'import "@pulumi/pulumi/proto/provider_pb";',
    ],
    allowed: [
      'import "../api/errors";',
      'import "../values/schemaBuilders";',
      'void (require("../api/client") as typeof import("../api/client"));',
      'export let ajv: import("ajv").default;',
    ],
  },
  "provider/resources/a.ts": {
    refused: ['import "../hosts/dynamic/types";', 'import "../functions/pipes";', 'import "@pulumi/pulumi";'],
    allowed: ['import "./alert/alert";', 'import "../lifecycle/state";', 'import "../api/errors";'],
  },
  "provider/resources/alert/a.ts": {
    refused: [
      'import "../../hosts/dynamic/types";',
      'import "../../functions/pipes";',
      'import "../../../drawing/read";',
      'import "@pulumi/pulumi";',
      'void require("@pulumi/pulumi");',
    ],
    allowed: [
      'import "../dashboard/tiles";',
      'import "../../lifecycle/state";',
      'import "../../api/errors";',
    ],
  },
  "provider/functions/a.ts": {
    refused: ['import "../hosts/dynamic/functionCall";', 'import "../cli/main";', 'import "@pulumi/pulumi";'],
    allowed: ['import "../resources/alert";', 'import "../lifecycle/state";'],
  },
  "provider/hosts/dynamic/a.ts": {
    refused: [
      'import "../../cli/shared/table";',
      'import "../../index";',
      'import "../../../drawing/model";',
      'import "../../../sandbox/core/store";',
      'import "../plugin/values";',
    ],
    allowed: [
      'import "../names";',
      'import "../../functions/pipes";',
      'import "../../resources/alert";',
      'import "@pulumi/pulumi";',
    ],
  },
  "provider/hosts/plugin/a.ts": {
    refused: [
      'import "@pulumi/pulumi";',
      'import "../dynamic/hostValues";',
      'import "../../cli/shared/table";',
      'import "../../index";',
    ],
    allowed: [
      'import "@pulumi/pulumi/proto/provider_pb";',
      'import "../names";',
      'import "../engineValues";',
      'import "../../lifecycle/check";',
    ],
  },
  "provider/cli/draw/a.ts": {
    refused: [
      'import "../../hosts/dynamic/managedResource";',
      'import "../../index";',
      'import "../../../sandbox/core/store";',
      'void require("../../hosts/dynamic/managedResource");',
    ],
    allowed: [
      'import "../shared/table";',
      'import "../../hosts/names";',
      'import "../../hosts/dynamic/hostValues";',
      'import "../../hosts/engineValues";',
      'import "../../functions/pipes";',
      'import "../../../drawing/model";',
      'void (require("./command") as typeof import("./command"));',
    ],
  },
  "provider/index.ts": {
    refused: ['import "./cli/main";', 'import "../sandbox/index";'],
    allowed: ['import "./hosts/dynamic/provider";', 'import "./resources/alert";'],
  },
  "sandbox/core/a.ts": {
    refused: [
      'import "../../provider/api/errors";',
      'import "../../drawing/model";',
      'import "../page/app";',
      'import "pipestack";',
      'void require("../../provider/api/errors");',
      'import "../http/sandbox";',
      'import "fastify";',
    ],
    allowed: ['import "./store";', 'import "node:crypto";'],
  },
  "sandbox/http/a.ts": {
    refused: ['import "../../provider/api/errors";', 'import "../page/app";', 'import "pipestack";'],
    allowed: ['import "../core/store";', 'import "fastify";'],
  },
  "sandbox/page/views/a.ts": {
    refused: ['import "../../../provider/api/errors";', 'import "pipestack/host";'],
    allowed: ['import "../../core/store";', 'import "../../../drawing/model";'],
  },
  "test/strictProduct/a.ts": {
    refused: ['import "../../provider/api/errors";', 'import "../../sandbox/core/store";'],
    allowed: ['import "./schemas";'],
  },
};

/** Two modules that import nothing but a type of each other. */
const circle = {
  "bench/even.ts": 'import type { Odd } from "./odd";\nexport type Even = Odd | 0;\n',
  "bench/odd.ts": 'import type { Even } from "./even";\nexport type Odd = Even | 1;\n',
};

interface Diagnostic {
  category: string;
  location: { path: string; start: { line: number } };
}

describe("the linter's rules about imports", () => {
  let diagnostics: Diagnostic[];

  before(async () => {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "pipestack-layers-")));
    try {
      for (const path of ["biome.json", "toolchain/lateImports.grit"])
        await cp(join(checkout, path), join(folder, path));
      const files = new Map(Object.entries(circle));
      for (const [path, { refused, allowed }] of Object.entries(layers))
        files.set(path, [...refused, ...allowed].join("\n"));
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
    it(`hold the layer of ${path}`, () => {
      const lines = linesOf(path, "lint/style/noRestrictedImports", "plugin");
      const all = [...refused, ...allowed];
      expect(all.filter((_, index) => lines.has(index + 1))).to.deep.equal(refused);
    });
  }

  it("refuse a circle, of types too", () => {
    for (const path of Object.keys(circle))
      expect([...linesOf(path, "lint/suspicious/noImportCycles")], path).to.deep.equal([1]);
  });
});
