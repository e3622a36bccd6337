import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { send } from "../../serviceContents";
import { failureOf } from "../api/failure";
import { enveloped, useServer } from "../api/server";
import { requestsTo, resolved, sandboxedProgram } from "./sandboxedProgram";

type Listed = readonly { readonly id?: unknown; readonly name?: unknown }[];
const values = pipestack as unknown as { readonly [name: string]: (args?: object) => Promise<Listed> };
const outputs = pipestack as unknown as { readonly [name: string]: (args?: object) => pulumi.Output<Listed> };

function outputOf(name: string, args?: object): pulumi.Output<Listed> {
  return (outputs[`${name}Output`] as (args?: object) => pulumi.Output<Listed>)(args);
}

describe("Functions that read objects", () => {
  const program = sandboxedProgram();

  for (const [name, noun, stored] of [
    ["getReversePrivateEndpoints", "pipesReversePrivateEndpoints", "reversePrivateEndpoints"],
    ["getPipes", "pipes", "pipes"],
    ["getConnections", "connections", "connections"],
    ["getSources", "sources", "sources"],
    ["getSavedSearches", "saved-searches", "savedSearches"],
    ["getWebhooks", "webhooks", "webhooks"],
  ] as const)
    it(`the function ${name} reads ${noun} by one request, as values and as an output`, async () => {
      const all = (await values[name]?.()) ?? [];
      const { [stored]: records } = program.sandbox.store;
      expect(all.map(({ id, name }) => [id, name])).to.deep.equal(
        [...records.values()].map((record) => [record.id, "name" in record ? record.name : undefined]),
      );
      expect(await resolved(outputOf(name))).to.deep.equal(all);
      expect(requestsTo(program.sandbox)).to.deep.equal([`GET ${noun}`]);
    });

  it("getDashboards and getAlerts return the service's objects with the ids that connect them", async () => {
    const service = `/services/${program.sandbox.credentials.serviceId}/stack`;
    const create = (noun: string, body: object) =>
      send<{ id: string; tiles: { id: string }[] }>(program.sandbox, "POST", `${service}/${noun}`, body);
    const tile = { name: "Rows", x: 0, y: 0, w: 4, h: 4, series: [{ type: "number" }] };
    const { id: dashboard, tiles } = await create("dashboards", { name: "Ingestion", tiles: [tile] });
    const [webhookId] = program.sandbox.store.webhooks.keys();
    const alert = await create("alerts", {
      ...{ source: "tile", dashboardId: dashboard, tileId: tiles[0]?.id },
      ...{ threshold: 5, thresholdType: "above", interval: "5m", channel: { type: "webhook", webhookId } },
    });
    const dashboards = await pipestack.getDashboards();
    expect(dashboards.map(({ id, name, tiles: [tile] = [] }) => [id, name, tile?.id])).to.deep.equal([
      [dashboard, "Ingestion", tiles[0]?.id],
    ]);
    // The service's answer may have the dashboard's id under either of two names, so the function's result has both.
    const alerts = await pipestack.getAlerts();
    expect(alerts).to.have.length(1);
    expect(alerts[0]).to.include({ id: alert.id, threshold: 5, dashboard, dashboardId: dashboard });
    expect(await resolved(pipestack.getDashboardsOutput())).to.deep.equal(dashboards);
    expect(await resolved(pipestack.getAlertsOutput())).to.deep.equal(alerts);
  });

  it("the functions getPipe and getPipeSettings return a pipe and its settings as the service has them", async () => {
    const [pipe] = program.sandbox.store.pipes.values();
    const args = { pipeId: pipe?.id ?? "" };
    expect(await pipestack.getPipe(args)).to.deep.equal(pipe);
    expect(await pipestack.getPipeSettings(args)).to.deep.equal(pipe?.settings);
    const pipeId = pulumi.output(args.pipeId);
    expect(await resolved(pipestack.getPipeOutput({ pipeId }))).to.deep.equal(pipe);
    expect(await resolved(pipestack.getPipeSettingsOutput({ pipeId }))).to.deep.equal(pipe?.settings);
    expect(await pulumi.isSecret(pipestack.getPipeOutput({ pipeId: pulumi.secret(pipeId) }))).to.equal(true);
  });

  it("the function getPipes filters pipes by name, by state and by both, from one list", async () => {
    const namesOf = async (args: object) => (await pipestack.getPipes(args)).map(({ name }) => name);
    expect(await namesOf({ state: "Paused" })).to.deep.equal(["device-records"]);
    expect(await namesOf({ name: "orders-stream" })).to.deep.equal(["orders-stream"]);
    expect(await namesOf({ name: "orders-stream", state: "Paused" })).to.deep.equal([]);
    expect(await namesOf({ name: "orders" })).to.deep.equal([]);
    expect(program.sandbox.requests).to.have.length(1);
  });

  /** Provider functions that return a secret only on request, with arguments that request it. */
  const secretive = {
    getPipes: () => storage(),
    getPipe: () => ({ ...storage(), args: { pipeId: storage().id } }),
    getWebhooks: () => webhook(),
    getWebhook: () => ({ ...webhook(), args: { name: "on-call" } }),
  };
  function storage() {
    const pipe = [...program.sandbox.store.pipes.values()].find(({ source }) => source.objectStorage);
    const secret = pipe?.source.objectStorage?.connectionString ?? "";
    return { id: pipe?.id ?? "", member: "connectionString", secret, args: {} };
  }
  function webhook() {
    const [{ id = "", url = "" } = {}] = program.sandbox.store.webhooks.values();
    return { id, member: "url", secret: url, args: {} };
  }
  for (const [name, find] of Object.entries(secretive))
    it(`the function ${name} returns secrets only on request, and then as secret outputs`, async () => {
      const { id, member, secret, args } = find();
      const isSecret = (args: object) => pulumi.isSecret(outputOf(name, args).apply((all) => all));
      const call = values[name] as (args: object) => Promise<Listed>;
      const whole = await call({ ...args, includeSecrets: true });
      expect(JSON.stringify(whole)).to.include(id).and.include(JSON.stringify(secret));
      const text = JSON.stringify(whole, (key, value) =>
        key === member && value === secret ? undefined : value,
      );
      for (const plain of [
        await call(args),
        await call({ ...args, includeSecrets: false }),
        await resolved(outputOf(name, args)),
      ])
        expect(plain).to.deep.equal(JSON.parse(text));
      expect(text).to.not.include(secret);
      expect([await isSecret(args), await isSecret({ ...args, includeSecrets: false })]).to.deep.equal([
        false,
        false,
      ]);
      for (const includeSecrets of [true, pulumi.output(Promise.resolve(true))])
        expect(await isSecret({ ...args, includeSecrets })).to.equal(true);
    });

  describe("Functions about a server that shows credentials", () => {
    const server = useServer();
    const password = "secret of the broker";

    it("functions return pipes without their credentials, at any depth of the source", async () => {
      pulumi.runtime.setConfig("pipestack:baseUrl", server.current.url);
      const id = "f4b7a1de-8a0d-4f2e-9b53-2d1c7a9e4b10";
      const credentials = { username: "reader", password };
      const kafka = { topics: "orders", credentials, schemaRegistry: { url: "https://r", credentials } };
      const pipe = { id, name: "orders", state: "Running", source: { kafka } };
      server.current.answer(enveloped([pipe]), enveloped(pipe));
      for (const found of [await pipestack.getPipes(), await pipestack.getPipe({ pipeId: id })])
        expect(JSON.stringify(found)).to.include("orders").and.to.not.include(password);
    });

    it("functions return connections without their passwords", async () => {
      pulumi.runtime.setConfig("pipestack:obsBaseUrl", server.current.url);
      const connection = {
        id: "65f1c0a2b3d4e5f607182921",
        name: "Default",
        host: "h",
        username: "u",
        password,
      };
      server.current.answer({ body: { data: [connection] } });
      const { password: _, ...open } = connection;
      expect(await pipestack.getConnections()).to.deep.equal([open]);
      expect(await pipestack.getConnection({ name: "Default" })).to.deep.equal(open);
    });
  });

  it("the error of a function leads to the program that calls it, and not into the package", async () => {
    const { stack = "" } = await failureOf(pipestack.getSource({ name: "none such" }));
    expect(stack).to.include("the service has no source named").and.include(__filename);
    expect(stack).not.to.match(/[\\/]provider[\\/]/);
  });

  describe("Functions when one process runs several programs", () => {
    const beginRun = (engine: string) =>
      pulumi.runtime.resetOptions("test", "dev", -1, "", engine, false, "");

    beforeEach(() => beginRun("127.0.0.1:1"));
    after(() => beginRun(""));

    it("functions read the service again in each run of a program", async () => {
      expect(await pipestack.getPipes()).to.have.length(4);
      program.sandbox.store.pipes.clear();
      beginRun("127.0.0.1:1");
      expect(await pipestack.getPipes()).to.have.length(0);
      expect(await pipestack.getPipes({ state: "Paused" })).to.have.length(0);
      expect(requestsTo(program.sandbox), "one list for each run").to.deep.equal(["GET pipes", "GET pipes"]);
    });
  });
});
