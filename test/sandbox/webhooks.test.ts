import { expect } from "chai";
import { useSandbox } from "./requests";

const webhook = { name: "paging", service: "generic", url: "https://hooks.example.com/x" };
const whole = {
  ...webhook,
  ...{ description: "Pages whoever is on call", body: "{}" },
  ...{ headers: { Authorization: "Bearer x" }, queryParams: { team: "a" } },
};

for (const dialect of ["neutral", "clickhouse"] as const) {
  describe(`Webhooks of the sandbox in the dialect ${dialect}`, () => {
    const client = useSandbox({ dialect });
    const post = (body: object) => client.stack("management", "POST", "/webhooks", body);

    it("POST returns a webhook without its headers and queryParams, which the sandbox stores", async () => {
      const { headers, queryParams, ...shown } = whole;
      const created = (await post(whole)).payload;
      expect(created).to.deep.include(shown).and.not.have.any.keys("headers", "queryParams");
      expect(client.sandbox.store.webhooks.get(created.id)).to.deep.include(whole);
      expect((await client.observability("GET", "/webhooks")).payload).to.deep.include(created);
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
        expect((await post({ ...webhook, ...change })).status).to.equal(400);
      });
  });
}
