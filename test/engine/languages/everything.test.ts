import { copyFile, mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { succeed } from "../../../toolchain/command.mjs";
import { generatedExamples } from "../../../toolchain/sdk.mjs";
import { linkPackages } from "../../../toolchain/temporaryProject.mjs";
import { builtPipestack } from "../../pipestackCommand";
import { useFixture } from "../fixture";
import { examples } from "./examplePrograms";
import { goVariables, useLanguages } from "./languageHosts";

type Language = "typescript" | "python" | "go" | "yaml";

const count = 16;

/** The program everything.pp, which the CLI's generators convert to each language. */
describe("A program with resources of many types in four languages", () => {
  const fixture = useFixture({
    language: "typescript",
    projectFile: "name: first\nruntime: nodejs\n",
    sandbox: { dialect: "clickhouse", stateMilliseconds: 300 },
  });
  const languages = useLanguages(fixture);
  let programs: { readonly [language in Language]: string };

  async function write(language: Exclude<Language, "typescript" | "yaml">, file: string) {
    const folder = join(fixture.folder, language);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, file), programs[language]);
    await writeCode(folder);
    await writeFile(
      join(fixture.folder, "Pulumi.yaml"),
      `name: first\nruntime: ${language}\nmain: ${language}\n`,
    );
    return folder;
  }

  async function writeCode(folder: string) {
    await mkdir(join(folder, "code"), { recursive: true });
    await writeFile(join(folder, "code", "main.py"), "print(1)\n");
  }

  before(async () => {
    await writeCode(fixture.folder);
    programs = JSON.parse(await generatedExamples(join(__dirname, "everything"))).everything;
    await fixture.config("pipestack:defaultTags", JSON.stringify({ team: "payments" }));
  });

  let output: string;

  it("one update of the Python program creates every resource", async () => {
    await write("python", "__main__.py");
    fixture.environment.PATH = languages.python;
    const done = await fixture.up({ args: ["--skip-preview"] });
    output = done.output;
    expect(done.summary).to.deep.equal({ create: count });
  });

  it("the update of the Python program warns once of each existing setting that it replaces", () => {
    const warnings = new Set(output.match(/warning: .* is there already, .*$/gm));
    expect([...warnings].map((text) => text.replace(/[0-9a-f-]{36}/, "")).sort()).to.deep.equal([
      "warning: replica-aware routing of service  is there already, and taking it over replaces httpEnabled",
      "warning: settings of organization  is there already, and taking it over replaces enableCoreDumps, name",
      "warning: snapshot configuration of service  is there already, and taking it over replaces enabled, gap, timeFrame",
    ]);
  });

  it("the Go program finds nothing to change in the stack of the Python program", async () => {
    const folder = await write("go", "main.go");
    fixture.environment.PATH = [languages.goHost, languages.original].join(delimiter);
    for (const name of ["go.mod", "go.sum"])
      await copyFile(join(examples, "roles", "go", name), join(folder, name));
    const sdk = `github.com/pipestack/pipestack/sdk/go=${join(languages.sdk, "go")}`;
    await succeed("go", ["mod", "edit", "-replace", sdk], { cwd: folder });
    const { summary } = await fixture.preview({ args: ["--expect-no-changes"], environment: goVariables });
    expect(summary).to.deep.equal({ same: count });
  });

  it("the YAML program finds nothing to change in the stack of the Python program", async () => {
    await writeFile(join(fixture.folder, "Pulumi.yaml"), `name: first\nruntime: yaml\n${programs.yaml}`);
    fixture.environment.PATH = languages.yamlHost;
    expect((await fixture.preview({ args: ["--expect-no-changes"] })).summary).to.deep.equal({ same: count });
  });

  it("pipestack drift names the resources that were changed outside of Pulumi", async () => {
    await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: first\nruntime: nodejs\n");
    await linkPackages(fixture.folder, { "@pipestack/sdk": join(languages.sdk, "nodejs", "bin") });
    await fixture.write(programs.typescript);
    delete fixture.environment.PATH;
    const { store } = fixture.sandbox;
    const [bucket] = store.backupBuckets.values();
    Object.assign(bucket ?? {}, { bucketPath: "https://elsewhere.s3.amazonaws.com" });
    for (const alert of store.alerts.values())
      if (alert.anomalyConfig) alert.anomalyConfig.zScoreThreshold = 2;
    const logs = [...store.sources.values()].find(({ name }) => name === "logs");
    Object.assign(logs ?? {}, { traceSourceId: null });
    store.organization.name = "Somebody's";
    for (const service of store.postgresServices.values()) service.ipAccessList = [];
    const { code, stdout } = await builtPipestack(["drift", "--json"], fixture.folder, fixture.environment);
    const paths = (JSON.parse(stdout).drift as { name: string; paths?: unknown }[]).map(({ name }) => name);
    expect([code, paths.sort()]).to.deep.equal([7, ["anomalies", "bucket", "links", "organization", "shop"]]);
  });

  it("one update of the TypeScript program with a refresh restores what was changed", async () => {
    const { summary } = await fixture.up({ args: ["--refresh", "--skip-preview"] });
    expect(summary).to.deep.equal({ same: count - 5, update: 5 });
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });

  it("destroy removes every resource without a failed request", async () => {
    const { sandbox } = fixture;
    const before = sandbox.requests.length;
    const done = await fixture.destroy();
    output = done.output;
    expect(done.summary).to.deep.equal({ delete: count });
    expect(sandbox.store.backupBuckets.size).to.equal(0);
    expect(sandbox.requests.slice(before).filter(({ status }) => status >= 500)).to.deep.equal([]);
  });

  it("destroy names the property that decides about the settings that it leaves", () => {
    expect(output).to.match(/onDestroy/);
  });
});
