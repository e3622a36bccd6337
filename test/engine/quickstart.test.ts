import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { calls, expectNoSecrets, forget, useFixture } from "./fixture";
import type { Update } from "./workspace";

const checkout = join(__dirname, "..", "..");
// The root project as it is, save that its program lies in the checkout.
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
// What is there already is looked at once: so that a lost answer would not leave anything behind, and to tell what the
// service made of a write.
const looks = [
  "GET /",
  "GET /keys",
  // Whether the endpoint is not there, or something else says so, its service tells. The API document has no list of services.
  "GET /serviceQueryEndpoint 404",
  "GET /services 404",
  "GET /",
  "GET /stack/sources",
  "GET /stack/webhooks",
  "GET /stack/dashboards",
  "GET /stack/saved-searches",
  "GET /stack/alerts",
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

describe("the quickstart", () => {
  const fixture = useFixture({ host: "dynamic", projectFile });
  const secrets: unknown[] = [];

  const store = () => fixture.sandbox.store;
  const reportingKeys = () => [...store().keys.values()].filter(({ name }) => name === "reporting");

  it("asks only for data in its first preview, which shows every resource", async () => {
    const { summary } = await fixture.preview();
    expect(summary).to.deep.equal({ create: 8 });
    expect(calls(fixture.sandbox)).to.have.members(dataFunctions);
  });

  describe("applied", () => {
    before(async () => {
      forget(fixture.sandbox);
      const { summary } = await fixture.up();
      expect(summary).to.deep.equal({ create: 8 });
      secrets.push((await fixture.outputs({ showSecrets: true })).keySecret);
    });

    it("sends one request for each object, one look for each kind and one request for each function", () => {
      expect(calls(fixture.sandbox)).to.have.members([...looks, ...creations, ...dataFunctions]);
    });

    it("watches a tile of its dashboard, with the defaults of Pulumi.yaml", () => {
      const [dashboard] = store().dashboards.values();
      const errors = dashboard?.tiles.find(({ name }) => name === "Errors");
      const [alert] = store().alerts.values();
      expect(alert).to.include({ threshold: 100, dashboard: dashboard?.id, tileId: errors?.id });
      const webhook = [...store().webhooks.values()].find(({ name }) => name === "team");
      expect(alert?.channel.webhookId).to.be.a("string").that.equals(webhook?.id);
      expect(store().services.get(fixture.sandbox.credentials.serviceId)).to.include({ numReplicas: 3 });
    });

    it("shows its outputs, the secret only to those who ask for it", async () => {
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
      await expectNoSecrets(fixture, ...secrets);
    });

    it("finds neither changes nor drift right after, with one list for each collection", async () => {
      forget(fixture.sandbox);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      const lookedAt = calls(fixture.sandbox).filter((call) => !dataFunctions.includes(call));
      expect(lookedAt).to.have.members([
        // The API document has no list of services.
        "GET /services 404",
        "GET /",
        "GET /keys",
        "GET /serviceQueryEndpoint",
        "GET /stack/webhooks",
        "GET /stack/dashboards",
        "GET /stack/saved-searches",
        "GET /stack/alerts",
      ]);
    });
  });

  describe("with another configuration", () => {
    let update: Update;
    let replaced = "";

    before(async () => {
      replaced = reportingKeys()[0]?.id ?? "";
      for (const [key, value] of Object.entries({ replicas: "4", threshold: "250", keyGeneration: "2" }))
        await fixture.config(key, value);
      forget(fixture.sandbox);
      update = await fixture.up();
      secrets.push((await fixture.outputs({ showSecrets: true })).keySecret);
    });

    it("updates in place, and replaces the key alone", () => {
      expect(update.summary).to.deep.equal({ same: 4, update: 3, replace: 1 });
      expect(update.steps.find(({ op }) => op === "replace")?.name).to.equal("reporting");
      const changes = ["PATCH /scaling", "PUT /api/v2/alerts/{id}"];
      const rotation = ["GET /keys", "POST /keys", "POST /serviceQueryEndpoint", "DELETE /keys/{id}"];
      // Nobody else's change shall be overwritten.
      const looks = ["GET /", "GET /stack/alerts", "GET /serviceQueryEndpoint"];
      expect(calls(fixture.sandbox)).to.have.members([...looks, ...changes, ...rotation, ...dataFunctions]);
      expect([...store().alerts.values()][0]?.threshold).to.equal(250);
    });

    it("rotates the key without a gap: the endpoint knows the new one before the old one is deleted", () => {
      const order = calls(fixture.sandbox).filter((call) => /keys|serviceQueryEndpoint/.test(call));
      expect(order).to.deep.equal([
        "GET /keys",
        "POST /keys",
        "GET /serviceQueryEndpoint",
        "POST /serviceQueryEndpoint",
        "DELETE /keys/{id}",
      ]);
      const [now, ...further] = reportingKeys();
      expect(further).to.deep.equal([]);
      expect(now?.id).to.not.equal(replaced);
      expect([...store().queryEndpoints.values()][0]?.openApiKeys).to.deep.equal([now?.id]);
      expect(secrets[1]).to.not.equal(secrets[0]);
    });

    it("leaves nothing to do, and no secret readable", async () => {
      await fixture.preview({ args: ["--expect-no-changes"] });
      await expectNoSecrets(fixture, ...secrets);
    });
  });

  describe("destroyed", () => {
    it("leaves nothing but the scaling of the service, and says so", async () => {
      const { output } = await fixture.destroy();
      expect(output).to.include("keeps its scaling");
      expect(output).to.not.include("still used");
      const { dashboards, alerts, queryEndpoints, sources, webhooks, savedSearches } = store();
      expect([dashboards.size, alerts.size, queryEndpoints.size, reportingKeys().length]).to.deep.equal([
        0, 0, 0, 0,
      ]);
      const left = [sources, webhooks, savedSearches].flatMap((records) => [...records.values()]);
      expect(left.map(({ name }) => name)).to.deep.equal([
        ...["Logs", "Traces", "Metrics"],
        ...["on-call", "Errors", "Warnings"],
      ]);
    });
  });
});
