import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { send } from "../../serviceContents";
import { asked, known, sandboxedProgram } from "./sandboxedProgram";

describe("functions", () => {
  const program = sandboxedProgram();

  it("read reverse private endpoints, sources and webhooks", async () => {
    const endpoints = await pipestack.getReversePrivateEndpoints();
    expect(endpoints).to.deep.equal([...program.sandbox.store.reversePrivateEndpoints.values()]);
    const sources = await pipestack.getSources();
    expect(sources.map(({ name }) => name)).to.deep.equal(["Logs", "Traces", "Metrics"]);
    expect((await pipestack.getWebhooks()).map(({ name }) => name)).to.deep.equal(["on-call"]);
    expect(await known(pipestack.getReversePrivateEndpointsOutput())).to.deep.equal(endpoints);
    expect(await known(pipestack.getSourcesOutput())).to.have.length(3);
    expect(await known(pipestack.getWebhooksOutput())).to.have.length(1);
    expect(asked(program.sandbox)).to.deep.equal([
      "GET pipesReversePrivateEndpoints",
      "GET sources",
      "GET webhooks",
    ]);
  });

  describe("of webhooks", () => {
    const url = () => [...program.sandbox.store.webhooks.values()][0]?.url ?? "";

    it("leave their addresses out by default", async () => {
      const results = [
        await pipestack.getWebhooks(),
        await pipestack.getWebhook({ name: "on-call" }),
        await known(pipestack.getWebhooksOutput({ includeSecrets: false })),
      ];
      expect(JSON.stringify(results)).to.include("on-call").and.not.include(url());
      expect(await pulumi.isSecret(pipestack.getWebhooksOutput())).to.equal(false);
      expect(await pulumi.isSecret(pipestack.getWebhookOutput({ name: "on-call" }).id)).to.equal(false);
    });

    it("answer their addresses with includeSecrets, as secret outputs", async () => {
      const all = await pipestack.getWebhooks({ includeSecrets: true });
      expect(all.map((one) => one.url)).to.deep.equal([url()]);
      const one = await pipestack.getWebhook({ name: "on-call", includeSecrets: true });
      expect(one).to.include({ url: url() });
      expect(await pulumi.isSecret(pipestack.getWebhooksOutput({ includeSecrets: true }))).to.equal(true);
      const output = pipestack.getWebhookOutput({ name: "on-call", includeSecrets: true });
      expect(await pulumi.isSecret(output.apply((webhook) => webhook.url))).to.equal(true);
    });
  });

  it("read dashboards and alerts", async () => {
    interface Made {
      id: string;
      tiles: { id: string }[];
    }
    const create = (noun: string, body: object) =>
      send<Made>(
        program.sandbox,
        "POST",
        `/services/${program.sandbox.credentials.serviceId}/stack/${noun}`,
        body,
      );
    const series = [{ type: "number" }];
    const dashboard = await create("dashboards", {
      ...{ name: "Ingestion", tiles: [{ name: "Rows", x: 0, y: 0, w: 4, h: 4, series }] },
    });
    const [webhook] = await pipestack.getWebhooks();
    const alert = await create("alerts", {
      ...{ source: "tile", dashboardId: dashboard.id, tileId: dashboard.tiles[0]?.id },
      ...{ threshold: 5, thresholdType: "above", interval: "5m" },
      channel: { type: "webhook", webhookId: webhook?.id },
    });

    const dashboards = await pipestack.getDashboards();
    expect(dashboards.map(({ id, name }) => ({ id, name }))).to.deep.equal([
      { id: dashboard.id, name: "Ingestion" },
    ]);
    expect(dashboards[0]?.tiles?.[0]?.id).to.equal(dashboard.tiles[0]?.id);
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

  describe("in a process that runs several programs", () => {
    const beginRun = (engine: string) =>
      pulumi.runtime.resetOptions("test", "dev", -1, "", engine, false, "");

    beforeEach(() => beginRun("127.0.0.1:1"));
    after(() => beginRun(""));

    it("read the service anew in each run", async () => {
      expect(await pipestack.getPipes()).to.have.length(4);
      program.sandbox.store.pipes.clear();
      beginRun("127.0.0.1:1");
      expect(await pipestack.getPipes()).to.have.length(0);
      expect(await pipestack.getPipes({ state: "Paused" })).to.have.length(0);
      expect(asked(program.sandbox), "one list for each run").to.deep.equal(["GET pipes", "GET pipes"]);
    });

    it("forget the failure of an earlier run", async () => {
      await program.sandbox.faults.set([{ kind: "403", operation: "listPipes", nth: 1 }]);
      const failure = await pipestack.getPipes().catch((error: Error) => error.message);
      await program.sandbox.faults.set([]);
      expect(failure).to.include("answered 403");
      beginRun("127.0.0.1:1");
      expect(await pipestack.getPipes()).to.have.length(4);
    });
  });
});
