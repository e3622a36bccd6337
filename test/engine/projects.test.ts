import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import { build as esbuild } from "esbuild";
import { isWhole } from "../seed";
import { calls, useFixture } from "./fixture";

const checkout = join(__dirname, "..", "..");

/** The package managers, which npm downloads. Yarn installs into node_modules, since Pulumi does not support Plug'n'Play. */
const managers: {
  readonly [name: string]: { add: readonly string[]; files: { readonly [name: string]: string } };
} = {
  npm: { add: ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline"], files: {} },
  pnpm: { add: ["npx", "--yes", "pnpm@10.34.8", "add", "--prefer-offline"], files: {} },
  yarn: {
    add: ["npx", "--yes", "--package", "@yarnpkg/cli-dist@4.18.1", "yarn", "add"],
    files: { ".yarnrc.yml": "nodeLinker: node-modules\nenableTelemetry: false\n", "yarn.lock": "" },
  },
};

type Compiler = "typescript" | "no typescript";
const cells = Object.keys(managers).flatMap((manager) =>
  (["commonjs", "module"] as const).flatMap((type) =>
    (["typescript", "no typescript"] as const).map((compiler) => ({ manager, type, compiler })),
  ),
);

/**
 * Returns true for the project with the package manager, module system and compiler that CI tests. It uses the strictest
 * package manager: pnpm links a folder for each package, so that a package finds only its own dependencies.
 */
const isQuick = ({ manager, type, compiler }: (typeof cells)[number]) =>
  manager === "pnpm" && type === "commonjs" && compiler === "no typescript";

const program = `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const place = { x: 0, y: 0, w: 6, h: 4 };
const dashboard = new pipestack.Dashboard("board", {
  name: "Board",
  tiles: [{ ...place, name: "Rows", config: { displayType: "number", sourceId: "66f0c2d8a1b2c3d4e5f60718", select: [{ aggFn: "count" }] } }],
});
const alert = new pipestack.Alert("rows", {
  ...dashboard.tile("Rows"), threshold: 10, thresholdType: "above", interval: "5m",
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
});
export const tileId = pulumi.output(dashboard.tileIds).apply((ids) => ids["Rows"]);
export const state = alert.state;
export const pipes = pipestack.getPipesOutput().apply((all) => all.map((pipe) => pipe.name));
`;

/** A program with a mistake that the compiler must find: a line tile without its series. */
const forgotten = `import * as pipestack from "pipestack";
new pipestack.Dashboard("board", {
  name: "Board",
  tiles: [{ x: 0, y: 0, w: 6, h: 4, name: "Rows", config: { displayType: "line", sourceId: "1" } }],
});
`;

const compilerOptions = { strict: true, noEmit: true, skipLibCheck: false, types: [] as string[] };
const targets = {
  commonjs: { ...compilerOptions, target: "es2022", module: "commonjs", moduleResolution: "node10" },
  module: { ...compilerOptions, target: "es2022", module: "nodenext", moduleResolution: "nodenext" },
} as const;
/** For the compiler target ES5, iterators and promises come from libraries, since the SDK's own declarations need them. */
const es5 = { ...targets.commonjs, target: "es5", lib: ["es2020", "dom"] };

/** Runs a program of a package manager. Windows starts programs of npm only through a shell. */
async function run(folder: string, [command = "", ...args]: readonly string[]): Promise<string> {
  const shell = process.platform === "win32";
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, shell, maxBuffer: 2 ** 24 });
  return stdout;
}

async function compile(folder: string, source: string, options: object): Promise<string> {
  await writeFile(join(folder, "compiled.ts"), source);
  const config = { compilerOptions: options, files: ["compiled.ts"] };
  await writeFile(join(folder, "tsconfig.check.json"), JSON.stringify(config));
  const tsc = join("node_modules", "typescript", "lib", "tsc.js");
  return run(folder, [process.execPath, tsc, "-p", "tsconfig.check.json"]).catch((error) => error.stdout);
}

/** A program that lists the exported names and properties for which editors show no documentation. */
const undocumented = `const ts = require("typescript");
const program = ts.createProgram(["compiled.ts"], { module: 1, moduleResolution: 2, skipLibCheck: true });
const checker = program.getTypeChecker();
const [, imported] = program.getSourceFile("compiled.ts").imports;
const silent = [];
for (const name of checker.getExportsOfModule(checker.getSymbolAtLocation(imported))) {
  const type = checker.getDeclaredTypeOfSymbol(name);
  const members = (type.isUnion() ? type.types : [type]).flatMap((kind) => kind.getProperties());
  const own = members.filter(({ declarations = [] }) => declarations.some((it) => it.getSourceFile().fileName.includes("/pipestack/")));
  for (const symbol of [name, ...own])
    if (symbol.name !== "#private" && symbol.getDocumentationComment(checker).length === 0) silent.push(name.name + "." + symbol.name);
}
console.log(JSON.stringify(silent));
`;

describe("The npm package in projects with different package managers, module systems and compilers", () => {
  let downloads: string;
  let tarball: string;

  before(async () => {
    downloads = await mkdtemp(join(tmpdir(), "pipestack-packed-"));
    const pack = ["npm", "pack", "--ignore-scripts", "--json", "--pack-destination", downloads];
    const [packed] = JSON.parse(await run(checkout, pack)) as { filename: string }[];
    tarball = join(downloads, packed?.filename ?? "");
  });
  after(() => rm(downloads, { recursive: true }));

  for (const cell of cells.filter((cell) => isWhole || isQuick(cell)))
    describe(`A project with ${cell.manager}, ${cell.type}, ${cell.compiler}`, () => inProject(cell));

  if (isWhole)
    it("the example policy pack compiles after an installation as its README says", async () => {
      const folder = join(downloads, "policies");
      await cp(join(checkout, "examples", "policies"), folder, {
        recursive: true,
        filter: (path) => basename(path) !== "node_modules",
      });
      await run(folder, ["npm", "install", "--no-audit", "--no-fund", "--save-dev", tarball]);
      await run(folder, ["npm", "run", "check"]);
    });

  function inProject({
    manager,
    type,
    compiler,
  }: {
    manager: string;
    type: "commonjs" | "module";
    compiler: Compiler;
  }) {
    const fixture = useFixture({ host: "dynamic", language: "typescript", secrets: "passphrase" });
    const { add, files } = managers[manager] as (typeof managers)[string];
    const hasCompiler = compiler === "typescript";
    // The compiler inside Pulumi's SDK does not support ECMAScript modules. So a project with these modules and without another
    // compiler has a program in JavaScript.
    const isTyped = hasCompiler || type === "commonjs";

    before(async () => {
      const { folder, environment } = fixture;
      environment.NODE_OPTIONS = undefined;
      for (const name of await readdir(folder))
        if (/^(node_modules|package.*\.json|tsconfig\.json|index\..*)$/.test(name))
          await rm(join(folder, name), { recursive: true });
      const main = isTyped ? "index.ts" : "index.js";
      const described = { name: "user", private: true, type, main };
      await writeFile(join(folder, "package.json"), JSON.stringify(described));
      for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
      const project = join(folder, "Pulumi.yaml");
      const text = await readFile(project, "utf8");
      await writeFile(project, text.replace("typescript: true", `typescript: ${isTyped}`));
      if (isTyped) {
        const { noEmit, ...options } = targets[type];
        // The compiler inside Pulumi's SDK is too old for newer values of `target` and `moduleResolution`, so a project without
        // a compiler of its own gets older values.
        const own = hasCompiler ? options : { ...options, target: "es2020", moduleResolution: "node" };
        await writeFile(
          join(folder, "tsconfig.json"),
          JSON.stringify({ compilerOptions: own, files: [main] }),
        );
      }
      const compilers = hasCompiler ? ["typescript@5.9.3", "ts-node@10.9.2"] : [];
      await run(folder, [...add, `pipestack@file:${tarball}`, "@pulumi/pulumi@3.259.0", ...compilers]);
      await writeFile(join(folder, main), program);
    });

    if (hasCompiler) {
      it("a strict compiler accepts a program that uses pipestack with all declarations that it loads", async () => {
        expect(await compile(fixture.folder, program, targets[type])).to.equal("");
        if (type === "commonjs") expect(await compile(fixture.folder, program, es5)).to.equal("");
      });

      it("the TypeScript compiler reports a line tile that lacks its series (the property select)", async () => {
        const errors = await compile(fixture.folder, forgotten, targets[type]);
        expect(errors).to.match(
          /Property 'select' is missing in type .* but required in type 'LineTileConfigArgs'/,
        );
      });

      it("every exported name and property has documentation for editors", async () => {
        await compile(fixture.folder, program, targets.commonjs);
        await writeFile(join(fixture.folder, "documented.cjs"), undocumented);
        expect(JSON.parse(await run(fixture.folder, [process.execPath, "documented.cjs"]))).to.deep.equal([]);
      });
    }

    it("the engine previews, updates and destroys a project with the npm package", async () => {
      expect((await fixture.preview()).summary).to.deep.equal({ create: 2 });
      expect((await fixture.up()).summary).to.deep.equal({ create: 2 });
      expect(calls(fixture.sandbox)).to.include.members(["POST /stack/dashboards", "POST /stack/alerts"]);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      await fixture.destroy();
      expect(fixture.sandbox.store.dashboards.size).to.equal(0);
    });
  }
});

describe("A project without the npm package pipestack", () => {
  const fixture = useFixture({ host: "dynamic" });
  const ownPackage = () => join(fixture.folder, "node_modules", "pipestack");
  const shared = () => join(fixture.folder, "node_modules", "shared");
  const using = (name: string) =>
    `const { Dashboard } = require("${name}");\nnew Dashboard("board", { name: "Board", tiles: [] });\n`;
  const refusal = () =>
    `Dashboard "board": the engine does not find the package pipestack from ${fixture.folder}; add it to the dependencies`;

  before(async () => {
    await mkdir(join(shared(), "node_modules"), { recursive: true });
    await writeFile(join(shared(), "index.js"), 'module.exports = require("pipestack");\n');
    await writeFile(join(fixture.folder, "index.js"), using("pipestack"));
    await fixture.up();
  });

  it("a destroy without the npm package names the missing module", async () => {
    await rename(ownPackage(), join(shared(), "node_modules", "pipestack"));
    const { output } = await fixture.destroy({ expect: "failure" });
    expect(output).to.include("Cannot find module 'pipestack/host'");
  });

  it("a destroy that failed without the npm package succeeds once it is installed", async () => {
    await rename(join(shared(), "node_modules", "pipestack"), ownPackage());
    await fixture.destroy();
    expect(fixture.sandbox.store.dashboards.size).to.equal(0);
  });

  it("the preview refuses a project in which only a dependency has the npm package", async () => {
    await rename(ownPackage(), join(shared(), "node_modules", "pipestack"));
    await writeFile(join(fixture.folder, "index.js"), using("shared"));
    expect((await fixture.preview({ expect: "failure" })).output).to.include(refusal());
  });

  it("the preview refuses a project in which only a bundle contains the npm package", async () => {
    await writeFile(join(fixture.folder, "program.js"), using("shared"));
    await esbuild({
      entryPoints: [join(fixture.folder, "program.js")],
      outfile: join(fixture.folder, "index.js"),
      bundle: true,
      platform: "node",
      external: ["@pulumi/pulumi"],
    });
    await rm(shared(), { recursive: true });
    expect((await fixture.preview({ expect: "failure" })).output).to.include(refusal());
  });
});
