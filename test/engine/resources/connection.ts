import { expect } from "chai";
import type { Connection } from "../../../sandbox/index";
import { refusalOf } from "./operations";
import type { Data, Setup } from "./setups";
import type { ResourceTests, SuiteOf } from "./suite";

const seededId = "65f1c0a2b3d4e5f607182900";
const [adoptedId, otherId] = ["65f1c0a2b3d4e5f607182971", "65f1c0a2b3d4e5f607182972"];
const missing = "65f1c0a2b3d4e5f6071829ff";

const secrets = { password: "secret-of-a-database-81d4", newPassword: "secret-of-a-database-c07e" };
const plain = { name: "plain", host: "https://plain.example.com:8443", username: "reader" };
const whole = {
  ...plain,
  name: "whole",
  password: secrets.password,
  hyperdxSettingPrefix: "whole_",
  isPrometheusEndpoint: true,
};
const { hyperdxSettingPrefix, isPrometheusEndpoint, ...wholeNow } = {
  ...whole,
  password: secrets.newPassword,
};

const connection = (name: string, args: object) => `new Connection("${name}", ${JSON.stringify(args)});\n`;

/** A body as the journal shows it. */
const journaled = (sent: Data): Data => ("password" in sent ? { ...sent, password: "[redacted]" } : sent);

export function connectionTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("Connection");
  const stored = (name: string) => suite.sandbox.store.connections.get(suite.id(name));
  const existing = (id: string, name: string): Connection => {
    const seeded = suite.sandbox.store.connections.get(seededId);
    if (!seeded) throw new Error("the sandbox has no connection");
    return { ...structuredClone(seeded), id, name, password: "by hand" };
  };
  const changedProgram = () =>
    connection("plain", plain) +
    connection("whole", wholeNow) +
    connection("adopted", { ...plain, name: "adopted" }) +
    `const other = Connection.get("other", "${otherId}");
exports.Connection = pulumi.all([other.id, other.name]);
`;

  return {
    type: "Connection",
    looks: ["listConnections"],
    secrets: async () => Object.values(secrets),

    prepare() {
      for (const [id, name] of [
        [adoptedId, "by hand"],
        [otherId, "other"],
      ] as const)
        suite.sandbox.store.connections.set(id, existing(id, name));
    },

    created: {
      program: () =>
        connection("plain", plain) +
        connection("whole", whole) +
        connection("adopted", { ...plain, name: "adopted", adoptId: adoptedId }),
      tests() {
        it("sends what is declared and nothing else, once for each connection", () => {
          suite.expectSent("createConnection", plain, journaled(whole));
          expect(stored("whole")).to.deep.include(whole);
        });

        it("is adopted with adoptId, and keeps its password", () => {
          expect(stored("adopted")).to.deep.include({ id: adoptedId, ...plain, name: "adopted" });
          expect(stored("adopted")?.password).to.equal("by hand");
        });

        it("is in the state with what the server says of it", async () => {
          const { createdAt } = stored("whole") ?? {};
          expect(await suite.outputsOf("whole")).to.deep.include({ ...whole, ...suite.scope(), createdAt });
        });
      },
    },

    changed: {
      program: changedProgram,
      tests() {
        it("is updated in place, and reset where the program no longer says anything", async () => {
          const expected = { plain: "same", whole: "update", adopted: "same", other: "read" };
          expect(suite.done()).to.deep.equal(expected);
          const resets = { hyperdxSettingPrefix: null, isPrometheusEndpoint: false };
          suite.expectSent("updateConnection", { ...journaled(wholeNow), ...resets });
          expect(stored("whole")).to.deep.include({ ...wholeNow, isPrometheusEndpoint: false });
          expect(await suite.exported()).to.deep.equal([otherId, "other"]);
        });
      },
    },

    changedAgain: {
      program: changedProgram,
      tests() {
        it("stays as it is", () => {
          const { plain, whole, adopted } = suite.done();
          expect([plain, whole, adopted]).to.deep.equal(["same", "same", "same"]);
        });
      },
    },

    beforeDestroy: () => void suite.sandbox.store.connections.delete(suite.id("whole")),

    destroyed() {
      it("is gone from the server, which keeps those that were only read", () => {
        const left = [...suite.sandbox.store.connections.values()].map(({ name }) => name);
        expect(left).to.have.members(["Default", "other"]);
        expect(suite.asked()).to.include("deleteConnection 404");
      });
    },

    // Servers take whatever the check lets through.
    prepareFailing: () => suite.sandbox.faults.add({ kind: "400", operation: "createConnection", nth: 1 }),

    refused: "createConnection",
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: connection("refused", { ...plain, name: "refused" }),
        message: [refusalOf(setup, "createConnection")],
      },
      {
        when: "get finds nothing",
        name: "missing",
        declaration: `Connection.get("missing", "${missing}");`,
        message: [`error: Connection ${missing} does not exist`],
      },
    ],
  };
}
