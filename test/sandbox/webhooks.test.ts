import { expect } from "chai";
import { alert, savedSearchId, useSandbox } from "./requests";

const webhook = { name: "paging", service: "generic", url: "https://hooks.example.com/x" };
const whole = {
  ...webhook,
  ...{ description: "Pages whoever is on call", body: "{}" },
  ...{ headers: { Authorization: "Bearer x" }, queryParams: { team: "a" } },
};

for (const dialect of ["neutral", "clickhouse"] as const) {
  describe(`Webhooks of the sandbox in the dialect ${dialect}`, () => {
    const client = useSandbox({ dialect });
    const ask = (method: string, id = "", body?: object) =>
      client.stack("management", method, `/webhooks${id}`, body);
    const create = async (body: object = whole) => (await ask("POST", "", body)).payload;
    const put = (id: string, change: object) => ask("PUT", `/${id}`, { ...webhook, ...change });
    const stored = (id: string) => client.sandbox.store.webhooks.get(id);

    it("POST returns a webhook without its headers and queryParams, which the sandbox stores", async () => {
      const { headers, queryParams, ...shown } = whole;
      const created = await create();
      expect(created).to.deep.include(shown).and.not.have.any.keys("headers", "queryParams");
      expect(stored(created.id)).to.deep.include(whole);
      expect((await client.observability("GET", "/webhooks")).payload).to.deep.include(created);
    });

    it("POST of a webhook returns the property body only if the webhook's service is generic", async () => {
      expect(await create({ ...whole, service: "incidentio" })).to.not.have.property("body");
    });

    it("there is no route to GET a single webhook", async () => {
      const { id } = await create();
      expect(await ask("GET", `/${id}`)).to.include({ status: 404, type: "text/html; charset=utf-8" });
    });

    it("PUT clears headers and queryParams of a webhook when its url or service changes", async () => {
      const { id } = await create();
      await put(id, { url: "https://hooks.example.com/y" });
      expect(stored(id)).to.deep.include({ headers: undefined, queryParams: undefined });
    });

    const refused = {
      "of an unknown service": { service: "pagerduty" },
      "with a url that is no address": { url: "hooks" },
      "with an ftp address": { url: "ftp://hooks.example.com" },
      "with an address in a private network": { url: "http://127.0.0.1/x" },
      "of Slack with an address outside of slack.com": {
        service: "slack",
        url: "https://slack.com.example.com",
      },
      "of Slack with headers": { service: "slack", url: "https://slack.com/x", headers: {} },
      "with a name that is taken": { name: " on-call " },
      "with a line break in a header": { headers: { a: "b\r\nc" } },
    };
    for (const [title, change] of Object.entries(refused))
      it(`POST refuses a webhook ${title}`, async () => {
        expect((await ask("POST", "", { ...webhook, ...change })).status).to.equal(400);
      });

    it("DELETE refuses a webhook while it is the first channel of an alert", async () => {
      const { id } = await create();
      const channel = { type: "webhook", webhookId: id };
      const search = dialect === "neutral" ? {} : { source: "saved_search", savedSearchId };
      const made = await client.stack("management", "POST", "/alerts", { ...alert, ...search, channel });
      expect(made.status).to.equal(200);
      const held = await ask("DELETE", `/${id}`);
      const words = "1 alert(s) still reference it. Reassign or remove those alerts first.";
      expect(held).to.include({ status: 409, reason: `CONFLICT: Cannot delete webhook: ${words}` });
      client.sandbox.store.alerts.clear();
      expect((await ask("DELETE", `/${id}`)).status).to.equal(200);
    });
  });
}
