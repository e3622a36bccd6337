import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { sha256 } from "../../../sandbox/src/identifiers";
import { expectNoSecrets, expectOneClearError } from "../fixture";
import type { Update } from "../workspace";
import { describeImpossible } from "./impossible";
import { refusalOf } from "./operations";
import { setupsWithServices } from "./setups";
import { inEach } from "./suite";

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
const hashData = (secret: string) => ({
  keyIdHash: sha256(`id of ${secret}`),
  keyIdSuffix: "abcd",
  keySecretHash: sha256(secret),
});

const key = (name: string, args: object) =>
  `const ${name} = new ApiKey("${name}", ${JSON.stringify(args)});\n`;

inEach(setupsWithServices, "ApiKey", (suite, setup) => {
  const [adoptedId, otherId] = [randomUUID(), randomUUID()];
  let ids: Record<string, string> = {};
  let secret = "";

  const stored = (name: string) => suite.sandbox.store.keys.get(ids[name] ?? "");
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

  before(() => {
    for (const id of [adoptedId, otherId]) suite.sandbox.store.keys.set(id, existing(id));
  });

  describe("created", () => {
    let update: Update;

    before(async () => {
      update = await suite.apply(
        key("full", full) +
          key("least", least) +
          key("shrinking", shrinking) +
          key("signing", signing) +
          key("rotated", { ...least, keepers: { generation: "1" } }) +
          key("hashed", { ...least, hashData: hashData("first") }) +
          key("adopted", { ...full, adoptId: adoptedId }) +
          "exports.secret = least.keySecret;",
      );
      ids = await suite.ids();
      secret = String((await suite.outputsOf("least")).keySecret);
    });

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
      const { keySecretHash, keyIdHash, keySuffix } = stored("least") ?? {};
      expect([sha256(secret), sha256(String(outputs.keyId))]).to.deep.equal([keySecretHash, keyIdHash]);
      expect(outputs).to.deep.include({ name: "least", state: "enabled", keySuffix });
      expect(await suite.outputsOf("hashed")).to.not.have.any.keys("keyId", "keySecret");
    });

    it("is taken over with adoptId: changed to what is declared, and not created", () => {
      suite.expectSent("updateKey", full);
      expect(ids.adopted).to.equal(adoptedId);
      expect(stored("adopted")).to.deep.include(full);
      expect(update.output).to.include(`API key ${adoptedId} is adopted without its secret`);
    });

    it("leaves no secret readable in state, output and journal", async () => {
      expect(update.output).to.match(/secret *: \[secret\]/);
      const secrets = ["full", "shrinking", "rotated", "signing"].map(
        async (name) => (await suite.outputsOf(name)).keySecret,
      );
      const { keyIdHash, keySecretHash } = hashData("first");
      await expectNoSecrets(suite, secret, ...(await Promise.all(secrets)), keyIdHash, keySecretHash);
    });

    it("shows no changes in the next preview", async () => {
      suite.forget();
      await suite.preview({ args: ["--expect-no-changes"] });
      expect(suite.asked()).to.deep.equal([]);
    });

    it("shows no drift right after, for one list of all keys", async () => {
      await suite.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(suite.asked()).to.deep.equal(["listKeys"]);
    });
  });

  describe("changed", () => {
    const fullNow = { ...full, roles: ["developer", "admin"], expireAt: "2020-01-01T00:00:00Z" };
    const shrinkingNow = { name: "Shrinking", roles: ["developer"] };
    let update: Update;
    let replaced: (string | undefined)[];

    before(async () => {
      replaced = [ids.rotated, ids.hashed];
      suite.forget();
      update = await suite.apply(
        key("full", fullNow) +
          key("least", least) +
          key("shrinking", shrinkingNow) +
          key("signing", signing) +
          key("rotated", { ...least, keepers: { generation: "2" } }) +
          key("hashed", { ...least, hashData: hashData("second") }) +
          key("adopted", full) +
          `const other = ApiKey.get("other", "${otherId}");
exports.other = pulumi.all([other.id, other.name, other.roles, other.keySuffix]);`,
        { args: ["--refresh"] },
      );
      ids = await suite.ids();
    });

    it("updates in place what the API can change, an expiry in the past too, and replaces for the rest", () => {
      expect(update.summary).to.deep.equal({ same: 3, update: 2, replace: 2, read: 1 });
      const keys = update.steps
        .filter(({ op }) => op === "replace")
        .map(({ name, replaceKeys }) => [name, replaceKeys]);
      expect(Object.fromEntries(keys)).to.have.keys("rotated", "hashed");
      expect(Object.fromEntries(keys).rotated).to.deep.equal(["keepers.generation"]);
      expect(stored("full")).to.deep.include(fullNow);
    });

    it("resets state and expiry that are taken out of the program, and leaves the access list, saying so", () => {
      suite.expectSent("updateKey", fullNow, { ...shrinkingNow, state: "enabled", expireAt: null });
      expect(stored("shrinking")).to.deep.include({ state: "enabled", ipAccessList: full.ipAccessList });
      expect(stored("shrinking")).to.not.have.property("expireAt");
      expect(update.output).to.include(`API key ${ids.shrinking} keeps the ipAccessList`);
    });

    it("creates the new key before it deletes the old one", () => {
      const order = suite.asked().filter((operation) => /^(create|delete)/.test(operation));
      expect(order).to.deep.equal(["createKey", "createKey", "deleteKey", "deleteKey"]);
      for (const id of replaced) expect(suite.sandbox.store.keys.has(id ?? "")).to.equal(false);
      expect(stored("hashed")?.keySecretHash).to.equal(sha256("second"));
    });

    it("keeps the secret that was shown at creation through refresh and update", async () => {
      expect(await suite.outputsOf("least")).to.include({ keySecret: secret });
      const { keySecret } = await suite.outputsOf("full");
      expect(sha256(String(keySecret))).to.equal(stored("full")?.keySecretHash);
      await expectNoSecrets(suite, secret, keySecret, sha256("second"));
    });

    it("stays as it is when adoptId is taken out of the program", () => {
      expect(update.steps.find(({ name, op }) => name === "adopted" && op !== "refresh")?.op).to.equal(
        "same",
      );
    });

    it("is read with get, and left as it is", async () => {
      expect((await suite.outputs()).other).to.deep.equal([otherId, "by hand", ["admin"], "wxyz"]);
      expect(suite.sandbox.store.keys.get(otherId)).to.deep.equal(existing(otherId));
    });

    it("shows no changes in the next preview, with a look at the service", async () => {
      await suite.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("destroyed with a key that signs the requests", () => {
    before(() => {
      suite.sandbox.store.keys.delete(ids.least ?? "");
      suite.forget();
    });

    it("deletes the others, and says in one clear error why not that one, without a request for it", async () => {
      const { keyId, keySecret } = await suite.outputsOf("signing");
      const environment = { PIPESTACK_KEY_ID: String(keyId), PIPESTACK_KEY_SECRET: String(keySecret) };
      const { output } = await suite.destroy({
        args: ["--continue-on-error"],
        environment,
        expect: "failure",
      });
      expectOneClearError(
        output,
        `API key ${ids.signing} is not deleted: it is the key this provider signs with`,
        "keyId and keySecret",
      );
      expect(output).to.not.include(String(keySecret));
      const deletions = Array.from({ length: 5 }, () => "deleteKey");
      expect(suite.asked()).to.have.members([...deletions, "deleteKey 404"]);
    });

    it("deletes that one with other credentials, and leaves the service what it had", async () => {
      suite.forget();
      await suite.destroy();
      expect(suite.asked()).to.deep.equal(["deleteKey"]);
      const left = [...suite.sandbox.store.keys.values()].map(({ name }) => name);
      expect(left).to.deep.equal(["sandbox admin", "by hand"]);
    });

    it("takes a key that somebody else has deleted for deleted", async () => {
      expect((await suite.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  const missing = "00000000-0000-4000-8000-000000000000";
  describeImpossible(
    suite,
    "createKey",
    [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: key("refused", least),
        problem: [refusalOf(setup, "createKey"), "at most 100 keys"],
      },
      {
        when: "adoptId names no key",
        name: "adopted",
        declaration: key("adopted", { ...least, adoptId: missing }),
        problem: ["error: adoptId: ", `has no API key ${missing}`],
      },
      {
        when: "get finds nothing",
        name: "missing",
        declaration: `ApiKey.get("missing", "${missing}");`,
        problem: [`error: ApiKey ${missing} does not exist`],
      },
    ],
    () => {
      const { keys } = suite.sandbox.store;
      while (keys.size < 100) {
        const id = randomUUID();
        keys.set(id, existing(id));
      }
    },
  );
});
