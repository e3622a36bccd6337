import { expect } from "chai";
import { Client } from "./requests";

const webhook = { name: "paging", service: "generic", url: "https://hooks.example.com/x" };
const whole = {
  ...webhook,
  description: "Pages whoever is on call",
  body: "{}",
  headers: { Authorization: "Bearer x" },
  queryParams: { team: "a" },
};

for (const dialect of ["neutral", "clickhouse"] as const) {
  describe(`sandbox: webhooks in the dialect ${dialect}`, () => {
    let client: Client;
    const path = `/${dialect === "neutral" ? "stack" : "clickstack"}/webhooks`;
    const create = async (body: object = whole) => (await client.service("POST", path, body)).body.result;
    const stored = (id: string) => client.sandbox.store.webhooks.get(id);

    before(async () => {
      client = Client.inProcess({ dialect });
    });
    beforeEach(() => client.sandbox.reset());
    after(() => client.sandbox.close());

    it("POST answers the webhook without headers and parameters, which it keeps", async () => {
      const { headers, queryParams, ...shown } = whole;
      const created = await create();
      expect(created).to.deep.include(shown).and.not.have.any.keys("headers", "queryParams", "serviceId");
      expect(stored(created.id)).to.deep.include(whole);
      expect((await client.observability("GET", "/webhooks")).body.data).to.deep.include(created);
    });

    it("answers the body of a generic webhook alone", async () => {
      expect(await create({ ...whole, service: "incidentio" })).to.not.have.property("body");
    });

    it("has no GET of one", async () => {
      const { id } = await create();
      const { status, type } = await client.service("GET", `${path}/${id}`);
      expect([status, type]).to.deep.equal([404, "text/html; charset=utf-8"]);
    });

    it("PUT clears description and body that it omits, and keeps headers and parameters", async () => {
      const { id } = await create();
      await client.service("PUT", `${path}/${id}`, { ...webhook, name: " renamed " });
      const { headers, queryParams } = whole;
      expect(stored(id)).to.deep.include({ name: "renamed", headers, queryParams });
      expect(stored(id)).to.not.have.any.keys("description", "body");
    });

    it("PUT clears headers that are {}, and all of them when url or service changes", async () => {
      const { id } = await create();
      await client.service("PUT", `${path}/${id}`, { ...webhook, headers: {} });
      expect(stored(id)).to.deep.include({ headers: undefined, queryParams: whole.queryParams });
      await client.service("PUT", `${path}/${id}`, { ...webhook, url: "https://hooks.example.com/y" });
      expect(stored(id)).to.deep.include({ queryParams: undefined });
    });

    const refused = {
      "of an unknown service": { service: "pagerduty" },
      "without an address": { url: "hooks" },
      "of another scheme": { url: "ftp://hooks.example.com" },
      "that leads inside": { url: "http://127.0.0.1/x" },
      "of Slack elsewhere": { service: "slack", url: "https://slack.com.example.com" },
      "of Slack with headers": { service: "slack", url: "https://slack.com/x", headers: {} },
      "with a name that is taken": { name: " on-call " },
      "with a line break in a header": { headers: { a: "b\r\nc" } },
    };
    for (const [title, change] of Object.entries(refused))
      it(`refuses one ${title}`, async () => {
        expect((await client.service("POST", path, { ...webhook, ...change })).status).to.equal(400);
      });

    it("DELETE is 409 while an alert has it as its first channel, and 404 once it is gone", async () => {
      const { id } = await create();
      const { status: served } = await client.service("POST", path.replace("webhooks", "alerts"), {
        ...(dialect === "neutral"
          ? { source: "search" }
          : { source: "saved_search", savedSearchId: "65f1c0a2b3d4e5f607182931" }),
        ...{
          threshold: 1,
          thresholdType: "above",
          interval: "5m",
          channel: { type: "webhook", webhookId: id },
        },
      });
      expect(served).to.equal(200);
      const held = await client.service("DELETE", `${path}/${id}`);
      expect([held.status, held.body.error]).to.deep.equal([
        409,
        "CONFLICT: Cannot delete webhook: 1 alert(s) still reference it. Reassign or remove those alerts first.",
      ]);
      client.sandbox.store.alerts.clear();
      expect((await client.service("DELETE", `${path}/${id}`)).status).to.equal(200);
      expect((await client.service("DELETE", `${path}/${id}`)).status).to.equal(404);
    });
  });
}
