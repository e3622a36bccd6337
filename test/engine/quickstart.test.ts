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

  it("the first preview of the quickstart shows every resource", async () => {
    const { summary } = await fixture.preview();
    expect(summary).to.deep.equal({ create: 8 });
  });

  it("the first preview of the quickstart only reads", () => {
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

  it("the quickstart shows its outputs with its secret hidden", async () => {
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
  });

  it("no secret of the quickstart is readable after its first update", async () => {
    secrets.push((await fixture.outputs({ showSecrets: true })).keySecret);
    await expectNoSecrets(fixture, ...secrets);
  });

  // During the rotation of an API key, the query endpoint gets the new key before the old key is deleted.
  const rotation = [
    ...["GET /keys", "POST /keys", "GET /serviceQueryEndpoint", "POST /serviceQueryEndpoint"],
    ...["GET /query-api-endpoints", "DELETE /keys/{id}"],
  ];
  let replaced: string | undefined;

  it("changed configuration updates the quickstart's objects in place", async () => {
    replaced = reportingKeys()[0]?.id;
    for (const [key, value] of Object.entries({ replicas: "4", threshold: "250", keyGeneration: "2" }))
      await fixture.config(key, value);
    forget(fixture.sandbox);
    const { summary, steps } = await fixture.up();
    expect(summary).to.deep.equal({ same: 4, update: 3, replace: 1 });
    expect(steps.find(({ op }) => op === "replace")?.name).to.equal("reporting");
    const inPlace = ["PATCH /scaling", "PUT /api/v2/alerts/{id}"];
    // Before the provider writes, it reads the object, to warn about changes of others.
    const looks = ["GET /", "GET /stack/alerts"];
    expect(asked()).to.have.members([...looks, ...inPlace, ...rotation]);
    expect([...store().alerts.values()][0]?.threshold).to.equal(250);
  });

  it("the quickstart's query endpoint gets a new API key before the old one is deleted", () => {
    expect(asked().filter((line) => rotation.includes(line))).to.deep.equal(rotation);
    const [now, ...further] = reportingKeys();
    expect([now?.id === replaced, further]).to.deep.equal([false, []]);
    expect([...store().queryEndpoints.values()][0]?.openApiKeys).to.deep.equal([now?.id]);
  });

  it("the quickstart shows no drift after its configuration has changed", async () => {
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  });

  it("no secret of the quickstart is readable after the rotation of its API key", async () => {
    secrets.push((await fixture.outputs({ showSecrets: true })).keySecret);
    await expectNoSecrets(fixture, ...secrets);
  });

  let destroyed: string;

  it("destroying the quickstart deletes exactly the objects that it created", async () => {
    destroyed = (await fixture.destroy()).output;
    expect(destroyed).to.not.include("still used");
    const { dashboards, alerts, queryEndpoints, sources, webhooks, savedSearches } = store();
    const left = [dashboards, alerts, queryEndpoints].map(({ size }) => size);
    expect([...left, reportingKeys().length]).to.deep.equal([0, 0, 0, 0]);
    const others = [sources, webhooks, savedSearches].flatMap((records) => [...records.values()]);
    expect(others.map(({ name }) => name)).to.deep.equal([
      ...["Logs", "Traces", "Metrics"],
      ...["on-call", "Errors", "Warnings"],
    ]);
  });

  it("destroying the quickstart says that the existing service keeps its scaling", () => {
    expect(destroyed).to.include("keeps its scaling");
  });
});
