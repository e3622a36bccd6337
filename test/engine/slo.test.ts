import { expect } from "chai";
import { calls, forget, useFixture } from "./fixture";
import { hostUnlessTold } from "./pluginHost";

const program = (more = "", args = "") => `
const source = new Source("traces", {
  name: "Requests", kind: "trace", connection: "65f1c0a2b3d4e5f607182900",
  from: { databaseName: "otel", tableName: "requests" }, timestampValueExpression: "Timestamp",
  durationExpression: "Duration", durationPrecision: 9, traceIdExpression: "TraceId", spanIdExpression: "SpanId",
  parentSpanIdExpression: "ParentSpanId", spanNameExpression: "SpanName", spanKindExpression: "SpanKind",
  defaultTableSelectExpression: "Timestamp",
});
const webhook = new Webhook("pager", { service: "generic", url: "https://hooks.example.com/on-call" });
const channel = { type: "webhook", webhookId: webhook.id };
const slo = new Slo("checkout", {
  objective: 99.9, sourceId: source.id, good: "StatusCode != 'Error'", runbook: "Look at the last release.",
  page: { channel }, ticket: { channel }, ${args}
});
exports.dashboardId = slo.dashboardId;
exports.alertIds = slo.alertIds;
exports.url = slo.url;
${more}`;

const host = hostUnlessTold("plugin");

describe("The component Slo in the engine", () => {
  const fixture = useFixture({ host, sandbox: { dialect: "clickhouse" } });
  const alerts = () => [...fixture.sandbox.store.alerts.values()];
  const board = () => [...fixture.sandbox.store.dashboards.values()].at(-1);

  before(async () => {
    fixture.sandbox.store.alerts.clear();
    fixture.sandbox.store.dashboards.clear();
  });

  it("an SLO shows its dashboard and alerts in the first preview, although their source does not exist yet", async () => {
    await fixture.write(program());
    const { summary } = await fixture.preview();
    expect(summary).to.deep.equal({ create: 9 });
    await fixture.up();
    const tiles = board()?.tiles ?? [];
    expect(tiles.map(({ name }) => name)).to.deep.equal([
      "Error budget left",
      ...["Burn rate, 1h and 5m", "Burn rate, 6h and 30m", "Burn rate, 1d and 2h", "Burn rate, 3d and 6h"],
      ...["Burn rate over time", "Objective"],
    ]);
    const first = tiles[1];
    expect(first?.config?.sqlTemplate)
      .to.include("FROM `otel`.`requests`")
      .and.include("StatusCode != 'Error'");
    expect(first?.config?.connectionId).to.equal("65f1c0a2b3d4e5f607182900");
    expect(alerts().map(({ threshold, interval }) => [threshold, interval])).to.have.deep.members([
      [14.4, "1m"],
      [6, "5m"],
      [3, "15m"],
      [1, "1h"],
    ]);
    const outputs = await fixture.outputs();
    expect(outputs.dashboardId).to.equal(board()?.id);
    expect(outputs.url).to.equal(
      `https://hyperdx.clickhouse.cloud/dashboards/${board()?.id}?chcServiceId=${board()?.serviceId}`,
    );
    expect(Object.keys(outputs.alertIds as object)).to.have.members(["1h", "6h", "1d", "3d"]);
    const page = alerts().find(({ threshold }) => threshold === 14.4);
    expect(page).to.deep.include({ tileId: first?.id, note: "Look at the last release." });
  });

  const secret = "Call 555-0199 at night";
  const withOther = (isProtected: boolean) =>
    program(`new Slo("other", {
  objective: 99, sourceId: source.id, good: "1", runbook: pulumi.secret(${JSON.stringify(secret)}),
  page: { channel }, ticket: { enabled: false },
}, { provider: new Provider("own", {}), protect: ${isProtected} });`);

  it("an argument of an SLO that concerns only its dashboard changes nothing else", async () => {
    forget(fixture.sandbox);
    await fixture.apply(withOther(true).replace("good:", `tags: ["checkout"], good:`), {
      args: ["--refresh"],
    });
    const sent = calls(fixture.sandbox).filter((line) => !/^GET|^POST|validate$/.test(line));
    expect(sent).to.deep.equal(["PUT /clickstack/dashboards/{id}"]);
  });

  it("the state encrypts a secret text of an SLO that the service has", async () => {
    expect(JSON.stringify(await fixture.exportState())).to.not.include(secret);
    expect(JSON.stringify([...fixture.sandbox.store.dashboards.values()])).to.include(secret);
  });

  it("an SLO deletes the alerts of a disabled severity", async () => {
    await fixture.write(withOther(false).replace("ticket: { channel }", "ticket: { enabled: false }"));
    const { summary } = await fixture.up();
    expect(summary.delete).to.equal(2);
    // Only alerts of the severity `ticket` are deleted: each of the two SLOs keeps its two alerts of the severity `page`.
    expect(alerts()).to.have.length(4);
  });

  it("destroy deletes all objects of an SLO", async () => {
    await fixture.destroy();
    expect(alerts()).to.deep.equal([]);
    expect(board()).to.equal(undefined);
  });

  if (host === "plugin")
    it("the plugin takes over an SLO of the dynamic host without a write", async () => {
      await fixture.apply(`Object.assign(globalThis, require("pipestack"));${program()}`);
      forget(fixture.sandbox);
      await fixture.apply(program());
      expect(calls(fixture.sandbox).filter((line) => !line.startsWith("GET"))).to.deep.equal([]);
      expect((await fixture.resource("checkout-1h")).type).to.equal("pipestack:index:Alert");
    });
});
