import { expect } from "chai";
import { calls, forget, useFixture } from "./fixture";

describe("rotation of credentials", () => {
  describe("of a stack that has its key in the configuration", () => {
    const fixture = useFixture();

    it("refresh and destroy work with a new key by the environment after the old one was disabled", async () => {
      const { keyId = "", keySecret = "" } = {
        keyId: fixture.environment.PIPESTACK_KEY_ID,
        keySecret: fixture.environment.PIPESTACK_KEY_SECRET,
      };
      fixture.environment.PIPESTACK_KEY_ID = undefined;
      fixture.environment.PIPESTACK_KEY_SECRET = undefined;
      const { baseUrl, credentials, store } = fixture.sandbox;
      const made = await fetch(`${baseUrl}/v1/organizations/${credentials.organizationId}/keys`, {
        method: "POST",
        headers: {
          authorization: `Basic ${Buffer.from(`${keyId}:${keySecret}`).toString("base64")}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ name: "old", roles: ["admin"] }),
      });
      const { result: old } = (await made.json()) as {
        result: { key: { id: string }; keyId: string; keySecret: string };
      };

      await fixture.config("pipestack:keyId", old.keyId);
      await fixture.config("pipestack:keySecret", old.keySecret, true);
      await fixture.apply(`new Dashboard("dashboard", { name: "D", tiles: [] });`);

      Object.assign(store.keys.get(old.key.id) ?? {}, { state: "disabled" });
      await fixture.config("pipestack:keyId", keyId);
      await fixture.config("pipestack:keySecret", keySecret, true);
      const environment = { PIPESTACK_KEY_ID: keyId, PIPESTACK_KEY_SECRET: keySecret };
      const refused = await fixture.refresh({ expect: "failure" });
      expect(refused.output, "the state still has the old key").to.include("answered 401");
      await fixture.refresh({ environment });
      await fixture.destroy({ environment });
      expect(store.dashboards.size).to.equal(0);
    });
  });

  describe("of a stack that makes the key that it uses", () => {
    const fixture = useFixture();
    const program = (generation: number) => `
      const key = new ApiKey("key", { name: "pipeline", roles: ["admin"], keepers: { generation: "${generation}" } });
      const provider = new Provider("own", { keyId: key.keyId, keySecret: key.keySecret });
      new Dashboard("dashboard", { name: "D", tiles: [] }, { provider });
      new QueryEndpoint("endpoint", { roles: ["sql_console_admin"], openApiKeys: [key.id] }, { provider });
    `;

    it("moves to the new key before the old one goes, with no call refused", async () => {
      await fixture.apply(program(1));
      const first = await fixture.resource("key");
      forget(fixture.sandbox);

      await fixture.apply(program(2));
      const second = await fixture.resource("key");
      expect(second.id).to.not.equal(first.id);
      const refused = fixture.sandbox.requests.filter(({ status }) => status !== 200);
      expect(refused).to.deep.equal([]);
      expect(calls(fixture.sandbox)).to.deep.equal([
        "GET /keys",
        "POST /keys",
        "GET /serviceQueryEndpoint",
        "POST /serviceQueryEndpoint",
        "DELETE /keys/{id}",
      ]);
      expect([...fixture.sandbox.store.keys.keys()])
        .to.include(second.id)
        .and.not.include(first.id);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });

    it("destroys what the key signed before the key itself", async () => {
      forget(fixture.sandbox);
      await fixture.destroy();
      expect(fixture.sandbox.requests.filter(({ status }) => status !== 200)).to.deep.equal([]);
      expect(calls(fixture.sandbox).at(-1)).to.equal("DELETE /keys/{id}");
    });
  });
});
