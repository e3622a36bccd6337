import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { calls, expectNoSecrets, forget, useFixture } from "./fixture";

const checkout = join(__dirname, "..", "..");
// The Pulumi.yaml of the repository, with the path of its program in the checkout.
const projectFile = readFileSync(join(checkout, "Pulumi.yaml"), "utf8").replace(
  /^main: (.*)$/m,
  (_, main: string) => `main: ${JSON.stringify(join(checkout, main))}`,
);

const dataFunctions = [
  "GET /stack/sources",
  "GET /pipes",
  "GET /pipesReversePrivateEndpoints",
  "POST /api/v2/charts/series",
];
const creations = [
  "PATCH /scaling",
  "POST /keys",
  "POST /serviceQueryEndpoint",
  "POST /stack/sources",
  "POST /stack/webhooks",
  "POST /stack/dashboards",
  "POST /stack/saved-searches",
  "POST /stack/alerts",
];

describe("The program of the quickstart", () => {
  const fixture = useFixture({ host: "dynamic", projectFile });
  const secrets: unknown[] = [];

  const store = () => fixture.sandbox.store;
  const reportingKeys = () => [...store().keys.values()].filter(({ name }) => name === "reporting");
  const asked = () => calls(fixture.sandbox).filter((line) => !dataFunctions.includes(line));

  it("the first preview of the quickstart only reads, and shows every resource", async () => {
    const { summary } = await fixture.preview();
    expect(summary).to.deep.equal({ create: 8 });
    // The preview looks whether the service already has a scaling and a query endpoint, since the update would take them over.
    const looks = ["GET /", "GET /", "GET /services 404", "GET /serviceQueryEndpoint 404"];
    expect(calls(fixture.sandbox)).to.have.members([...dataFunctions, ...looks]);
  });

  it("the quickstart creates each object by one request, with the defaults of Pulumi.yaml", async () => {
    forget(fixture.sandbox);
    const { summary } = await fixture.up();
    expect(summary).to.deep.equal({ create: 8 });
    expect(asked().filter((line) => !line.startsWith("GET "))).to.have.members(creations);
    const [dashboard] = store().dashboards.values();
    const errors = dashboard?.tiles.find(({ name }) => name === "Errors");
    const [alert] = store().alerts.values();
    expect(alert).to.include({ threshold: 100, dashboard: dashboard?.id, tileId: errors?.id });
    const webhook = [...store().webhooks.values()].find(({ name }) => name === "team");
    expect(alert?.channel.webhookId).to.be.a("string").that.equals(webhook?.id);
    expect(store().services.get(fixture.sandbox.credentials.serviceId)).to.include({ numReplicas: 3 });
  });

  it("the quickstart shows its outputs, and a secret only with --show-secrets", async () => {
    const outputs = await fixture.outputs();
    expect(outputs).to.deep.include({
      replicas: 3,
      keySecret: "[secret]",
      queryRoles: ["sql_console_read_only"],
      pipeStates: {
        "orders-stream": "Running",
        "clickstream-files": "Running",
        "device-records": "Paused",
        "customers-replica": "Running",
      },
      privateEndpoints: ["Kafka brokers: Ready", "Customers database: PendingAcceptance"],
    });
    expect(outputs.errors).to.be.above(0);
    secrets.push((await fixture.outputs({ showSecrets: true })).keySecret);
    await expectNoSecrets(fixture, ...secrets);
  });

  it("changed configuration updates the quickstart's objects in place, and creates a new API key before deleting the old one", async () => {
    const [replaced] = reportingKeys();
    for (const [key, value] of Object.entries({ replicas: "4", threshold: "250", keyGeneration: "2" }))
      await fixture.config(key, value);
    forget(fixture.sandbox);
    const { summary, steps } = await fixture.up();
    expect(summary).to.deep.equal({ same: 4, update: 3, replace: 1 });
    expect(steps.find(({ op }) => op === "replace")?.name).to.equal("reporting");
    const inPlace = ["PATCH /scaling", "PUT /api/v2/alerts/{id}"];
    // Before the provider writes, it reads the object, to warn about changes of others.
    const looks = ["GET /", "GET /stack/alerts"];
    // During the rotation of an API key, the query endpoint gets the new key before the old key is deleted.
    const rotation = [
      ...["GET /keys", "POST /keys", "GET /serviceQueryEndpoint", "POST /serviceQueryEndpoint"],
      ...["GET /query-api-endpoints", "DELETE /keys/{id}"],
    ];
    expect(asked()).to.have.members([...looks, ...inPlace, ...rotation]);
    expect(asked().filter((line) => rotation.includes(line))).to.deep.equal(rotation);
    expect([...store().alerts.values()][0]?.threshold).to.equal(250);
    const [now, ...further] = reportingKeys();
    expect([now?.id === replaced?.id, further]).to.deep.equal([false, []]);
    expect([...store().queryEndpoints.values()][0]?.openApiKeys).to.deep.equal([now?.id]);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    secrets.push((await fixture.outputs({ showSecrets: true })).keySecret);
    await expectNoSecrets(fixture, ...secrets);
  });

  it("destroying the quickstart deletes every object that it created, leaves the scaling of the existing service as it is, and says so", async () => {
    const { output } = await fixture.destroy();
    expect(output).to.include("keeps its scaling").and.not.include("still used");
    const { dashboards, alerts, queryEndpoints, sources, webhooks, savedSearches } = store();
    const left = [dashboards, alerts, queryEndpoints].map(({ size }) => size);
    expect([...left, reportingKeys().length]).to.deep.equal([0, 0, 0, 0]);
    const others = [sources, webhooks, savedSearches].flatMap((records) => [...records.values()]);
    expect(others.map(({ name }) => name)).to.deep.equal([
      ...["Logs", "Traces", "Metrics"],
      ...["on-call", "Errors", "Warnings"],
    ]);
  });
});
