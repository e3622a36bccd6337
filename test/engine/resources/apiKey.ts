import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { sha256 } from "../../../sandbox/core/identifiers";
import { refusalOf } from "./operations";
import type { Setup } from "./setups";
import type { ResourceTests, SuiteOf } from "./suite";

const full = {
  name: "Full",
  roles: ["query_endpoints", "developer"],
  state: "disabled",
  expireAt: "2031-01-01T00:00:00Z",
  ipAccessList: [{ source: "10.0.0.0/8", description: "office" }, { source: "203.0.113.7" }],
};
const least = { roles: ["developer"] };
const shrinking = { ...full, name: "Shrinking" };
const signing = { roles: ["admin"] };
const fullNow = { ...full, roles: ["developer", "admin"], expireAt: "2020-01-01T00:00:00Z" };
const shrinkingNow = { name: "Shrinking", roles: ["developer"] };
const hashData = (secret: string) => ({
  keyIdHash: sha256(`id of ${secret}`),
  keyIdSuffix: "abcd",
  keySecretHash: sha256(secret),
});

const key = (name: string, args: object) =>
  `const ${name} = new ApiKey("${name}", ${JSON.stringify(args)});\n`;

export function apiKeyTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("ApiKey");
  const [adoptedId, otherId] = [randomUUID(), randomUUID()];
  const missing = "00000000-0000-4000-8000-000000000000";
  let secret = "";
  let replaced: string[] = [];

  const stored = (name: string) => suite.sandbox.store.keys.get(suite.id(name));
  const secretOf = async (name: string) => (await suite.outputsOf(name)).keySecret;
  const existing = (id: string) => ({
    id,
    name: "by hand",
    state: "enabled" as const,
    roles: ["admin" as const],
    keySuffix: "wxyz",
    createdAt: "2025-01-15T09:00:00.000Z",
    keyIdHash: sha256(id),
    keySecretHash: sha256(`secret of ${id}`),
  });

  const changedProgram = () =>
    key("full", fullNow) +
    key("least", least) +
    key("shrinking", shrinkingNow) +
    key("signing", signing) +
    key("rotated", { ...least, keepers: { generation: "2" } }) +
    key("hashed", { ...least, hashData: hashData("second") }) +
    key("adopted", full) +
    `const other = ApiKey.get("other", "${otherId}");
exports.ApiKey = pulumi.all([other.id, other.name, other.roles, other.keySuffix]);
`;

  return {
    type: "ApiKey",
    looks: ["listKeys"],

    prepare() {
      for (const id of [adoptedId, otherId]) suite.sandbox.store.keys.set(id, existing(id));
    },

    async secrets() {
      const names = ["full", "least", "shrinking", "rotated", "signing"];
      const hashes = ["first", "second"].flatMap((text) => {
        const { keyIdHash, keySecretHash } = hashData(text);
        return [keyIdHash, keySecretHash];
      });
      return [...(await Promise.all(names.map(secretOf))), ...hashes];
    },

    created: {
      program: () =>
        key("full", full) +
        key("least", least) +
        key("shrinking", shrinking) +
        key("signing", signing) +
        key("rotated", { ...least, keepers: { generation: "1" } }) +
        key("hashed", { ...least, hashData: hashData("first") }) +
        key("adopted", { ...full, adoptId: adoptedId }) +
        "exports.secret = least.keySecret;\n",
      tests() {
        it("sends what is declared and nothing else, with the resource's name where it has no other", () => {
          // The journal shows no hashes; that the right ones were sent shows in the store.
          const hashes = { keyIdHash: "[redacted]", keyIdSuffix: "abcd", keySecretHash: "[redacted]" };
          suite.expectSent(
            "createKey",
            full,
            shrinking,
            { ...least, name: "least" },
            { ...signing, name: "signing" },
            { ...least, name: "rotated" },
            { ...least, name: "hashed", hashData: hashes },
          );
        });

        it("is in the service as it is declared", () => {
          expect(stored("full")).to.deep.include(full);
          expect(stored("least")).to.deep.include({ ...least, state: "enabled" });
          expect(stored("least")).to.not.have.any.keys("expireAt", "ipAccessList");
          const { keyIdSuffix, ...hashes } = hashData("first");
          expect(stored("hashed")).to.deep.include({ ...hashes, keySuffix: keyIdSuffix });
        });

        it("is in the state with its id and secret, which only the answer to the creation shows", async () => {
          const outputs = await suite.outputsOf("least");
          secret = String(outputs.keySecret);
          const { keySecretHash, keyIdHash, keySuffix } = stored("least") ?? {};
          expect([sha256(secret), sha256(String(outputs.keyId))]).to.deep.equal([keySecretHash, keyIdHash]);
          expect(outputs).to.deep.include({ name: "least", state: "enabled", keySuffix });
          expect(await suite.outputsOf("hashed")).to.not.have.any.keys("keyId", "keySecret");
          expect(suite.last.output).to.match(/secret *: \[secret\]/);
        });

        it("is adopted with adoptId: changed to what is declared, and not created", () => {
          suite.expectSent("updateKey", full);
          expect(suite.id("adopted")).to.equal(adoptedId);
          expect(stored("adopted")).to.deep.include(full);
          expect(suite.last.output).to.include(`API key ${adoptedId} is adopted without its secret`);
        });
      },
    },

    changed: {
      program() {
        replaced = [suite.id("rotated"), suite.id("hashed")];
        return changedProgram();
      },
      tests() {
        it("updates in place what the API can change, an expiry in the past too, and replaces for the rest", () => {
          expect(suite.done()).to.deep.include({
            full: "update",
            shrinking: "update",
            least: "same",
            signing: "same",
            rotated: "replace",
            hashed: "replace",
            other: "read",
          });
          expect(suite.replaceKeys("rotated")).to.deep.equal(["keepers.generation"]);
          expect(stored("full")).to.deep.include(fullNow);
        });

        it("resets state and expiry that are taken out of the program, and leaves the access list, saying so", () => {
          suite.expectSent("updateKey", fullNow, { ...shrinkingNow, state: "enabled", expireAt: null });
          expect(stored("shrinking")).to.deep.include({ state: "enabled", ipAccessList: full.ipAccessList });
          expect(stored("shrinking")).to.not.have.property("expireAt");
          expect(suite.last.output).to.include(`API key ${suite.id("shrinking")} keeps its ipAccessList`);
        });

        it("creates the new key before it deletes the old one", () => {
          const order = suite.asked().filter((operation) => /^(create|delete)/.test(operation));
          expect(order).to.deep.equal(["createKey", "createKey", "deleteKey", "deleteKey"]);
          for (const id of replaced) expect(suite.sandbox.store.keys.has(id)).to.equal(false);
          expect(stored("hashed")?.keySecretHash).to.equal(sha256("second"));
        });

        it("stays as it is when adoptId is taken out of the program", () => {
          expect(suite.done().adopted).to.equal("same");
        });

        it("is read with get, and left as it is", async () => {
          expect(await suite.exported()).to.deep.equal([otherId, "by hand", ["admin"], "wxyz"]);
          expect(suite.sandbox.store.keys.get(otherId)).to.deep.equal(existing(otherId));
        });
      },
    },

    changedAgain: {
      program: changedProgram,
      tests() {
        it("keeps the secret that was shown at creation through update and refresh", async () => {
          expect(suite.done()).to.include({ full: "same", least: "same", rotated: "same" });
          expect(await secretOf("least")).to.equal(secret);
          expect(sha256(String(await secretOf("full")))).to.equal(stored("full")?.keySecretHash);
        });
      },
    },

    beforeDestroy: () => void suite.sandbox.store.keys.delete(suite.id("least")),

    destroyed() {
      it("is gone from the service, save the one that signs; its deletion is not even asked for", () => {
        const ownAndOfTheEndpoint = Array(5 + 3).fill("deleteKey");
        expect(suite.asked()).to.have.members([
          ...ownAndOfTheEndpoint,
          ...["deleteKey 404", "listKeys", "getKey 404"],
        ]);
      });
    },

    refused: "createKey",
    prepareFailing() {
      const { keys } = suite.sandbox.store;
      // A list of exactly 100 might be a page of a longer one, from which nothing follows.
      while (keys.size < 101) {
        const id = randomUUID();
        keys.set(id, existing(id));
      }
    },
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: key("refused", least),
        message: [refusalOf(setup, "createKey"), "at most 100 keys"],
      },
      {
        when: "adoptId names no key",
        name: "adopted",
        declaration: key("adopted", { ...least, adoptId: missing }),
        message: ["error: adoptId: ", `has no API key ${missing}`],
      },
      {
        when: "get finds nothing",
        name: "missing",
        declaration: `ApiKey.get("missing", "${missing}");`,
        message: [`error: ApiKey ${missing} does not exist`],
      },
    ],
  };
}
