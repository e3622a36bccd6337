import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Alert } from "../../sandbox/index";
import { buildArchive } from "../../toolchain/archive.mjs";
import { languageHost, pythonEnvironment } from "../../toolchain/languages.mjs";
import { findPulumi } from "../../toolchain/pulumi.mjs";
import { generatedExamples, generateSdks } from "../../toolchain/sdk.mjs";
import { linkPackages } from "../../toolchain/temporaryProject.mjs";
import { useFixture } from "./fixture";

const checkout = join(__dirname, "..", "..");
const examples = join(checkout, "examples", "plugin");
const examplesFile = join(checkout, "provider", "hosts", "plugin", "examples.json");

const inTypeScript = `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const sourceId = pipestack.getSourceOutput({ name: "Logs" }).id;

const dashboard = new pipestack.Dashboard("ingestion", {
  name: "Ingestion",
  tiles: [
    {
      name: "Errors",
      x: 0, y: 0, w: 12, h: 6,
      config: {
        displayType: "line",
        sourceId,
        select: [{ aggFn: "count", where: "SeverityText:error" }],
        groupBy: "ServiceName",
      },
    },
  ],
});

const webhook = new pipestack.Webhook("team", { service: "generic", url: "https://hooks.example.com/team" });

new pipestack.Alert("errors", {
  name: "Too many errors",
  source: "tile",
  dashboardId: dashboard.id,
  tileId: dashboard.tileIds["Errors"],
  threshold: 100,
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: webhook.id },
});

export const dashboardId: pulumi.Output<string> = dashboard.id;
`;

describe("The first program in several languages", () => {
  const fixture = useFixture({ language: "typescript", projectFile: projectIn("python") });
  let sdk: string;
  let goHost: string;
  let yamlHost: string;
  /** What the tests have without Node. */
  let python: string;
  let original: string;

  /** The project of an example as it is, save that its program stays where it is. */
  function projectIn(language: "python" | "go") {
    return `name: first\nruntime: ${language}\nmain: ${JSON.stringify(join(examples, language))}\n`;
  }
  const writeProject = (text: string) => writeFile(join(fixture.folder, "Pulumi.yaml"), text);
  const alert = () => [...fixture.sandbox.store.alerts.values()][0] as Alert;

  before(async () => {
    const pulumi = await findPulumi();
    sdk = await generateSdks();
    goHost = await languageHost(pulumi, "go");
    yamlHost = await languageHost(pulumi, "yaml");
    python = [await pythonEnvironment(), await languageHost(pulumi, "python")].join(delimiter);
    original = process.env.PATH ?? "";
    const { version, file } = await buildArchive();
    await fixture.run(["plugin", "install", "resource", "pipestack", version, "--file", file]);
    fixture.environment.PYTHONPATH = await installInPython(join(sdk, "python"));
  });

  /** Installs a package as users do, and returns the folder for PYTHONPATH. */
  async function installInPython(source: string) {
    const [copy, folder] = [join(fixture.folder, "package"), join(fixture.folder, "packages")];
    await cp(source, copy, { recursive: true });
    const options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", folder];
    const program = join(await pythonEnvironment(), "python");
    await promisify(execFile)(program, ["-m", "pip", "install", ...options, copy]);
    return folder;
  }

  it("the examples in the package schema equal those that the CLI generates", async () => {
    expect(await generatedExamples()).to.equal(await readFile(examplesFile, "utf8"));
  });

  it("the Go program and its siblings call only members of the SDK for Go", async () => {
    const folder = join(sdk, "go", "pipestack");
    const modules = (await readdir(folder)).filter((name) => name.endsWith(".go"));
    const texts = await Promise.all(modules.map((name) => readFile(join(folder, name), "utf8")));
    const declared = [...texts.join("\n").matchAll(/^(?:func|type) (\w+)|^\t(\w+)\s+= \w+\(/gm)].map(
      (found) => found[1] ?? found[2],
    );
    const siblings: { go: string }[] = Object.values(JSON.parse(await readFile(examplesFile, "utf8")));
    const first = await readFile(join(examples, "go", "main.go"), "utf8");
    const programs = [first, ...siblings.map(({ go }) => go)].join("\n");
    const used = new Set([...programs.matchAll(/\bpipestack\.(\w+)/g)].map((found) => found[1]));
    expect(used).to.include("LookupSource").and.include("LookupSourceOutput");
    expect([...used].filter((name) => !declared.includes(name))).to.deep.equal([]);
  });

  it("the plugin's archive applies the Python program on a machine without Node", async () => {
    const folders = python.split(delimiter);
    const programs = folders.flatMap((folder) => ["node", "node.exe"].map((name) => join(folder, name)));
    expect(programs.filter((path) => existsSync(path))).to.deep.equal([]);
    fixture.environment.PATH = python;
    const { summary } = await fixture.up();
    expect(summary).to.deep.equal({ create: 3 });
    const [dashboard] = fixture.sandbox.store.dashboards.values();
    const tileId = dashboard?.tiles[0]?.id;
    expect(alert()).to.include({ dashboard: dashboard?.id, tileId, threshold: 100 });
    expect(await fixture.outputs()).to.deep.equal({ dashboardId: dashboard?.id });
  });

  describe("The program in Python", () => {
    /** Programs, of which the first is right. */
    async function programs(): Promise<string[]> {
      const text = await readFile(join(examples, "python", "__main__.py"), "utf8");
      const mistakes = [
        ['"group_by"', '"sql_template"'],
        ['"line"', '"flame"'],
        ['"select"', '"selects"'],
      ] as const;
      const all = [text, ...mistakes.map(([right, wrong]) => text.replace(right, wrong))];
      const files = all.map((_, index) => join(fixture.folder, `program${index}.py`));
      await Promise.all(files.map((file, index) => writeFile(file, all[index] ?? "")));
      return files;
    }

    for (const checker of ["mypy", "pyright"] as const) {
      it(`the Python program passes ${checker}, which finds members of other kinds of tiles and misspelt words`, async () => {
        const packages = fixture.environment.PYTHONPATH ?? "";
        const interpreter = join(await pythonEnvironment(), "python");
        const files = await programs();
        const [program, ...args] = {
          // Users have the SDK among their installed packages, in which neither looks for errors.
          mypy: [interpreter, "-m", "mypy", "--follow-imports", "silent", "--cache-dir", `${packages}/cache`],
          pyright: [process.execPath, require.resolve("pyright"), "--pythonpath", interpreter],
        }[checker];
        const env = { ...process.env, PYTHONPATH: packages, MYPYPATH: packages };
        const { stdout } = await promisify(execFile)(program as string, [...args, ...files], { env }).catch(
          (failed: { stdout: string }) => failed,
        );
        const wrong = files.filter((_, index) => new RegExp(`program${index}\\.py:\\d.*error`).test(stdout));
        expect(wrong, stdout).to.deep.equal(files.slice(1));
      });
    }
  });

  it("the Go program changes nothing in the stack of the Python program", async () => {
    await writeProject(projectIn("go"));
    fixture.environment.PATH = [goHost, original].join(delimiter);
    const { summary } = await fixture.preview({
      args: ["--expect-no-changes"],
      environment: { CGO_ENABLED: "0", GOWORK: "off" },
    });
    expect(summary).to.deep.equal({ same: 3 });
  });

  it("the TypeScript program changes nothing in the stack of the Python program", async () => {
    await writeProject("name: first\nruntime: nodejs\n");
    await linkPackages(fixture.folder, { "@pipestack/sdk": join(sdk, "nodejs", "bin") });
    await fixture.write(inTypeScript);
    delete fixture.environment.PATH;
    const { summary } = await fixture.preview({ args: ["--expect-no-changes"] });
    expect(summary).to.deep.equal({ same: 3 });
  });

  it("the YAML program changes nothing in the stack of the Python program", async () => {
    await writeProject(await readFile(join(examples, "yaml", "Pulumi.yaml"), "utf8"));
    fixture.environment.PATH = yamlHost;
    const { summary } = await fixture.preview({ args: ["--expect-no-changes"] });
    expect(summary).to.deep.equal({ same: 3 });
  });

  it("the Python program destroys its stack without Node", async () => {
    await writeProject(projectIn("python"));
    fixture.environment.PATH = python;
    const { summary } = await fixture.destroy();
    expect(summary).to.deep.equal({ delete: 3 });
    expect(fixture.sandbox.store.dashboards.size).to.equal(0);
  });
});
