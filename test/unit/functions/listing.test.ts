import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import { sourcesOfSlo } from "../../../provider/functions/sloSource";
import { plain } from "../../../provider/hosts/dynamic/functionCall";
import * as pipestack from "../../../provider/index";
import { failureOf } from "../api/failure";
import { requestsTo, resolved, sandboxedProgram } from "./sandboxedProgram";

function addCopy<Stored extends { id: string }>(
  objects: Map<string, Stored>,
  changed: Partial<Stored> & { id: string },
): void {
  const [seeded] = objects.values();
  if (!seeded) throw new Error("the sandbox has nothing to copy");
  objects.set(changed.id, { ...seeded, ...changed });
}

const messageOf = async (call: Promise<unknown>) => (await failureOf(call)).message;

describe("Functions that find one object", () => {
  const program = sandboxedProgram();

  it("a function finds an object by name, by kind or by both, from the list that other functions share", async () => {
    const [logs, traces] = await pipestack.getSources();
    expect(await pipestack.getSource({ name: "Logs" })).to.deep.equal(logs);
    expect(await pipestack.getSource({ kind: "trace" })).to.deep.equal(traces);
    expect(await pipestack.getSource({ name: "Traces", kind: "trace" })).to.deep.equal(traces);
    expect(await resolved(pipestack.getSourceOutput({ name: pulumi.output("Logs") }))).to.deep.equal(logs);
    const [, warnings] = await pipestack.getSavedSearches();
    expect(warnings).to.include({ name: "Warnings", where: "SeverityText:warn" });
    expect(await pipestack.getSavedSearch({ name: "Warnings" })).to.deep.equal(warnings);
    expect(await resolved(pipestack.getSavedSearchOutput({ name: "Warnings" }))).to.deep.equal(warnings);
    const slack = { id: "65f1c0a2b3d4e5f6071829aa", service: "slack" };
    addCopy(program.sandbox.store.webhooks, slack);
    const webhook = await pipestack.getWebhook({ name: "on-call", service: "slack" });
    expect(webhook).to.include({ ...slack, name: "on-call" });
    const output = pipestack.getWebhookOutput({ name: "on-call", service: "slack" });
    expect(await resolved(output)).to.deep.equal(webhook);
    expect(requestsTo(program.sandbox)).to.deep.equal(["GET sources", "GET saved-searches", "GET webhooks"]);
  });

  it("a function returns a connection without its password", async () => {
    const [connection] = program.sandbox.store.connections.values();
    if (connection) connection.password = "secret of the database";
    const found = await pipestack.getConnection({ name: "Default" });
    expect(found).to.include({ id: connection?.id, host: connection?.host, username: "default" });
    expect(await pipestack.getConnections()).to.deep.equal([found]);
    expect(await resolved(pipestack.getConnectionOutput({ name: "Default" }))).to.deep.equal(found);
    expect(JSON.stringify(found)).to.not.include("secret of the database");
    expect(requestsTo(program.sandbox)).to.deep.equal(["GET connections"]);
  });

  const sources = 'it has "Logs" (log), "Traces" (trace), "Metrics" (metric)';
  for (const [find, message] of [
    [
      () => pipestack.getSource({ name: "Logs", kind: "session" }),
      `getSource: the service has no source named "Logs" of kind "session"; ${sources}`,
    ],
    [
      () => pipestack.getWebhook({ name: "on-call", service: "slack" }),
      'getWebhook: the service has no webhook named "on-call" of service "slack"; it has "on-call" (generic)',
    ],
  ] as const)
    it(`a function fails if no object matches, and names the existing objects: ${message}`, async () => {
      expect(await messageOf(find())).to.equal(`pipestack.${message}`);
    });

  for (const [what, objects, find] of [
    ["source", "sources", () => pipestack.getSource({ name: "new" })],
    ["webhook", "webhooks", () => pipestack.getWebhook({ name: "new" })],
    ["connection", "connections", () => pipestack.getConnection({ name: "new" })],
    ["saved search", "savedSearches", () => pipestack.getSavedSearch({ name: "new" })],
  ] as const)
    it(`a function finds a ${what} that the same update has created after the list was read`, async () => {
      await failureOf(find());
      const id = "65f1c0a2b3d4e5f6071829ab";
      const { store } = program.sandbox;
      addCopy<{ id: string; name?: string | null }>(store[objects] as never, { id, name: "new" });
      expect((await find()).id).to.equal(id);
    });

  it("a function fails if several objects match, and names their ids", async () => {
    addCopy(program.sandbox.store.sources, { id: "65f1c0a2b3d4e5f6071829a1" });
    expect(await messageOf(pipestack.getSource({ name: "Logs" }))).to.equal(
      'pipestack.getSource: the service has 2 sources named "Logs": "Logs" (65f1c0a2b3d4e5f607182911), "Logs" (65f1c0a2b3d4e5f6071829a1); use the id of the one that is meant',
    );
  });

  it("the error of a function names at most ten objects, and shortens long names", async () => {
    for (let index = 0; index < 200; index++) {
      const id = `65f1c0a2b3d4e5f6071${String(index).padStart(5, "0")}`;
      addCopy(program.sandbox.store.savedSearches, { id, name: `${index} ${"long ".repeat(200)}` });
    }
    const message = await messageOf(pipestack.getSavedSearch({ name: "Slow" }));
    expect(message).to.match(/"0 long .*…" and 192 more$/);
    expect(message).to.have.length.below(1300);
  });

  it("a function that finds one object fails if the service has none", async () => {
    program.sandbox.store.savedSearches.clear();
    expect(await messageOf(pipestack.getSavedSearch({ name: "Slow" }))).to.equal(
      'pipestack.getSavedSearch: the service has no saved search named "Slow"; it has no saved searches at all',
    );
  });
});

describe("Functions that exist only for services of ClickHouse Cloud", () => {
  const cloud = sandboxedProgram("clickhouse");

  it("a function reads the settings of a service's database, with their warnings, by one request", async () => {
    const all = await pipestack.getServiceSettingsSchema();
    expect(all.map(({ name, type }) => `${name} ${type}`)).to.include("max_concurrent_queries UInt64");
    expect(all.find(({ name }) => name.startsWith("server."))?.warning).to.match(/restarts the replicas/);
    expect(await resolved(pipestack.getServiceSettingsSchemaOutput())).to.deep.equal(all);
    expect(requestsTo(cloud.sandbox)).to.deep.equal(["GET schema", "GET schema"]);
  });

  it("a function says that an idle service cannot show its pipes, and does not wake the service", async () => {
    const { store, credentials } = cloud.sandbox;
    Object.assign(store.services.get(credentials.serviceId) ?? {}, { state: "idle" });
    expect(await messageOf(pipestack.getPipes())).to.match(
      /the service must be running\. Current state: 'idle'/,
    );
    expect(cloud.sandbox.requests.every(({ method }) => method === "GET")).to.equal(true);
    expect(store.services.get(credentials.serviceId)?.state).to.equal("idle");
  });

  it("a function reads the connection data of a service's private endpoints by one request", async () => {
    const config = await pipestack.getPrivateEndpointConfig();
    expect(config.endpointServiceId).to.match(/^com\.amazonaws\.vpce\./);
    expect(config.privateDnsHostname).to.be.a("string");
    expect(await resolved(pipestack.getPrivateEndpointConfigOutput())).to.deep.equal(config);
    expect(requestsTo(cloud.sandbox)[0]).to.equal("GET privateEndpointConfig");
  });
});

describe("Functions of ClickHouse Cloud in the neutral dialect", () => {
  const server = sandboxedProgram();

  it("a function that only ClickHouse Cloud has fails in the neutral dialect without a request", async () => {
    const source = {
      objectStorage: { type: "s3", format: "CSV", url: "https://files.example.com/*" },
    } as const;
    const calls = [
      ...[pipestack.getServiceSettingsSchema(), pipestack.getPrivateEndpointConfig()],
      ...[pipestack.discoverPipeSchema({ source }), pipestack.getPipesContext()],
      ...[pipestack.getRoles(), pipestack.getRole({ name: "Reports" })],
    ];
    for (const call of calls)
      expect(await messageOf(call)).to.match(/only ClickHouse Cloud has this function: set dialect/);
    expect(server.sandbox.requests).to.deep.equal([]);
  });
});

describe("The sources of an Slo", () => {
  sandboxedProgram();

  it("an Slo in the neutral dialect fails in an error that names the Slo", async () => {
    const sources = plain({ ...sourcesOfSlo, subject: 'Slo "checkout"' });
    expect(await messageOf(sources({ sourceId: "1" }))).to.equal(
      'Slo "checkout": an Slo needs the setting dialect to be clickhouse',
    );
  });
});

describe("Functions about the roles of ClickHouse Cloud", () => {
  const program = sandboxedProgram("clickhouse");
  const reports = { id: "5e1d7c90-84ab-4f26-b3d9-6c0e2a9f1b11", name: "Reports", type: "custom" } as const;

  it("a function reads system and custom roles by one request, and another finds one by name", async () => {
    const all = await pipestack.getRoles();
    expect(all.map(({ name, type }) => `${name} (${type})`)).to.deep.equal([
      ...["admin (system)", "developer (system)", "query_endpoints (system)"],
      ...["Dashboards (custom)", "Reports (custom)", "Ingestion (custom)"],
    ]);
    expect(await resolved(pipestack.getRolesOutput())).to.deep.equal(all);
    expect(await pipestack.getRole({ name: "Reports" })).to.include(reports);
    expect(await resolved(pipestack.getRoleOutput({ name: pulumi.output("Reports") }))).to.include(reports);
    expect(requestsTo(program.sandbox)).to.deep.equal(["GET roles"]);
  });
});
