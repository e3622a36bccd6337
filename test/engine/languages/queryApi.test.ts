import { readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect } from "chai";
import { linkPackages } from "../../../toolchain/temporaryProject.mjs";
import { useFixture } from "../fixture";
import { examples, projectIn, warning } from "./examplePrograms";
import { goVariables, useLanguages } from "./languageHosts";

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

describe("A stack with a query endpoint, its API key, a scaling schedule and an inline alert, in several languages", () => {
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
      // Only a self-hosted server accepts alerts with an inline chart.
      PIPESTACK_OBSERVABILITY_VIA: "observability",
      PIPESTACK_REQUESTS_PER_SECOND: "1000",
    });
  });

  it("the Python program of the example query-api creates a query endpoint, its API key, a schedule and an inline alert", async () => {
    fixture.environment.PATH = languages.python;
    const { summary, output } = await fixture.up();
    expect(summary).to.deep.equal({ create: 5 });
    expect(output).to.not.match(warning);
    const [endpoint] = fixture.sandbox.store.queryApiEndpoints.values();
    expect(await fixture.outputs())
      .to.have.property("address")
      .that.includes(endpoint?.id);
  });

  it("the Go program of the example query-api finds nothing to change in the stack of its Python program", async () => {
    await writeProject(projectIn("query-api", "go"));
    fixture.environment.PATH = [languages.goHost, languages.original].join(delimiter);
    const { summary } = await fixture.preview({ ...unchanged, environment: goVariables });
    expect(summary).to.deep.equal({ same: 5 });
  });

  it("the YAML program of the example query-api finds nothing to change in the stack of its Python program", async () => {
    await writeProject(
      (await readFile(join(examples, "query-api", "yaml", "Pulumi.yaml"), "utf8")).replace(
        /^name: .*$/m,
        "name: first",
      ),
    );
    fixture.environment.PATH = languages.yamlHost;
    expect((await fixture.preview(unchanged)).summary).to.deep.equal({ same: 5 });
  });

  it("a TypeScript program in the Python program's stack restores an endpoint, a schedule and an alert that others changed", async () => {
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

  it("destroy deletes the resources of the example query-api in Python on a machine without Node", async () => {
    await writeProject(projectIn("query-api", "python"));
    fixture.environment.PATH = languages.python;
    expect((await fixture.destroy()).summary).to.deep.equal({ delete: 5 });
    const { queryApiEndpoints, scalingSchedules } = fixture.sandbox.store;
    expect([queryApiEndpoints.size, scalingSchedules.size]).to.deep.equal([0, 0]);
  });
});
