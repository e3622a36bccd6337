import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "chai";
import type { Alert, Sandbox } from "../../sandbox/index";
import { command } from "../../toolchain/command.mjs";
import { pythonEnvironment } from "../../toolchain/languages.mjs";
import { findPulumi } from "../../toolchain/pulumi.mjs";
import { generatedExamples } from "../../toolchain/sdk.mjs";
import { linkPackages } from "../../toolchain/temporaryProject.mjs";
import { drawn } from "../seed";
import { useFixture } from "./fixture";
import { goVariables, useLanguages } from "./languageHosts";

const checkout = join(__dirname, "..", "..");
const examples = join(checkout, "examples");
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

/** Returns the Pulumi.yaml of an example in a language, with the path of its program in the checkout. */
function projectIn(
  example: "plugin" | "query-api" | "service" | "roles" | "pipes",
  language: "python" | "go",
) {
  return `name: first\nruntime: ${language}\nmain: ${JSON.stringify(join(examples, example, language))}\n`;
}

/** Matches a warning of the CLI, except for its note about a language host on the PATH. */
const warning = /warning: (?!using pulumi-language-)/;

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

  it("the plugin's archive runs an update of the Python program on a machine without Node", async () => {
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

  describe("The example plugin in Python, for type checkers", () => {
    /** Writes four Python programs for type checkers and returns their paths. Only the first program is correct. */
    async function programs(): Promise<string[]> {
      const text = await readFile(join(examples, "plugin", "python", "__main__.py"), "utf8");
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
      it(`the Python program passes ${checker}, which finds wrong properties and values in changed copies`, async () => {
        const packages = fixture.environment.PYTHONPATH ?? "";
        const interpreter = join(await pythonEnvironment(), "python");
        const [files, cache] = [await programs(), join(fixture.folder, "cache")];
        const [program, ...args] = {
          // For users the SDK is an installed package, in which type checkers report no errors.
          mypy: [interpreter, "-m", "mypy", "--follow-imports", "silent", "--cache-dir", cache],
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

  it("the Go program finds nothing to change in the stack of the Python program", async () => {
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

  it("the YAML program finds nothing to change in the stack of the Python program", async () => {
    await writeProject(await readFile(join(examples, "plugin", "yaml", "Pulumi.yaml"), "utf8"));
    fixture.environment.PATH = languages.yamlHost;
    const { summary } = await fixture.preview({ args: ["--expect-no-changes"] });
    expect(summary).to.deep.equal({ same: 3 });
  });

  it("the Python program destroys its stack without Node", async () => {
    await writeProject(projectIn("plugin", "python"));
    fixture.environment.PATH = languages.python;
    const { summary } = await fixture.destroy();
    expect(summary).to.deep.equal({ delete: 3 });
    expect(fixture.sandbox.store.dashboards.size).to.equal(0);
  });
});

const queryApiInTypeScript = `import * as pipestack from "@pipestack/sdk";

const connectionId = pipestack.getConnectionOutput({ name: "Default" }).id;

const key = new pipestack.ApiKey("reports", { name: "Reports", roles: ["query_endpoints"] });

const errors = new pipestack.QueryApiEndpoint("errors-by-service", {
  name: "Errors by service",
  sql: \`SELECT ServiceName, count() AS errors
FROM otel_logs
WHERE SeverityText = 'error' AND Timestamp > now() - INTERVAL {minutes: UInt32} MINUTE
GROUP BY ServiceName
\`,
  database: "default",
  parameters: { minutes: "60" },
  apiKeyIds: [key.id],
  roles: ["sql_console_read_only"],
});

new pipestack.ServiceScalingSchedule("office-hours", {
  entries: [
    { name: "Office hours", weekdays: [1, 2, 3, 4, 5], startHourUtc: 7, endHourUtc: 19, numReplicas: 4 },
  ],
});

const webhook = new pipestack.Webhook("team", { service: "generic", url: "https://hooks.example.com/team" });

new pipestack.Alert("error-ratio", {
  name: "One request in a hundred fails",
  source: "inline",
  chartConfig: {
    configType: "sql",
    displayType: "number",
    connectionId,
    sqlTemplate: \`SELECT countIf(StatusCode = 'Error') / greatest(count(), 1)
FROM otel_traces
WHERE Timestamp > now() - INTERVAL 1 HOUR
\`,
  },
  threshold: 0.01,
  thresholdType: "above",
  interval: "5m",
  channel: { type: "webhook", webhookId: webhook.id },
});

export const address = errors.url;
`;

describe("A query API with its key, a schedule and an inline alert in several languages", () => {
  const fixture = useFixture({
    language: "typescript",
    projectFile: projectIn("query-api", "python"),
    sandbox: { dialect: "clickhouse" },
  });
  const languages = useLanguages(fixture);
  const writeProject = (text: string) => writeFile(join(fixture.folder, "Pulumi.yaml"), text);
  const unchanged = { args: ["--expect-no-changes"] };

  before(() => {
    Object.assign(fixture.environment, {
      PIPESTACK_DIALECT: "clickhouse",
      // Only a self-hosted server accepts inline alerts.
      PIPESTACK_OBSERVABILITY_VIA: "observability",
      PIPESTACK_REQUESTS_PER_SECOND: "1000",
    });
  });

  it("the Python program creates a query API with its key, a schedule and an inline alert", async () => {
    fixture.environment.PATH = languages.python;
    const { summary, output } = await fixture.up();
    expect(summary).to.deep.equal({ create: 5 });
    expect(output).to.not.match(warning);
    const [endpoint] = fixture.sandbox.store.queryApiEndpoints.values();
    expect(await fixture.outputs())
      .to.have.property("address")
      .that.includes(endpoint?.id);
  });

  it("the Go program finds nothing to change in the stack of the Python program with query endpoints", async () => {
    await writeProject(projectIn("query-api", "go"));
    fixture.environment.PATH = [languages.goHost, languages.original].join(delimiter);
    const { summary } = await fixture.preview({ ...unchanged, environment: goVariables });
    expect(summary).to.deep.equal({ same: 5 });
  });

  it("the YAML program finds nothing to change in the stack of the Python program with query endpoints", async () => {
    await writeProject(
      (await readFile(join(examples, "query-api", "yaml", "Pulumi.yaml"), "utf8")).replace(
        /^name: .*$/m,
        "name: first",
      ),
    );
    fixture.environment.PATH = languages.yamlHost;
    expect((await fixture.preview(unchanged)).summary).to.deep.equal({ same: 5 });
  });

  it("an update of the TypeScript program restores what others changed in an endpoint, a schedule and an inline alert", async () => {
    await writeProject("name: first\nruntime: nodejs\n");
    await linkPackages(fixture.folder, { "@pipestack/sdk": join(languages.sdk, "nodejs", "bin") });
    await fixture.write(queryApiInTypeScript);
    delete fixture.environment.PATH;
    const { alerts, queryApiEndpoints, scalingSchedules } = fixture.sandbox.store;
    for (const endpoint of queryApiEndpoints.values()) endpoint.sql = "SELECT 1";
    for (const schedule of scalingSchedules.values())
      for (const entry of schedule.entries) entry.endHourUtc = 20;
    for (const { chartConfig } of alerts.values())
      if (chartConfig) Object.assign(chartConfig, { sqlTemplate: "SELECT 0" });
    const refreshing = { args: ["--refresh"] };
    expect((await fixture.up(refreshing)).summary).to.deep.equal({ same: 2, update: 3 });
    expect((await fixture.preview(refreshing)).summary).to.deep.equal({ same: 5 });
  });

  it("the Python program destroys its query API without Node", async () => {
    await writeProject(projectIn("query-api", "python"));
    fixture.environment.PATH = languages.python;
    expect((await fixture.destroy()).summary).to.deep.equal({ delete: 5 });
    const { queryApiEndpoints, scalingSchedules } = fixture.sandbox.store;
    expect([queryApiEndpoints.size, scalingSchedules.size]).to.deep.equal([0, 0]);
  });
});

/** Examples that exist in Python, Go and YAML, with the number of their resources. */
const stacks: readonly {
  readonly example: "service" | "pipes" | "roles";
  readonly created: number;
  readonly sandbox?: { readonly stateMilliseconds: number };
  readonly config?: { readonly [name: string]: string };
  readonly secrets?: { readonly [name: string]: string };
  /** Makes the changes in the YAML program that configuration makes in the programs of the other languages. */
  readonly inYaml?: (program: string) => string;
  /** Counts the objects of one kind in the service that the program creates. */
  readonly records: (sandbox: Sandbox) => number;
}[] = [
  {
    example: "service",
    created: 7,
    sandbox: { stateMilliseconds: 300 },
    config: { protected: "false" },
    inYaml: (program) => program.replace("deletionProtection: true", "deletionProtection: false"),
    records: ({ store }) => store.services.size,
  },
  {
    example: "pipes",
    created: 4,
    sandbox: { stateMilliseconds: 300 },
    secrets: {
      kafkaPassword: "secret of kafka",
      registryPassword: "secret of registry",
      postgresPassword: "secret of postgres",
    },
    records: ({ store }) => store.pipes.size,
  },
  { example: "roles", created: 4, records: ({ store }) => store.keys.size },
];

for (const { example, created, sandbox, config = {}, secrets = {}, inYaml, records } of drawn(stacks, 3))
  describe(`The example ${example} in several languages`, () => {
    const fixture = useFixture({
      language: "typescript",
      projectFile: projectIn(example, "python"),
      sandbox: { dialect: "clickhouse", ...sandbox },
    });
    const languages = useLanguages(fixture);
    const writeProject = (text: string) => writeFile(join(fixture.folder, "Pulumi.yaml"), text);
    const unchanged = { args: ["--expect-no-changes"] };
    let found: number;

    before(async () => {
      const settings = { PIPESTACK_DIALECT: "clickhouse", PIPESTACK_REQUESTS_PER_SECOND: "1000" };
      Object.assign(fixture.environment, settings);
      for (const [name, value] of Object.entries(config)) await fixture.config(`first:${name}`, value);
      for (const [name, value] of Object.entries(secrets)) await fixture.config(`first:${name}`, value, true);
    });

    it(`the Python program creates the ${created} resources in one update, without a warning`, async () => {
      fixture.environment.PATH = languages.python;
      found = records(fixture.sandbox);
      const { summary, output } = await fixture.up({ args: ["--skip-preview"] });
      expect(summary).to.deep.equal({ create: created });
      expect(output).to.not.match(warning);
      expect(records(fixture.sandbox)).to.be.greaterThan(found);
    });

    it("the Go program changes nothing in the stack of the Python program", async () => {
      await writeProject(projectIn(example, "go"));
      fixture.environment.PATH = [languages.goHost, languages.original].join(delimiter);
      const { summary } = await fixture.preview({ ...unchanged, environment: goVariables });
      expect(summary).to.deep.equal({ same: created });
    });

    it("the YAML program changes nothing in the stack of the Python program", async () => {
      const text = await readFile(join(examples, example, "yaml", "Pulumi.yaml"), "utf8");
      await writeProject((inYaml?.(text) ?? text).replace(/^name: .*$/m, "name: first"));
      fixture.environment.PATH = languages.yamlHost;
      expect((await fixture.preview(unchanged)).summary).to.deep.equal({ same: created });
    });

    it("the Python program destroys its stack without Node", async () => {
      await writeProject(projectIn(example, "python"));
      fixture.environment.PATH = languages.python;
      expect((await fixture.destroy()).summary).to.deep.equal({ delete: created });
      expect(records(fixture.sandbox)).to.equal(found);
    });
  });
