import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";

import { offer } from "../../provider/hosts/plugin/offer";
import { cleanEnvironment } from "../../toolchain/environment.mjs";
import { installNode, nodeVersions } from "../../toolchain/nodeVersions.mjs";
import { findPulumi } from "../../toolchain/pulumi.mjs";
import { builtPipestack } from "../pipestackCommand";
import { selected } from "../seed";
import { bodies, calls, expectNoSecrets, useFixture } from "./fixture";

const checkout = join(__dirname, "..", "..");

async function npm(folder: string, ...args: string[]): Promise<string> {
  // Windows starts npm only through a shell.
  const shell = process.platform === "win32";
  const { stdout } = await promisify(execFile)("npm", args, { cwd: folder, shell, maxBuffer: 2 ** 24 });
  return stdout;
}

const program = `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const tile: { name: string; x: number; y: number; w: number; h: number } = { name: "Rows", x: 0, y: 0, w: 6, h: 4 };
const key = new pipestack.ApiKey("reporting", { roles: ["query_endpoints"] });
const dashboard = new pipestack.Dashboard("board", {
  name: pulumi.interpolate\`Board of \${key.name}\`,
  tiles: [{ ...tile, series: [{ type: "number" }] }],
});

export const tileId: pulumi.Output<string> = dashboard.tileIds.apply((ids) => ids.Rows ?? "");
export const keySecret: pulumi.Output<string | undefined> = key.keySecret;
console.log(\`Node \${process.version}\`);
export const pipes: pulumi.Output<string[]> = pipestack.getPipesOutput().apply((all) => all.map(({ name }) => name));
`;

const names = "Alert,ApiKey,Dashboard,getPipes,Provider,QueryEndpoint,ServiceScaling";

describe("The npm package as users install it", () => {
  const fixture = useFixture({ host: "dynamic", language: "typescript", secrets: "passphrase" });
  let packed: string[] = [];

  before(async () => {
    const { folder, environment } = fixture;
    environment.NODE_OPTIONS = undefined;
    for (const name of ["node_modules", "package.json"]) await rm(join(folder, name), { recursive: true });
    const downloads = join(folder, "downloads");
    await mkdir(downloads);
    // `--ignore-scripts` keeps npm from building the package while it packs, since programs of other tests use the build at the
    // same time.
    const answer = await npm(checkout, "pack", "--ignore-scripts", "--json", "--pack-destination", downloads);
    const [tarball] = JSON.parse(answer) as { filename: string; files: { path: string }[] }[];
    packed = tarball?.files.map(({ path }) => path) ?? [];

    await writeFile(
      join(folder, "package.json"),
      JSON.stringify({ name: "user", private: true, main: "index.ts" }),
    );
    const wanted = [
      `./downloads/${tarball?.filename}`,
      "@pulumi/pulumi@3.259.0",
      "typescript@5.9.3",
      "@types/node@20",
    ];
    await npm(folder, "install", "--no-audit", "--no-fund", "--prefer-offline", ...wanted);
    await fixture.write(program);
    const words = names.replaceAll(",", ", ");
    const check = `import { ${words} } from "pipestack";\nconsole.log([${words}].map((it) => it.name).join());\n`;
    await writeFile(join(folder, "check.mjs"), check);
  });

  it("the npm package contains exactly the files that users need", async () => {
    const further = packed.filter((path) => !path.startsWith("dist/"));
    const docs = await readdir(join(checkout, "docs"));
    const images = await readdir(join(checkout, "docs", "images"));
    expect(further).to.have.members([
      ...["CHANGELOG.md", "LICENSE", "README.md", "SECURITY.md", "package.json"],
      ...["plugin/PulumiPlugin.yaml", "plugin/package.json"],
      ...docs.filter((name) => /\.(md|svg)$/.test(name)).map((name) => `docs/${name}`),
      ...images.map((name) => `docs/images/${name}`),
    ]);
    const modules: string[] = [];
    for (const folder of ["provider", "cli", "drawing"]) {
      const sources = await readdir(join(checkout, folder), { recursive: true });
      const own = sources.filter((path) => path.endsWith(".ts"));
      modules.push(...own.map((path) => join(folder, path.slice(0, -3)).replaceAll("\\", "/")));
    }
    const outputs = modules.flatMap((path) => ["js", "js.map"].map((ending) => `dist/${path}.${ending}`));
    const declarations = ["index", "host", "testing"].map((name) => `dist/provider/${name}.d.ts`);
    const bundles = ["dist/provider/host.js", "dist/provider/index.js"];
    const unnamedMaps = bundles.map((path) => `${path}.map`);
    const { resources, components, functions } = offer;
    const pages = ["README", ...Object.keys({ ...resources, ...components, ...functions })];
    // The packed bundles index.js and host.js may have a license file beside them, which licenses.test.ts checks.
    const built = packed.filter((path) => path.startsWith("dist/") && path !== "dist/provider/LICENSES");
    expect(built).to.have.members([
      ...outputs.filter((path) => !unnamedMaps.includes(path)),
      ...declarations,
      ...pages.map((name) => `dist/reference/${name}.md`),
      "dist/provider/descriptions.json",
      "dist/provider/hosts/plugin/examples.json",
      ...["dist/plugin.js", "dist/pluginBundle.js", "dist/plugin.LICENSES"],
    ]);
  });

  it("the npm package brings the provider's dependencies without those of the sandbox", () => {
    const installed = (name: string) => existsSync(join(fixture.folder, "node_modules", name));
    expect(["pipestack", "axios", "ajv"].filter(installed)).to.have.length(3);
    expect(["pipestack-sandbox", "fastify", "mocha", "@sinclair"].filter(installed)).to.deep.equal([]);
  });

  it("installing the npm package installs the command pipestack", async () => {
    const { stdout } = await promisify(execFile)(join("node_modules", ".bin", "pipestack"), ["--help"], {
      cwd: fixture.folder,
      // Windows starts the programs that npm links only through a shell.
      shell: process.platform === "win32",
    });
    expect(stdout).to.match(/^Usage: pipestack/);
  });

  it("installing the npm package installs the plugin as a program", async () => {
    const program = "./node_modules/.bin/pulumi-resource-pipestack";
    const { stdout } = await fixture.run(["package", "get-schema", program]);
    expect(JSON.parse(stdout)).to.include({ name: "pipestack" });
  });

  it("installing the npm package installs the plugin as a folder that a language host can start", async () => {
    // The Node language host of newer CLIs runs this command to start a resource plugin from a folder with a PulumiPlugin.yaml.
    const host = spawn(
      process.execPath,
      ["node_modules/@pulumi/pulumi/cmd/run-plugin", "node_modules/pipestack/plugin"],
      { cwd: fixture.folder, stdio: ["ignore", "pipe", "inherit"] },
    );
    try {
      const [port] = await once(host.stdout.setEncoding("utf8"), "data");
      expect(port).to.match(/^\d+\n$/);
    } finally {
      host.kill();
    }
  });

  it("the installed npm package runs an update of a type-checked program outside of the checkout", async () => {
    const { summary } = await fixture.up();
    expect(summary).to.deep.equal({ create: 2 });
    expect(calls(fixture.sandbox)).to.have.members([
      "GET /pipes",
      "GET /keys",
      "POST /keys",
      "GET /stack/dashboards",
      "POST /stack/dashboards",
    ]);
    expect(bodies(fixture.sandbox, "POST /stack/dashboards")).to.have.deep.nested.property(
      "[0].name",
      "Board of reporting",
    );
    const { keySecret, ...outputs } = await fixture.outputs({ showSecrets: true });
    const [dashboard] = fixture.sandbox.store.dashboards.values();
    expect(outputs).to.deep.include({ tileId: dashboard?.tiles[0]?.id });
    expect(outputs.pipes).to.have.length(4);
    expect(await fixture.stateFile()).to.not.include(checkout);
    await expectNoSecrets(fixture, keySecret);
  });

  it("pipestack drift exits with 1 and one clear message if the state cannot be decrypted", async () => {
    const environment = { ...fixture.environment, PULUMI_CONFIG_PASSPHRASE: "wrong" };
    const { code, stdout, stderr } = await builtPipestack(["drift"], fixture.folder, environment);
    expect(stderr).to.match(/^error: .*incorrect passphrase.*\n(.*\n)?$/);
    expect([stdout, code]).to.deep.equal(["", 1]);
  });

  for (const version of selected(nodeVersions, 3, 2)) {
    it(`the npm package runs on Node ${version}: its modules, its command, and a preview in the engine`, async () => {
      const { PATH } = cleanEnvironment(await findPulumi());
      const environment = { ...process.env, PATH: [await installNode(version), PATH].join(delimiter) };
      const node = async (...args: string[]) =>
        (await promisify(execFile)("node", args, { cwd: fixture.folder, env: environment })).stdout.trim();
      expect(await node("check.mjs")).to.equal(names);
      expect(await node("node_modules/pipestack/dist/cli/main.js", "--help")).to.match(/^Usage: pipestack/);
      const { output } = await fixture.preview({
        args: ["--refresh", "--expect-no-changes"],
        environment: { PATH: environment.PATH },
      });
      expect(output).to.include(`Node v${version}`);
    });
  }

  it("destroy deletes all objects of a program that uses the installed npm package", async () => {
    await fixture.destroy();
    expect(fixture.sandbox.store.dashboards.size).to.equal(0);
    expect(fixture.sandbox.store.keys.size).to.equal(1);
  });
});
