import { randomUUID } from "node:crypto";
import { expect } from "chai";
import type { Resource } from "../../../../provider/lifecycle/resource";
import { trackingOf } from "../../../../provider/lifecycle/state";
import { resources, typeNames } from "../../../../provider/resources/registry";
import type { PropertyMap } from "../../../../provider/values/data";
import { sessionOf } from "../../drift/fixture";
import { failuresOf } from "../../resources/rules";
import { useServiceFixture } from "../serviceFixture";
import { runImport } from "./importRun";

const types = typeNames.filter((type) => resources[type].scope === "observability");

const series = { type: "number", sourceId: "65f1c0a2b3d4e5f607182911", aggFn: "count", where: "" };
const tile = { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [series] };
const onSearch = {
  name: "Silent",
  source: "saved_search",
  savedSearchId: "65f1c0a2b3d4e5f607182931",
  threshold: 1,
  thresholdType: "below",
  interval: "1h",
  channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
};

describe("The command pipestack import with the observability API alone", () => {
  const fixture = useServiceFixture({
    dialect: "clickhouse",
    apis: "observability",
    rewrites: ["seriesAsConfig"],
  });
  const run = (args?: string[], settings: Record<string, string> = {}) => runImport(fixture, args, settings);

  async function add<Added>(noun: string, body: object): Promise<Added> {
    const response = await fetch(`${fixture.sandbox.obsBaseUrl}/api/v2/${noun}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${fixture.sandbox.credentials.accessToken}`,
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    const { data } = (await response.json()) as { data: Added };
    expect(response.status, JSON.stringify(data)).to.equal(200);
    return data;
  }

  async function fill(): Promise<void> {
    const board = { name: "Ingestion", tiles: [tile] };
    const { id, tiles } = await add<{ id: string; tiles: { id: string }[] }>("dashboards", board);
    const { savedSearchId, ...alert } = onSearch;
    await add("alerts", { ...alert, name: "Errors", source: "tile", dashboardId: id, tileId: tiles[0]?.id });
    await add("alerts", onSearch);
    fixture.sandbox.requests.length = 0;
  }

  it("pipestack import from the observability API declares objects with references to each other", async () => {
    await fill();
    const { code, program, resources, stderr } = await run();
    expect(code, stderr).to.equal(0);
    expect(resources.map(({ name }) => name)).to.deep.equal([
      ...[
        "on-call",
        "default",
        "logs",
        "traces",
        "metrics",
        "ingestion",
        "errors",
        "warnings",
        "errors",
        "silent",
      ],
    ]);
    expect(program)
      .to.match(/^\/\/ The objects of the server, written by "pipestack import"\.\n/)
      .and.include("dashboardId: ingestion.id,\n  tileId: ingestion.tileIds.Errors,")
      .and.include('source: "search",')
      .and.include("savedSearch: errors.id,")
      .and.include("webhookId: onCall.id,")
      .and.include('  url: config.requireSecret("onCallUrl"),\n')
      .and.include("  sourceId: logs.id,\n")
      .and.include("  logSourceId: logs.id,\n");
  });

  it("an import from the observability API names no organization and no service", async () => {
    await fill();
    const { code, program, resources, stderr } = await run();
    expect(code, stderr).to.equal(0);
    expect(resources).to.have.length(10);
    for (const { inputs, outputs } of resources)
      expect({ ...inputs, ...outputs }).to.not.have.any.keys("organizationId", "serviceId");
    expect(program).to.not.match(/organizationId|serviceId/);
  });

  it("an imported source has exactly the properties that users set", async () => {
    const { program } = await run(["--only", "Source"]);
    expect(program).to.include(`
const defaultConnection = pipestack.getConnectionOutput({
  name: "Default",
});
`);
    expect(program).to.include(`new pipestack.Source("metrics", {
  name: "Metrics",
  kind: "metric",
  connection: defaultConnection.id,
  from: {
    databaseName: "otel",
  },
  timestampValueExpression: "TimeUnix",
  resourceAttributesExpression: "ResourceAttributes",
  metricTables: {
    gauge: "otel_metrics_gauge",
    sum: "otel_metrics_sum",
  },
});
`);
  });

  it("pipestack import keeps the id of a connection that cannot be found by its name", async () => {
    const { connections } = fixture.sandbox.store;
    const [first] = connections.values();
    if (first) connections.set("again", { ...first, id: "65f1c0a2b3d4e5f607182999" });
    const ids = `connection: "${first?.id}",`;
    expect((await run(["--only", "Source"])).program)
      .to.include(ids)
      .and.not.include("getConnectionOutput");
    connections.delete("again");
    await fixture.sandbox.faults.set([{ kind: "404-gateway", operation: "listConnections" }]);
    const { code, program } = await run(["--only", "Source", "--force"]);
    await fixture.sandbox.faults.clear();
    expect(code).to.equal(0);
    expect(program).to.include(ids).and.not.include("getConnectionOutput");
  });

  for (const [dialect, how, link] of [
    [
      "clickhouse",
      "by a SourceLinks",
      /SourceLinks\("[\w-]+", \{\s+sourceId: logs\.id,\s+traceSourceId: traces\.id,\s+metricSourceId: metrics\.id,\s+\}\)/,
    ],
    ["neutral", "by an id", /logSourceId: "\w+",/],
  ] as const)
    describe(`Sources that refer to each other, with the dialect ${dialect}`, () => {
      let program: string;

      beforeEach(async () => {
        const [logs, traces, metrics] = fixture.sandbox.store.sources.values();
        Object.assign(logs ?? {}, { traceSourceId: traces?.id, metricSourceId: metrics?.id });
        ({ program } = await run(["--only", "Source"], { dialect }));
      });

      it(`pipestack import with the dialect ${dialect} declares sources after those that they refer to`, () => {
        const names = dialect === "neutral" ? ["Traces", "Metrics", "Logs"] : ["Logs", "Traces", "Metrics"];
        const places = names.map((name) => program.indexOf(`name: "${name}"`));
        expect(places).to.deep.equal([...places].sort((one, other) => one - other));
      });

      it(`pipestack import with the dialect ${dialect} breaks a circle of sources ${how}`, () => {
        expect(program).to.match(link).and.include("metricSourceId: metrics.id,");
        expect(program.match(/(log|trace)SourceId: \w+\.id/g)).to.have.length(dialect === "neutral" ? 1 : 2);
      });
    });

  it("pipestack import declares every channel of an alert", async () => {
    const second = "65f1c0a2b3d4e5f607182922";
    const webhook = [...fixture.sandbox.store.webhooks.values()][0];
    if (webhook) fixture.sandbox.store.webhooks.set(second, { ...webhook, id: second });
    const { channel, ...alert } = onSearch;
    await add("alerts", { ...alert, channels: [channel, { ...channel, webhookId: second }] });
    await add("alerts", { ...onSearch, name: "One" });
    const { resources, stderr } = await run();
    const alerts = resources.filter(({ type }) => type.endsWith(":Alert"));
    expect(alerts, stderr).to.have.length(2);
    const [several, one] = alerts.map(({ inputs }) => inputs);
    expect(several).to.have.property("channels").with.length(2);
    expect(several).to.not.have.property("channel");
    expect(one).to.deep.include({ channel }).and.not.have.property("channels");
  });

  it("pipestack import sends exactly one list request for each type", async () => {
    await fill();
    await run();
    const asked = fixture.sandbox.requests.map(({ api, operation }) => `${api} ${operation}`);
    const lists = types.map((type) => `observability ${resources[type].operations.list}`);
    expect(asked).to.include("observability listAlerts").and.have.members(lists);
  });

  it("pipestack import prints which types it imports, unless the command line names them", async () => {
    await fill();
    expect((await run()).stderr).to.equal(
      `note: importing only ${types.join(", ")}: the other types require keyId and keySecret\n`,
    );
    const { program, stderr } = await run(["--only", "Alert", "--force"]);
    expect(stderr).to.equal("");
    expect(program).to.include("new pipestack.Alert(").and.not.include("Dashboard(");
  });

  it("the placeholder for the URL of an imported webhook passes the check of every kind", async () => {
    const [webhook] = fixture.sandbox.store.webhooks.values();
    for (const service of ["generic", "slack", "incidentio"]) {
      Object.assign(webhook ?? {}, { service });
      const [{ inputs } = { inputs: {} }] = (await run(["--only", "Webhook", "--force"])).resources;
      const { __provider, url, ...others } = inputs as { __provider: string; url: { plaintext: string } };
      const declared = { ...others, url: JSON.parse(url.plaintext) };
      expect(failuresOf("Webhook", declared, { dialect: "clickhouse" }), service).to.deep.equal([]);
    }
  });

  it("pipestack import marks a webhook's URL as a placeholder until a refresh has found the real one", async () => {
    const [{ id, outputs } = { id: "", outputs: {} }] = (await run(["--only", "Webhook"])).resources;
    const resource: Resource = resources.Webhook;
    expect(trackingOf(outputs as PropertyMap).standIns).to.deep.equal(["url"]);
    const { session } = sessionOf(fixture.sandbox, { dialect: "clickhouse" });
    const found = await resource.read(id, outputs as PropertyMap, session);
    if (typeof found === "string") throw new Error(found);
    expect(trackingOf(found.state).standIns).to.equal(undefined);
  });

  const place = { organizationId: randomUUID(), serviceId: randomUUID() };
  const missing = /settings organizationId, .*keyId and keySecret are missing/;
  const refused: { readonly [what: string]: [string[], Record<string, string>, RegExp] } = {
    "for a type that the server does not have": [["--only", "ApiKey"], {}, missing],
    "for such a type even if the settings name a service": [
      ["--only", "ServiceScaling"],
      place,
      /settings keyId and keySecret are missing.*PIPESTACK_KEY_ID/,
    ],
    "without any credentials": [[], { accessToken: "" }, missing],
  };
  for (const [what, [args, settings, message]] of Object.entries(refused))
    it(`pipestack import does nothing but print an error if credentials for the types are missing: ${what}`, async () => {
      const { code, program, stderr } = await run(args, settings);
      expect([code, program]).to.deep.equal([1, ""]);
      expect(stderr)
        .to.match(/^error: /)
        .and.match(message);
      expect(fixture.sandbox.requests.filter(({ api }) => api === "management")).to.deep.equal([]);
    });
});
