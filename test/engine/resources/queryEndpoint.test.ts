import { expect } from "chai";
import { seededCredentials } from "../../../sandbox/src";
import { expectNoSecrets } from "../fixture";
import type { Update } from "../workspace";
import { describeImpossible } from "./impossible";
import { refusalOf } from "./operations";
import { setupsWithServices } from "./setups";
import { inEach } from "./suite";

const roles = ["sql_console_read_only"];
const origins = ["https://b.example", "https://a.example"];
const keys = ["one", "two", "three"]
  .map((name) => `const ${name} = new ApiKey("${name}", { roles: ["query_endpoints"] });\n`)
  .join("");
const endpoint = (name: string, args: object, ...keyNames: string[]) =>
  `const ${name} = new QueryEndpoint("${name}", { ...${JSON.stringify(args)}, openApiKeys: [${keyNames}] });\n`;

inEach(setupsWithServices, "QueryEndpoint", (suite, setup) => {
  const second = setup.places.second.declared;
  const { onSecond } = suite;
  let ids: Record<string, string> = {};
  let serviceId = "";
  let secondServiceId = "";

  before(() => {
    ({ serviceId, secondServiceId } = suite.sandbox.credentials);
  });

  const stored = (id: string) => suite.sandbox.store.queryEndpointOf(id);

  describe("created", () => {
    before(async () => {
      await suite.apply(
        keys +
          endpoint("first", { roles, allowedOrigins: origins }, "one.id", "two.id") +
          endpoint("second", { roles, ...second }, "one.id"),
      );
      ids = await suite.ids();
    });

    it("sends the whole record: origins as one string, and an empty one where none are declared", () => {
      const whole = { roles, openApiKeys: [ids.one, ids.two], allowedOrigins: origins.join(",") };
      const least = { roles, openApiKeys: [ids.one], allowedOrigins: "" };
      suite.expectSent("putQueryEndpoint", whole);
      suite.expectSent(onSecond("putQueryEndpoint"), least);
      expect(stored(serviceId)).to.deep.include(whole);
      expect(stored(secondServiceId)).to.deep.include(least);
      expect(suite.changes()).to.have.length(3 + 2);
    });

    it("is in the state as it is declared, under the service's id", async () => {
      expect(ids.first).to.equal(serviceId);
      expect(await suite.outputsOf("first")).to.deep.include({
        roles,
        openApiKeys: [ids.one, ids.two],
        allowedOrigins: origins,
        endpointId: stored(serviceId)?.id,
      });
    });

    it("leaves no secret readable in state, output and journal", async () => {
      const secrets = ["one", "two", "three"].map(async (name) => (await suite.outputsOf(name)).keySecret);
      await expectNoSecrets(suite, ...(await Promise.all(secrets)));
    });

    it("shows no changes in the next preview, in whichever order and form keys and origins are declared", async () => {
      const turned = { roles, allowedOrigins: [...origins].reverse().join(", ") };
      suite.forget();
      await suite.write(
        keys +
          endpoint("first", turned, "two.id", "one.id") +
          endpoint("second", { roles, ...second }, "one.id"),
      );
      await suite.preview({ args: ["--expect-no-changes"] });
      expect(suite.asked()).to.deep.equal([]);
    });

    it("shows no drift right after, for one look at each endpoint", async () => {
      await suite.preview({ args: ["--refresh", "--expect-no-changes"] });
      const looks = ["getQueryEndpoint", onSecond("getQueryEndpoint")];
      expect(suite.asked()).to.have.members(["listKeys", ...looks]);
    });
  });

  describe("changed", () => {
    const rolesNow = ["sql_console_read_only", "sql_console_admin"];
    let update: Update;

    before(async () => {
      suite.sandbox.store.queryEndpoints.delete(stored(secondServiceId)?.id ?? "");
      suite.forget();
      update = await suite.apply(keys + endpoint("first", { roles: rolesNow }, "one.id", "three.id"));
    });

    it("is replaced as a whole in place: without origins it allows none", () => {
      expect(update.summary).to.deep.equal({ same: 3, update: 1, delete: 1 });
      const expected = { roles: rolesNow, openApiKeys: [ids.one, ids.three], allowedOrigins: "" };
      suite.expectSent("putQueryEndpoint", expected);
      expect(stored(serviceId)).to.deep.include(expected);
    });

    it("takes an endpoint that somebody else has deleted for deleted", () => {
      expect(suite.asked()).to.deep.equal(["putQueryEndpoint", `${onSecond("deleteQueryEndpoint")} 404`]);
    });

    it("shows no changes in the next preview, with a look at the service", async () => {
      await suite.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("moved to another service", () => {
    let update: Update;

    before(async () => {
      suite.forget();
      update = await suite.apply(
        `${keys + endpoint("first", { roles, ...second }, "one.id")}
const other = QueryEndpoint.get("other", "${secondServiceId}", {}, { dependsOn: first });
exports.other = pulumi.all([other.roles, other.openApiKeys]);`,
      );
    });

    it("is replaced: created on the other service before it is deleted on the first one", () => {
      expect(update.summary).to.deep.equal({ same: 3, replace: 1, read: 1 });
      expect(update.steps.find(({ op }) => op === "replace")?.replaceKeys).to.deep.equal(["serviceId"]);
      expect(suite.asked()).to.deep.equal([
        onSecond("putQueryEndpoint"),
        onSecond("getQueryEndpoint"),
        "deleteQueryEndpoint",
      ]);
      expect(stored(serviceId)).to.equal(undefined);
      expect(stored(secondServiceId)).to.deep.include({ roles, openApiKeys: [ids.one] });
    });

    it("is read with get", async () => {
      expect((await suite.outputs()).other).to.deep.equal([roles, [ids.one]]);
    });
  });

  describe("destroyed", () => {
    it("is gone from the service before its key is", async () => {
      suite.forget();
      await suite.destroy();
      const deleted = suite.sandbox.requests.slice(-4).map(({ path }) => path.split("/").at(-1));
      expect(deleted).to.have.members(["serviceQueryEndpoint", ids.one, ids.two, ids.three]);
      expect(deleted.indexOf("serviceQueryEndpoint")).to.be.below(deleted.indexOf(ids.one));
      expect([...suite.sandbox.store.queryEndpoints.values()]).to.deep.equal([]);
      expect((await suite.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  const missing = "00000000-0000-4000-8000-000000000000";
  const { serviceId: unconfigured } = seededCredentials;
  describeImpossible(suite, "putQueryEndpoint", [
    {
      when: "the API refuses it",
      name: "refused",
      declaration: endpoint("refused", { roles }, `"${missing}"`),
      problem: [refusalOf(setup, "putQueryEndpoint"), "openApiKeys.0 is not the id of a key"],
    },
    {
      when: "get finds none",
      name: "missing",
      declaration: `QueryEndpoint.get("missing", "${unconfigured}");`,
      problem: [`error: QueryEndpoint ${unconfigured} does not exist`],
    },
  ]);
});
