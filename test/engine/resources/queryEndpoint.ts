import { expect } from "chai";
import { seededCredentials } from "../../../sandbox/index";
import { refusalOf } from "./operations";
import type { Setup } from "./setups";
import { auxiliary, type ResourceTests, type SuiteOf } from "./suite";

const roles = ["sql_console_read_only"];
const rolesNow = ["sql_console_read_only", "sql_console_admin"];
const origins = ["https://b.example", "https://a.example"];
const keys = ["one", "two", "three"]
  .map(
    (name) =>
      `const ${name} = new ApiKey("${name}", { name: "${auxiliary + name}", roles: ["query_endpoints"] });\n`,
  )
  .join("");
const endpoint = (name: string, args: object, ...keyNames: string[]) =>
  `const ${name} = new QueryEndpoint("${name}", { ...${JSON.stringify(args)}, openApiKeys: [${keyNames}] });\n`;

export function queryEndpointTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("QueryEndpoint");
  const { onSecond } = suite;
  const second = setup.scopes.second.declared;
  const { serviceId, secondServiceId } = seededCredentials;
  const missing = "00000000-0000-4000-8000-000000000000";

  const stored = (id: string) => suite.sandbox.store.queryEndpointOf(id);
  const keyId = (name: string) => suite.id(name, "ApiKey");

  return {
    type: "QueryEndpoint",
    looks: ["getQueryEndpoint", onSecond("getQueryEndpoint")],

    secrets() {
      const names = ["one", "two", "three"];
      return Promise.all(names.map(async (name) => (await suiteOf("ApiKey").outputsOf(name)).keySecret));
    },

    created: {
      program: () =>
        keys +
        endpoint("first", { roles, allowedOrigins: origins }, "one.id", "two.id") +
        endpoint("second", { roles, ...second }, "one.id"),
      // Keys and origins in another order, and the origins as a text.
      equivalent: () =>
        keys +
        endpoint("first", { roles, allowedOrigins: [...origins].reverse().join(", ") }, "two.id", "one.id") +
        endpoint("second", { roles, ...second }, "one.id"),
      tests() {
        it("sends the whole record: origins as one string, and an empty one where none are declared", () => {
          const openApiKeys = [keyId("one"), keyId("two")];
          const whole = { roles, openApiKeys, allowedOrigins: origins.join(",") };
          const least = { roles, openApiKeys: [keyId("one")], allowedOrigins: "" };
          suite.expectSent("putQueryEndpoint", whole);
          suite.expectSent(onSecond("putQueryEndpoint"), least);
          expect(stored(serviceId)).to.deep.include(whole);
          expect(stored(secondServiceId)).to.deep.include(least);
          expect(suite.changes()).to.have.length(2);
        });

        it("is in the state as it is declared, under the service's id", async () => {
          expect(suite.id("first")).to.equal(serviceId);
          expect(await suite.outputsOf("first")).to.deep.include({
            roles,
            openApiKeys: [keyId("one"), keyId("two")],
            allowedOrigins: origins,
            endpointId: stored(serviceId)?.id,
          });
        });
      },
    },

    changed: {
      program() {
        // The second one is also taken out of the program.
        suite.sandbox.store.queryEndpoints.delete(stored(secondServiceId)?.id ?? "");
        return keys + endpoint("first", { roles: rolesNow }, "one.id", "three.id");
      },
      tests() {
        it("is replaced as a whole in place: without origins it allows none", () => {
          expect(suite.done()).to.deep.equal({ first: "update", second: "delete" });
          const openApiKeys = [keyId("one"), keyId("three")];
          const expected = { roles: rolesNow, openApiKeys, allowedOrigins: "" };
          suite.expectSent("putQueryEndpoint", expected);
          expect(stored(serviceId)).to.deep.include(expected);
        });

        it("takes an endpoint that somebody else has deleted for deleted", () => {
          // Before it replaces a record, it looks whether somebody else has changed it.
          expect(suite.asked()).to.deep.equal([
            "getQueryEndpoint",
            "putQueryEndpoint",
            `${onSecond("deleteQueryEndpoint")} 404`,
            `${onSecond("getQueryEndpoint")} 404`,
          ]);
        });
      },
    },

    changedAgain: {
      program: () =>
        `${keys + endpoint("first", { roles, ...second }, "one.id")}
const other = QueryEndpoint.get("other", "${secondServiceId}", {}, { dependsOn: first });
exports.QueryEndpoint = pulumi.all([other.roles, other.openApiKeys]);
`,
      tests() {
        it("is replaced on another service: created there before it is deleted on the first one", () => {
          expect(suite.done()).to.deep.include({ first: "replace", other: "read" });
          expect(suite.replaceKeys("first")).to.deep.equal(["serviceId"]);
          expect(suite.changes()).to.deep.equal([onSecond("putQueryEndpoint"), "deleteQueryEndpoint"]);
          expect(stored(serviceId)).to.equal(undefined);
          expect(stored(secondServiceId)).to.deep.include({ roles, openApiKeys: [keyId("one")] });
        });

        it("is read with get", async () => {
          expect(await suite.exported()).to.deep.equal([roles, [keyId("one")]]);
        });
      },
    },

    destroyed() {
      it("is gone from the service before its key is", () => {
        const deleted = suite
          .requests()
          .filter(({ method }) => method === "DELETE")
          .map(({ path }) => path.split("/").at(-1));
        expect(deleted).to.include.members(["serviceQueryEndpoint", keyId("one")]);
        expect(deleted.indexOf("serviceQueryEndpoint")).to.be.below(deleted.indexOf(keyId("one")));
        expect([...suite.sandbox.store.queryEndpoints.values()]).to.deep.equal([]);
      });
    },

    refused: "putQueryEndpoint",
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: endpoint("refused", { roles }, `"${missing}"`),
        message: [refusalOf(setup, "putQueryEndpoint"), "openApiKeys.0 is not the id of a key"],
      },
      {
        when: "get finds none",
        name: "missing",
        declaration: `QueryEndpoint.get("missing", "${secondServiceId}");`,
        message: [`error: QueryEndpoint ${secondServiceId} does not exist`],
      },
    ],
  };
}
