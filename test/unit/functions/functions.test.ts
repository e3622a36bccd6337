import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { createSandbox, type Sandbox } from "../../../sandbox/src";
import { settingsOf } from "../../serviceContents";
import { known, sandboxedProgram } from "./sandboxedProgram";

describe("Functions", () => {
  const program = sandboxedProgram();
  let sandbox: Sandbox;

  beforeEach(() => {
    ({ sandbox } = program);
  });

  const asked = (of = sandbox) => of.requests.map(({ method, path }) => `${method} ${path.split("/").pop()}`);
  const services = () => `/v1/organizations/${sandbox.credentials.organizationId}/services`;

  /** The pipe of the sandbox that reads from object storage, whose connection string is a secret. */
  function storagePipe() {
    const pipe = [...sandbox.store.pipes.values()].find(({ source }) => source.objectStorage);
    if (!pipe?.source.objectStorage) throw new Error("the sandbox has no pipe from object storage");
    return { id: pipe.id, name: pipe.name, connectionString: pipe.source.objectStorage.connectionString };
  }

  describe("getPipes", () => {
    it("reads the pipes of every kind of source in one request", async () => {
      const pipes = await pipestack.getPipes();
      const kinds = pipes.flatMap(({ source }) => Object.keys(source));
      expect(kinds).to.deep.equal(["kafka", "objectStorage", "kinesis", "postgres"]);
      expect(sandbox.requests.map(({ method, path }) => `${method} ${path}`)).to.deep.equal([
        `GET ${services()}/${sandbox.credentials.serviceId}/pipes`,
      ]);
    });

    it("filters by name, by state and by both", async () => {
      const namesOf = async (args: object) => (await pipestack.getPipes(args)).map(({ name }) => name);
      expect(await namesOf({ state: "Paused" })).to.deep.equal(["device-records"]);
      expect(await namesOf({ name: "orders-stream" })).to.deep.equal(["orders-stream"]);
      expect(await namesOf({ name: "orders-stream", state: "Paused" })).to.deep.equal([]);
      expect(await namesOf({ name: "orders" })).to.deep.equal([]);
      expect(asked(), "one list for all").to.deep.equal(["GET pipes"]);
    });

    it("reads another service where the arguments name one", async () => {
      const serviceId = sandbox.credentials.secondServiceId;
      expect(await pipestack.getPipes({ serviceId })).to.deep.equal([]);
      expect(sandbox.requests[0]?.path).to.equal(`${services()}/${serviceId}/pipes`);
    });
  });

  describe("connection strings", () => {
    it("are left out unless they are asked for", async () => {
      const { id, connectionString } = storagePipe();
      const results = [
        await pipestack.getPipes(),
        await pipestack.getPipe({ pipeId: id }),
        await pipestack.getPipes({ includeSecrets: false }),
        await known(pipestack.getPipeOutput({ pipeId: id })),
        await known(pipestack.getPipesOutput()),
      ];
      expect(JSON.stringify(results)).to.include("clickstream-files").and.not.include(connectionString);
      expect(JSON.stringify(results)).not.to.include("connectionString");
    });

    it("are there with includeSecrets, and leave everything else as it is", async () => {
      const { id, connectionString } = storagePipe();
      const pipe = await pipestack.getPipe({ pipeId: id, includeSecrets: true });
      expect(pipe.source.objectStorage?.connectionString).to.equal(connectionString);
      const { connectionString: _, ...rest } = pipe.source.objectStorage ?? {};
      const without = await pipestack.getPipe({ pipeId: id });
      expect(without).to.deep.equal({ ...pipe, source: { objectStorage: rest } });
      const pipes = await pipestack.getPipes({ includeSecrets: true });
      expect(pipes.map(({ source }) => source.objectStorage?.connectionString)).to.include(connectionString);
    });

    it("make an output secret, also where includeSecrets is an output itself", async () => {
      const { id } = storagePipe();
      const includeSecrets = pulumi.output(Promise.resolve(true));
      expect(await pulumi.isSecret(pipestack.getPipeOutput({ pipeId: id, includeSecrets: true }))).to.equal(
        true,
      );
      expect(await pulumi.isSecret(pipestack.getPipeOutput({ pipeId: id, includeSecrets }))).to.equal(true);
      expect(await pulumi.isSecret(pipestack.getPipesOutput({ includeSecrets: true }))).to.equal(true);
      const names = pipestack.getPipesOutput({ includeSecrets: true }).apply(([pipe]) => pipe?.name);
      expect(await pulumi.isSecret(names)).to.equal(true);
    });

    it("do not make an output secret that has none", async () => {
      expect(await pulumi.isSecret(pipestack.getPipeOutput({ pipeId: storagePipe().id }))).to.equal(false);
      expect(await pulumi.isSecret(pipestack.getPipesOutput({ includeSecrets: false }))).to.equal(false);
    });
  });

  it("make an output secret whose arguments are secret", async () => {
    const pipeId = pulumi.secret(storagePipe().id);
    expect(await pulumi.isSecret(pipestack.getPipeOutput({ pipeId }))).to.equal(true);
  });

  describe("getPipe and getPipeSettings", () => {
    it("read one pipe and its settings as the service has them", async () => {
      const [pipe] = sandbox.store.pipes.values();
      const pipeId = pulumi.output(pipe?.id ?? "");
      expect(await pipestack.getPipe({ pipeId: pipe?.id ?? "" })).to.deep.equal(pipe);
      expect(await pipestack.getPipeSettings({ pipeId: pipe?.id ?? "" })).to.deep.equal(pipe?.settings);
      expect(await known(pipestack.getPipeOutput({ pipeId }))).to.deep.equal(pipe);
      expect(await known(pipestack.getPipeSettingsOutput({ pipeId }))).to.deep.equal(pipe?.settings);
    });

    it("fail for a pipe that does not exist, naming function, request and reason", async () => {
      const pipeId = "00000000-0000-4000-8000-000000000000";
      const error = await pipestack.getPipe({ pipeId }).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.match(
        new RegExp(
          `^pipestack\\.getPipe: .*not found \\(getPipe: GET /v1/.*/pipes/${pipeId} answered 404.*\\)`,
        ),
      );
    });
  });

  it("read reverse private endpoints, sources and webhooks", async () => {
    const endpoints = await pipestack.getReversePrivateEndpoints();
    expect(endpoints).to.deep.equal([...sandbox.store.reversePrivateEndpoints.values()]);
    expect((await pipestack.getSources()).map(({ name }) => name)).to.deep.equal([
      "Logs",
      "Traces",
      "Metrics",
    ]);
    expect((await pipestack.getWebhooks()).map(({ name }) => name)).to.deep.equal(["on-call"]);
    expect(await known(pipestack.getReversePrivateEndpointsOutput())).to.deep.equal(endpoints);
    expect(await known(pipestack.getSourcesOutput())).to.have.length(3);
    expect(await known(pipestack.getWebhooksOutput())).to.have.length(1);
    expect(asked()).to.deep.equal(["GET pipesReversePrivateEndpoints", "GET sources", "GET webhooks"]);
  });

  describe("that find one object", () => {
    const failureOf = (call: Promise<unknown>) =>
      call.then(
        () => "no error",
        ({ message }: Error) => message,
      );
    const source = (id: string, name: string, kind: "log" | "trace") => {
      const [seeded] = sandbox.store.sources.values();
      if (!seeded) throw new Error("the sandbox has no source");
      sandbox.store.sources.set(id, { ...seeded, id, name, kind });
    };
    const webhook = (id: string, name: string, service: string) => {
      const [seeded] = sandbox.store.webhooks.values();
      if (!seeded) throw new Error("the sandbox has no webhook");
      sandbox.store.webhooks.set(id, { ...seeded, id, name, service });
    };

    it("answer it by its name, its kind or both, from the list that the others read", async () => {
      const [logs, traces] = await pipestack.getSources();
      expect(await pipestack.getSource({ name: "Logs" })).to.deep.equal(logs);
      expect(await pipestack.getSource({ kind: "trace" })).to.deep.equal(traces);
      expect(await pipestack.getSource({ name: "Traces", kind: "trace" })).to.deep.equal(traces);
      expect(await known(pipestack.getSourceOutput({ name: pulumi.output("Logs") }))).to.deep.equal(logs);
      const [, warnings] = await pipestack.getSavedSearches();
      expect(warnings).to.include({ name: "Warnings", where: "SeverityText:warn" });
      expect(await pipestack.getSavedSearch({ name: "Warnings" })).to.deep.equal(warnings);
      expect(await known(pipestack.getSavedSearchOutput({ name: "Warnings" }))).to.deep.equal(warnings);
      expect(await known(pipestack.getSavedSearchesOutput())).to.have.length(2);
      webhook("65f1c0a2b3d4e5f6071829aa", "on-call", "slack");
      const found = await pipestack.getWebhook({ name: "on-call", service: "slack" });
      expect(found).to.include({ id: "65f1c0a2b3d4e5f6071829aa", name: "on-call", service: "slack" });
      expect(await known(pipestack.getWebhookOutput({ name: "on-call", service: "slack" }))).to.deep.equal(
        found,
      );
      expect(asked()).to.deep.equal(["GET sources", "GET saved-searches", "GET webhooks"]);
    });

    it("answer a connection by its name, without its password", async () => {
      const [connection] = sandbox.store.connections.values();
      if (connection) connection.password = "secret of the database";
      const found = await pipestack.getConnection({ name: "Default" });
      expect(found).to.include({ id: connection?.id, host: connection?.host, username: "default" });
      expect(await pipestack.getConnections()).to.deep.equal([found]);
      expect(await known(pipestack.getConnectionOutput({ name: "Default" }))).to.deep.equal(found);
      expect(await known(pipestack.getConnectionsOutput())).to.deep.equal([found]);
      expect(JSON.stringify(found)).to.not.include("secret of the database");
      expect(asked()).to.deep.equal(["GET connections"]);
      expect(await failureOf(pipestack.getConnection({ name: "Replica" }))).to.equal(
        'pipestack.getConnection: the service has no connection named "Replica"; it has "Default"',
      );
    });

    it("fail where there is none, and say what there is", async () => {
      for (const [call, message] of [
        [
          pipestack.getSource({ name: "Log" }),
          'getSource: the service has no source named "Log"; it has "Logs" (log), "Traces" (trace), "Metrics" (metric)',
        ],
        [
          pipestack.getSource({ name: "Logs", kind: "session" }),
          'getSource: the service has no source named "Logs" of kind "session"; it has "Logs" (log), "Traces" (trace), "Metrics" (metric)',
        ],
        [
          pipestack.getSavedSearch({ name: "Slow" }),
          'getSavedSearch: the service has no saved search named "Slow"; it has "Errors", "Warnings"',
        ],
        [
          pipestack.getWebhook({ name: "on-call", service: "slack" }),
          'getWebhook: the service has no webhook named "on-call" of service "slack"; it has "on-call" (generic)',
        ],
      ] as const)
        expect(await failureOf(call)).to.equal(`pipestack.${message}`);
    });

    it("fail where there are several, and tell them apart by their ids", async () => {
      source("65f1c0a2b3d4e5f6071829a1", "Logs", "log");
      expect(await failureOf(pipestack.getSource({ name: "Logs" }))).to.equal(
        'pipestack.getSource: the service has 2 sources named "Logs": "Logs" (65f1c0a2b3d4e5f607182911), "Logs" (65f1c0a2b3d4e5f6071829a1); use the id of the one that is meant',
      );
    });

    it("name ten of many, and no more of a long name than one reads", async () => {
      const { savedSearches } = sandbox.store;
      const [seeded] = savedSearches.values();
      for (let index = 0; index < 200; index++) {
        const id = `65f1c0a2b3d4e5f6071${String(index).padStart(5, "0")}`;
        if (seeded) savedSearches.set(id, { ...seeded, id, name: `${index} ${"long ".repeat(200)}` });
      }
      const message = await failureOf(pipestack.getSavedSearch({ name: "Slow" }));
      expect(message).to.match(/"0 long .*…" and 192 more$/);
      expect(message).to.have.length.below(1300);
    });

    it("fail where there is nothing at all", async () => {
      sandbox.store.savedSearches.clear();
      expect(await failureOf(pipestack.getSavedSearch({ name: "Slow" }))).to.equal(
        'pipestack.getSavedSearch: the service has no saved search named "Slow"; it has no saved searches at all',
      );
    });
  });

  describe("the addresses of webhooks", () => {
    const url = () => [...sandbox.store.webhooks.values()][0]?.url ?? "";

    it("are left out unless they are asked for", async () => {
      const results = [
        await pipestack.getWebhooks(),
        await pipestack.getWebhook({ name: "on-call" }),
        await known(pipestack.getWebhooksOutput({ includeSecrets: false })),
      ];
      expect(JSON.stringify(results)).to.include("on-call").and.not.include(url());
      expect(await pulumi.isSecret(pipestack.getWebhooksOutput())).to.equal(false);
      expect(await pulumi.isSecret(pipestack.getWebhookOutput({ name: "on-call" }).id)).to.equal(false);
    });

    it("are there with includeSecrets, which makes an output secret", async () => {
      expect((await pipestack.getWebhooks({ includeSecrets: true })).map((one) => one.url)).to.deep.equal([
        url(),
      ]);
      expect(await pipestack.getWebhook({ name: "on-call", includeSecrets: true })).to.include({
        url: url(),
      });
      expect(await pulumi.isSecret(pipestack.getWebhooksOutput({ includeSecrets: true }))).to.equal(true);
      const output = pipestack.getWebhookOutput({ name: "on-call", includeSecrets: true });
      expect(await pulumi.isSecret(output.apply((webhook) => webhook.url))).to.equal(true);
    });
  });

  it("read dashboards and alerts", async () => {
    const { serviceId, organizationId, keyId, keySecret } = sandbox.credentials;
    const create = async (collection: string, body: object) => {
      const response = await fetch(
        `${sandbox.baseUrl}/v1/organizations/${organizationId}/services/${serviceId}/stack/${collection}`,
        {
          method: "POST",
          headers: {
            authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
            "content-type": "application/json",
          },
          body: JSON.stringify(body),
        },
      );
      expect(response.status).to.equal(200);
      return ((await response.json()) as { result: { id: string; tiles?: { id: string }[] } }).result;
    };
    const dashboard = await create("dashboards", {
      name: "Ingestion",
      tiles: [{ name: "Rows", x: 0, y: 0, w: 4, h: 4, series: [{ type: "number" }] }],
    });
    const [webhook] = await pipestack.getWebhooks();
    const alert = await create("alerts", {
      source: "tile",
      dashboardId: dashboard.id,
      tileId: dashboard.tiles?.[0]?.id,
      threshold: 5,
      thresholdType: "above",
      interval: "5m",
      channel: { type: "webhook", webhookId: webhook?.id },
    });

    const dashboards = await pipestack.getDashboards();
    expect(dashboards.map(({ id, name }) => ({ id, name }))).to.deep.equal([
      { id: dashboard.id, name: "Ingestion" },
    ]);
    expect(dashboards[0]?.tiles?.[0]?.id).to.equal(dashboard.tiles?.[0]?.id);
    const alerts = await pipestack.getAlerts();
    expect(alerts.map(({ id, threshold }) => ({ id, threshold }))).to.deep.equal([
      { id: alert.id, threshold: 5 },
    ]);
    // Whichever of the two names the service has.
    for (const name of ["dashboard", "dashboardId"] as const)
      expect(alerts[0]?.[name], name).to.equal(dashboard.id);
    expect(await known(pipestack.getDashboardsOutput())).to.deep.equal(dashboards);
    expect(await known(pipestack.getAlertsOutput())).to.deep.equal(alerts);
  });

  describe("in a process that runs several programs, as one with the Automation API", () => {
    const beginRun = (engine: string) =>
      pulumi.runtime.resetOptions("test", "dev", -1, "", engine, false, "");

    beforeEach(() => beginRun("127.0.0.1:1"));
    after(() => beginRun(""));

    it("show each run what the service has by then", async () => {
      expect(await pipestack.getPipes()).to.have.length(4);
      sandbox.store.pipes.clear();
      beginRun("127.0.0.1:1");
      expect(await pipestack.getPipes()).to.have.length(0);
      expect(await pipestack.getPipes({ state: "Paused" })).to.have.length(0);
      expect(asked(), "one list for each run").to.deep.equal(["GET pipes", "GET pipes"]);
    });

    it("do not fail once a failure of an earlier run is over", async () => {
      await sandbox.faults.set([{ kind: "403", operation: "listPipes", nth: 1 }]);
      const failure = await pipestack.getPipes().catch((error: Error) => error.message);
      await sandbox.faults.set([]);
      expect(failure).to.include("answered 403");
      beginRun("127.0.0.1:1");
      expect(await pipestack.getPipes()).to.have.length(4);
    });
  });

  it("say which operation they need where only documented operations may be used", async () => {
    process.env.PIPESTACK_OPERATIONS = "documented";
    try {
      const error = await pipestack.getAlerts().then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.equal(
        'pipestack.getAlerts: listAlerts is an undocumented operation, which "operations: documented" forbids',
      );
      expect(await pipestack.getDashboards()).to.deep.equal([]);
      expect(asked()).to.deep.equal(["GET dashboards"]);
    } finally {
      delete process.env.PIPESTACK_OPERATIONS;
    }
  });

  describe("with an explicit provider", () => {
    let other: Sandbox;

    before(async () => {
      other = await createSandbox();
    });

    after(() => other.close());

    it("use its settings, and each provider its own", async () => {
      const explicit = new pipestack.Provider("other", settingsOf(other));
      const narrowed = new pipestack.Provider("second-service", {
        ...settingsOf(other),
        serviceId: pulumi.output(other.credentials.secondServiceId),
        keySecret: pulumi.secret(other.credentials.keySecret),
      });
      expect(await pipestack.getPipes({}, { provider: explicit })).to.have.length(4);
      expect(await known(pipestack.getPipesOutput({}, { provider: narrowed }))).to.have.length(0);
      await pipestack.getSources();
      expect(asked()).to.deep.equal(["GET sources"]);
      const { serviceId, secondServiceId } = other.credentials;
      expect(other.requests.map(({ path }) => path)).to.deep.equal([
        `${services()}/${serviceId}/pipes`,
        `${services()}/${secondServiceId}/pipes`,
      ]);
    });

    it("take what it does not say from the stack's configuration", async () => {
      other.requests.length = 0;
      const { baseUrl } = other;
      const provider = new pipestack.Provider("partly-given", { baseUrl });
      expect(await pipestack.getWebhooks({}, { provider })).to.have.length(1);
      expect(asked(other)).to.deep.equal(["GET webhooks"]);
      expect(asked()).to.deep.equal([]);
    });

    it("do not make an output secret because its settings are", async () => {
      const provider = new pipestack.Provider("secretive", settingsOf(other));
      const output = pipestack.getPipesOutput({}, { provider });
      expect(await pulumi.isSecret(output)).to.equal(false);
    });

    it("name a wrong setting of it, before any request and without its value if that is secret", async () => {
      other.requests.length = 0;
      const provider = new pipestack.Provider("wrong", { ...settingsOf(other), accessToken: "two words" });
      const error = await pipestack.getPipes({}, { provider }).then(
        () => undefined,
        (reason: Error) => reason,
      );
      expect(error?.message).to.match(/^pipestack\.getPipes: setting accessToken must be printable ASCII/);
      expect(error?.message).not.to.include("two words");
      expect(asked(other)).to.deep.equal([]);
    });
  });
});
