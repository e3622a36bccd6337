import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "chai";
import { inCheckout } from "../../toolchain/checkout.mjs";
import { succeed } from "../../toolchain/command.mjs";
import { goPrograms, versionOf } from "../../toolchain/goPrograms.mjs";
import { pythonEnvironment } from "../../toolchain/languages.mjs";
import { packSdks } from "../../toolchain/release/sdks.mjs";
import { linkPackages } from "../../toolchain/temporaryProject.mjs";
import { useFixture } from "./fixture";
import { goVariables, useLanguageHosts } from "./languages/languageHosts";

const sdkVersion = versionOf(goPrograms.cli);

/**
 * These tests run the programs of docs/_index.md, the page in Pulumi's registry, in empty projects with the published
 * files for their languages.
 */
describe("The SDKs as users install them", () => {
  const fixture = useFixture({ language: "typescript", projectFile: "name: first\nruntime: nodejs\n" });
  const hosts = useLanguageHosts(fixture);
  const inFolder = (...path: string[]) => join(fixture.folder, ...path);
  let sdks: Awaited<ReturnType<typeof packSdks>>;
  let overview: string;

  before(async () => {
    for (const name of ["node_modules", "package.json", "tsconfig.json"])
      await rm(inFolder(name), { recursive: true });
    sdks = await packSdks(inFolder("release"));
    overview = await readFile(inCheckout("docs", "_index.md"), "utf8");
  });

  function programIn(language: string): string {
    return new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(overview)?.[1] ?? "";
  }

  async function begin(runtime: string, file: string, language = runtime): Promise<string> {
    await writeFile(inFolder("Pulumi.yaml"), `name: first\nruntime: ${runtime}\nmain: ${runtime}\n`);
    await mkdir(inFolder(runtime), { recursive: true });
    await writeFile(inFolder(runtime, file), programIn(language));
    return inFolder(runtime);
  }

  async function expectNoChanges(environment?: Record<string, string>) {
    const { summary } = await fixture.preview({ args: ["--expect-no-changes"], environment });
    expect(summary).to.deep.equal({ same: 1 });
  }

  it("the TypeScript program in docs/_index.md creates its dashboard with the npm package of the SDK", async () => {
    const cwd = await begin("nodejs", "index.ts", "typescript");
    await writeFile(join(cwd, "package.json"), '{"name": "user", "private": true, "main": "index.ts"}');
    // The test unpacks the package without npm, since package.test.ts tests the installation by npm.
    const sdk = join(cwd, "node_modules", "@pipestack", "sdk");
    await mkdir(sdk, { recursive: true });
    const file = inFolder("release", sdks.node.filename);
    await succeed("tar", ["-xzf", file, "-C", sdk, "--strip-components=1"]);
    const { dependencies } = JSON.parse(await readFile(join(sdk, "package.json"), "utf8"));
    expect(Object.keys(dependencies)).to.deep.equal(["@pulumi/pulumi"]);
    const linked = ["@pulumi/pulumi", "typescript", "@types/node"];
    await linkPackages(
      cwd,
      Object.fromEntries(linked.map((name) => [name, inCheckout("node_modules", name)])),
    );
    expect((await fixture.up()).summary).to.deep.equal({ create: 1 });
    const [dashboard] = fixture.sandbox.store.dashboards.values();
    expect(await fixture.outputs()).to.deep.equal({ dashboardId: dashboard?.id });
  });

  for (const [index, kind] of ["wheel", "source distribution"].entries())
    it(`the Python program with the SDK's ${kind} finds nothing to change in the TypeScript program's stack`, async () => {
      await begin("python", "__main__.py");
      const environment = await pythonEnvironment();
      const programs = inFolder(`venv-${index}`, environment.endsWith("Scripts") ? "Scripts" : "bin");
      const python = async (folder: string, ...args: string[]) =>
        (await succeed(join(folder, "python"), args)).stdout.trim();
      await python(environment, "-m", "venv", "--without-pip", inFolder(`venv-${index}`));
      // The test environment has all requirements of the Python SDK, so pip downloads nothing, and an undeclared requirement
      // fails.
      const [own = "", given = ""] = await Promise.all(
        [programs, environment].map((folder) =>
          python(folder, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"),
        ),
      );
      await writeFile(join(own, "given.pth"), `${given}\n`);
      const pip = ["-m", "pip", "--python", join(programs, "python"), "install", "--no-index"];
      await python(
        environment,
        ...pip,
        "--no-build-isolation",
        inFolder("release", sdks.python[index] ?? ""),
      );
      await expectNoChanges({ PATH: [programs, hosts.pythonHost].join(delimiter) });
    });

  it("descriptions in the SDK for Python call properties by their names in Python", async () => {
    const folder = inCheckout("sdk", "python", "pulumi_pipestack");
    const modules = (await readdir(folder)).filter((name) => name.endsWith(".py"));
    const text = (await Promise.all(modules.map((name) => readFile(join(folder, name), "utf8")))).join("");
    const names = new Set([...text.matchAll(/getter\(name="(\w+)"\)/g)].map(([, name]) => name));
    expect(names).to.include("sourceId");
    const inTexts = [...text.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = ""]) => code.match(/\w+/g) ?? []);
    expect(inTexts).to.include("source_id");
    expect([...new Set(inTexts)].filter((name) => names.has(name))).to.deep.equal([]);
  });

  it("the Go program with the SDK's module finds nothing to change in the TypeScript program's stack", async () => {
    const cwd = await begin("go", "main.go");
    const { path, version, archive } = sdks.go;
    const proxy = inFolder("proxy", path, "@v");
    await mkdir(proxy, { recursive: true });
    await writeFile(join(proxy, `${version}.info`), JSON.stringify({ Version: version }));
    await copyFile(inCheckout("sdk", "go", "go.mod"), join(proxy, `${version}.mod`));
    await copyFile(inFolder("release", archive), join(proxy, `${version}.zip`));
    const { stdout } = await succeed("go", ["env", "GOPROXY", "GOMODCACHE"]);
    const [further = "", cache = ""] = stdout.split("\n");
    const environment = {
      ...goVariables,
      PATH: [hosts.goHost, hosts.original].join(delimiter),
      GOPROXY: [pathToFileURL(inFolder("proxy")).href, further].join(),
      GONOSUMDB: path,
      GOFLAGS: `${goVariables.GOFLAGS} -mod=mod -modcacherw`,
      // Go's index of the files of a module version would be outdated in the next run of the test, so `goindex=0` turns it off.
      GODEBUG: "goindex=0",
    };
    /**
     * Removes the Go SDK from Go's module cache. Go keeps a module version for ever, but the next run of the test has other
     * contents under the same version.
     */
    const forget = () =>
      Promise.all(
        [join("cache", "download", path), `${path}@${version}`].map((name) =>
          rm(join(cache, name), { recursive: true, force: true }),
        ),
      );
    await forget();
    try {
      const go = (...args: string[]) =>
        succeed("go", args, { cwd, environment: { ...process.env, ...environment } });
      await go("mod", "init", "first");
      await go("get", `${path}@${version}`, `github.com/pulumi/pulumi/sdk/v3@v${sdkVersion}`);
      await expectNoChanges(environment);
    } finally {
      await forget();
    }
  });

  it("the YAML program without an SDK finds nothing to change in the TypeScript program's stack", async () => {
    await writeFile(inFolder("Pulumi.yaml"), programIn("yaml"));
    await expectNoChanges({ PATH: hosts.yamlHost });
    expect((await fixture.destroy()).summary).to.deep.equal({ delete: 1 });
  });
});
