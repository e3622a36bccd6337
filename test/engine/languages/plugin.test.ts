import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import type { Alert } from "../../../sandbox/index";
import { command } from "../../../toolchain/command.mjs";
import { findPulumi } from "../../../toolchain/pulumi.mjs";
import { generatedExamples } from "../../../toolchain/sdk.mjs";
import { linkPackages } from "../../../toolchain/temporaryProject.mjs";
import { useFixture } from "../fixture";
import { checkout, examples, projectIn, warning } from "./examplePrograms";
import { goVariables, useLanguages } from "./languageHosts";

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

describe("The example plugin in several languages", () => {
  const fixture = useFixture({ language: "typescript", projectFile: projectIn("plugin", "python") });
  const languages = useLanguages(fixture);
  const writeProject = (text: string) => writeFile(join(fixture.folder, "Pulumi.yaml"), text);
  const alert = () => [...fixture.sandbox.store.alerts.values()][0] as Alert;

  it("the examples in the package schema equal those that the CLI generates", async () => {
    expect(await generatedExamples()).to.equal(await readFile(examplesFile, "utf8"));
  });

  it("all Go examples call only functions and types that the Go SDK has", async () => {
    const folder = join(languages.sdk, "go", "pipestack");
    const modules = (await readdir(folder)).filter((name) => name.endsWith(".go"));
    const texts = await Promise.all(modules.map((name) => readFile(join(folder, name), "utf8")));
    const declared = [...texts.join("\n").matchAll(/^(?:func|type) (\w+)|^\t(\w+)\s+= \w+\(/gm)].map(
      (found) => found[1] ?? found[2],
    );
    const siblings: { go: string }[] = Object.values(JSON.parse(await readFile(examplesFile, "utf8")));
    const first = await readFile(join(examples, "plugin", "go", "main.go"), "utf8");
    const programs = [first, ...siblings.map(({ go }) => go)].join("\n");
    const used = new Set([...programs.matchAll(/\bpipestack\.(\w+)/g)].map((found) => found[1]));
    expect(used).to.include("LookupSource").and.include("LookupSourceOutput");
    expect([...used].filter((name) => !declared.includes(name))).to.deep.equal([]);
  });

  it("the Python program creates its resources on a machine without Node", async () => {
    const folders = languages.python.split(delimiter);
    const programs = folders.flatMap((folder) => ["node", "node.exe"].map((name) => join(folder, name)));
    expect(programs.filter((path) => existsSync(path))).to.deep.equal([]);
    fixture.environment.PATH = languages.python;
    const { summary, output } = await fixture.up();
    expect(summary).to.deep.equal({ create: 3 });
    expect(output).to.not.match(warning);
    const [dashboard] = fixture.sandbox.store.dashboards.values();
    const tileId = dashboard?.tiles[0]?.id;
    expect(alert()).to.include({ dashboard: dashboard?.id, tileId, threshold: 100 });
    expect(await fixture.outputs()).to.deep.equal({ dashboardId: dashboard?.id });
  });

  it("the program in the plugin's archive also runs pipestack drift on a machine without Node", async () => {
    const plugins = join(String(fixture.environment.PULUMI_HOME), "plugins");
    const [installed = ""] = (await readdir(plugins)).filter((name) =>
      /^resource-pipestack-v[^/]*\d$/.test(name),
    );
    const program = join(plugins, installed, "pulumi-resource-pipestack");
    const { folder: pulumi } = await findPulumi();
    const environment = { ...fixture.environment, PATH: [languages.python, pulumi].join(delimiter) };
    const { code, output } = await command(program, ["drift"], { cwd: fixture.folder, environment });
    expect(output).to.match(/no drift/i);
    expect(code).to.equal(0);
  });

  it("the Go program of the example plugin finds nothing to change in the stack of its Python program", async () => {
    await writeProject(projectIn("plugin", "go"));
    fixture.environment.PATH = [languages.goHost, languages.original].join(delimiter);
    const { summary } = await fixture.preview({
      args: ["--expect-no-changes"],
      environment: goVariables,
    });
    expect(summary).to.deep.equal({ same: 3 });
  });

  it("the TypeScript program finds nothing to change in the stack of the Python program", async () => {
    await writeProject("name: first\nruntime: nodejs\n");
    await linkPackages(fixture.folder, { "@pipestack/sdk": join(languages.sdk, "nodejs", "bin") });
    await fixture.write(inTypeScript);
    delete fixture.environment.PATH;
    const { summary } = await fixture.preview({ args: ["--expect-no-changes"] });
    expect(summary).to.deep.equal({ same: 3 });
  });

  it("the YAML program of the example plugin finds nothing to change in the stack of its Python program", async () => {
    await writeProject(await readFile(join(examples, "plugin", "yaml", "Pulumi.yaml"), "utf8"));
    fixture.environment.PATH = languages.yamlHost;
    const { summary } = await fixture.preview({ args: ["--expect-no-changes"] });
    expect(summary).to.deep.equal({ same: 3 });
  });

  it("destroy deletes the resources of the example plugin in Python on a machine without Node", async () => {
    await writeProject(projectIn("plugin", "python"));
    fixture.environment.PATH = languages.python;
    const { summary } = await fixture.destroy();
    expect(summary).to.deep.equal({ delete: 3 });
    expect(fixture.sandbox.store.dashboards.size).to.equal(0);
  });
});
