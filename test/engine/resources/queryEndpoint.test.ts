import { expect } from "chai";
import {
  bodies,
  calls,
  expectNoSecrets,
  expectOneClearError,
  forget,
  requestId,
  useFixture,
} from "../fixture";
import type { Update } from "../workspace";

const path = "/serviceQueryEndpoint";
const roles = ["sql_console_read_only"];
const keys = ["one", "two", "three"]
  .map((name) => `const ${name} = new ApiKey("${name}", { roles: ["query_endpoints"] });\n`)
  .join("");
const endpoint = (name: string, args: object, keyNames: string) =>
  `new QueryEndpoint("${name}", { ...${JSON.stringify(args)}, openApiKeys: [${keyNames}] });\n`;

describe("QueryEndpoint, applied by the engine", () => {
  const fixture = useFixture();
  const keyIds: Record<string, string> = {};
  let serviceId = "";
  let secondServiceId = "";

  before(() => {
    ({ serviceId, secondServiceId } = fixture.sandbox.credentials);
  });

  const stored = (id: string) => fixture.sandbox.store.queryEndpointOf(id);

  describe("created", () => {
    const origins = ["https://b.example", "https://a.example"];

    before(async () => {
      await fixture.apply(
        keys +
          endpoint("first", { roles, allowedOrigins: origins }, "one.id, two.id") +
          endpoint("second", { roles, serviceId: secondServiceId }, "one.id"),
      );
      for (const name of ["one", "two", "three"]) keyIds[name] = (await fixture.resource(name)).id ?? "";
    });

    it("sends the whole record: origins as one string, and an empty one where none are declared", () => {
      const { one, two } = keyIds;
      const expected = { roles, openApiKeys: [one, two], allowedOrigins: origins.join(",") };
      expect(bodies(fixture.sandbox, `POST ${path}`)).to.deep.equal([expected]);
      const least = { roles, openApiKeys: [one], allowedOrigins: "" };
      expect(bodies(fixture.sandbox, `POST /second${path}`)).to.deep.equal([least]);
      expect(stored(serviceId)).to.deep.include(expected);
      expect(stored(secondServiceId)).to.deep.include(least);
      expect(calls(fixture.sandbox)).to.have.length(5);
    });

    it("is in the state as it is declared, under the service's id", async () => {
      expect((await fixture.resource("first")).id).to.equal(serviceId);
      expect(await fixture.outputsOf("first")).to.deep.include({
        roles,
        openApiKeys: [keyIds.one, keyIds.two],
        allowedOrigins: origins,
        endpointId: stored(serviceId)?.id,
      });
    });

    it("leaves no secret readable in state, output and journal", async () => {
      const secrets = Object.keys(keyIds).map(async (name) => (await fixture.outputsOf(name)).keySecret);
      await expectNoSecrets(fixture, ...(await Promise.all(secrets)));
    });

    it("shows no changes in the next preview, in whichever order and form keys and origins are declared", async () => {
      forget(fixture.sandbox);
      await fixture.preview({ args: ["--expect-no-changes"] });
      const turned = { roles, allowedOrigins: [...origins].reverse().join(", ") };
      const { summary } = await fixture.apply(
        keys +
          endpoint("first", turned, "two.id, one.id") +
          endpoint("second", { roles, serviceId: secondServiceId }, "one.id"),
      );
      expect(summary).to.deep.equal({ same: 5 });
      expect(calls(fixture.sandbox)).to.deep.equal([]);
    });

    it("shows no drift right after, for one look at each endpoint", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(calls(fixture.sandbox)).to.have.members(["GET /keys", `GET ${path}`, `GET /second${path}`]);
    });
  });

  describe("changed", () => {
    const rolesNow = ["sql_console_read_only", "sql_console_admin"];

    it("is replaced as a whole in place: without origins it allows none", async () => {
      forget(fixture.sandbox);
      const { summary } = await fixture.apply(
        keys +
          endpoint("first", { roles: rolesNow }, "one.id, three.id") +
          endpoint("second", { roles, serviceId: secondServiceId }, "one.id"),
      );
      expect(summary).to.deep.equal({ same: 4, update: 1 });
      const expected = { roles: rolesNow, openApiKeys: [keyIds.one, keyIds.three], allowedOrigins: "" };
      expect(calls(fixture.sandbox)).to.deep.equal([`POST ${path}`]);
      expect(bodies(fixture.sandbox, `POST ${path}`)).to.deep.equal([expected]);
      expect(stored(serviceId)).to.deep.include(expected);
    });

    it("shows no changes in the next preview, with a look at the service", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });

    it("takes an endpoint that somebody else has deleted for deleted", async () => {
      fixture.sandbox.store.queryEndpoints.delete(stored(secondServiceId)?.id ?? "");
      forget(fixture.sandbox);
      const { summary } = await fixture.apply(
        keys + endpoint("first", { roles: rolesNow }, "one.id, three.id"),
      );
      expect(summary).to.deep.equal({ same: 4, delete: 1 });
      expect(calls(fixture.sandbox)).to.deep.equal([`DELETE /second${path} 404`]);
    });
  });

  describe("moved to another service", () => {
    let update: Update;

    before(async () => {
      forget(fixture.sandbox);
      update = await fixture.apply(keys + endpoint("first", { roles, serviceId: secondServiceId }, "one.id"));
    });

    it("is replaced: created on the other service before it is deleted on the first one", () => {
      expect(update.summary).to.deep.equal({ same: 3, replace: 1 });
      expect(update.steps.find(({ op }) => op === "replace")?.replaceKeys).to.deep.equal(["serviceId"]);
      expect(calls(fixture.sandbox)).to.deep.equal([`POST /second${path}`, `DELETE ${path}`]);
      expect(stored(serviceId)).to.equal(undefined);
      expect(stored(secondServiceId)).to.deep.include({ roles, openApiKeys: [keyIds.one] });
    });

    it("is read with get, and left as it is", async () => {
      forget(fixture.sandbox);
      await fixture.apply(
        `${keys + endpoint("first", { roles, serviceId: secondServiceId }, "one.id")}
const other = QueryEndpoint.get("other", "${secondServiceId}");
exports.other = pulumi.all([other.roles, other.openApiKeys]);`,
      );
      expect((await fixture.outputs()).other).to.deep.equal([roles, [keyIds.one]]);
      expect(calls(fixture.sandbox)).to.deep.equal([`GET /second${path}`]);
    });
  });

  describe("destroyed", () => {
    it("is gone from the service before its key is", async () => {
      forget(fixture.sandbox);
      await fixture.destroy();
      const deletions = fixture.sandbox.requests.map((request) => request.path);
      const [endpointAt, keyAt] = [path, `/keys/${keyIds.one}`].map((end) =>
        deletions.findIndex((deleted) => deleted.endsWith(end)),
      );
      expect(endpointAt).to.be.within(0, (keyAt ?? 0) - 1);
      expect([...fixture.sandbox.store.queryEndpoints.values()]).to.deep.equal([]);
      expect((await fixture.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  describe("that cannot be", () => {
    const missing = "00000000-0000-4000-8000-000000000000";

    it("is one clear error when the API refuses it", async () => {
      const { output } = await fixture.apply(endpoint("refused", { roles }, `"${missing}"`), {
        expect: "failure",
      });
      const where = "putQueryEndpoint (POST /v1/";
      expectOneClearError(output, where, "answered 400", requestId, "openApiKeys.0 is not the id of a key");
    });

    it("is one clear error when get finds none", async () => {
      const { output } = await fixture.apply(`QueryEndpoint.get("missing", "${serviceId}");`, {
        expect: "failure",
      });
      expectOneClearError(output, `QueryEndpoint ${serviceId} does not exist`);
    });
  });
});
