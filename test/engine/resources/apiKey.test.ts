import { createHash, randomUUID } from "node:crypto";
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

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const full = {
  name: "Full",
  roles: ["query_endpoints", "developer"],
  state: "disabled",
  expireAt: "2031-01-01T00:00:00Z",
  ipAccessList: [{ source: "10.0.0.0/8", description: "office" }, { source: "203.0.113.7" }],
};
const least = { roles: ["developer"] };
const shrinking = { ...full, name: "Shrinking" };
const hashData = (secret: string) => ({
  keyIdHash: sha256(`id of ${secret}`),
  keyIdSuffix: "abcd",
  keySecretHash: sha256(secret),
});

const key = (name: string, args: object) =>
  `const ${name} = new ApiKey("${name}", ${JSON.stringify(args)});\n`;

describe("ApiKey, applied by the engine", () => {
  const fixture = useFixture();
  const ids: Record<string, string> = {};
  let secret = "";

  const stored = (name: string) => fixture.sandbox.store.keys.get(ids[name] ?? "");

  describe("created", () => {
    before(async () => {
      const { output } = await fixture.apply(
        key("full", full) +
          key("least", least) +
          key("shrinking", shrinking) +
          key("rotated", { ...least, keepers: { generation: "1" } }) +
          key("hashed", { ...least, hashData: hashData("first") }) +
          "exports.secret = least.keySecret;",
      );
      expect(output).to.match(/secret *: \[secret\]/);
      for (const name of ["full", "least", "shrinking", "rotated", "hashed"])
        ids[name] = (await fixture.resource(name)).id ?? "";
      secret = String((await fixture.outputsOf("least")).keySecret);
    });

    it("sends what is declared and nothing else, with the resource's name where it has no other", () => {
      // The journal shows no hashes; that the right ones were sent shows in the store.
      const hashes = { keyIdHash: "[redacted]", keyIdSuffix: "abcd", keySecretHash: "[redacted]" };
      expect(bodies(fixture.sandbox, "POST /keys")).to.have.deep.members([
        full,
        shrinking,
        { ...least, name: "least" },
        { ...least, name: "rotated" },
        { ...least, name: "hashed", hashData: hashes },
      ]);
      expect(calls(fixture.sandbox)).to.have.length(5);
    });

    it("is in the service as it is declared", () => {
      expect(stored("full")).to.deep.include(full);
      expect(stored("least")).to.deep.include({ ...least, state: "enabled" });
      expect(stored("least")).to.not.have.any.keys("expireAt", "ipAccessList");
      const { keyIdSuffix, ...hashes } = hashData("first");
      expect(stored("hashed")).to.deep.include({ ...hashes, keySuffix: keyIdSuffix });
    });

    it("is in the state with its id and secret, which only the answer to the creation shows", async () => {
      const outputs = await fixture.outputsOf("least");
      expect(sha256(secret)).to.equal(stored("least")?.keySecretHash);
      expect(sha256(String(outputs.keyId))).to.equal(stored("least")?.keyIdHash);
      expect(outputs).to.deep.include({
        name: "least",
        state: "enabled",
        keySuffix: stored("least")?.keySuffix,
      });
      expect(await fixture.outputsOf("hashed")).to.not.have.any.keys("keyId", "keySecret");
    });

    it("leaves no secret readable in state, output and journal", async () => {
      const secrets = ["full", "shrinking", "rotated"].map(
        async (name) => (await fixture.outputsOf(name)).keySecret,
      );
      const { keyIdHash, keySecretHash } = hashData("first");
      await expectNoSecrets(fixture, secret, ...(await Promise.all(secrets)), keyIdHash, keySecretHash);
    });

    it("shows no changes in the next preview", async () => {
      forget(fixture.sandbox);
      await fixture.preview({ args: ["--expect-no-changes"] });
      expect(calls(fixture.sandbox)).to.deep.equal([]);
    });

    it("shows no drift right after, for one list of all keys", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(calls(fixture.sandbox)).to.deep.equal(["GET /keys"]);
    });
  });

  describe("changed", () => {
    const fullNow = { ...full, roles: ["developer", "admin"], expireAt: "2020-01-01T00:00:00Z" };
    const shrinkingNow = { name: "Shrinking", roles: ["developer"] };
    let update: Update;
    let replaced: (string | undefined)[];

    before(async () => {
      replaced = [ids.rotated, ids.hashed];
      forget(fixture.sandbox);
      update = await fixture.apply(
        key("full", fullNow) +
          key("least", least) +
          key("shrinking", shrinkingNow) +
          key("rotated", { ...least, keepers: { generation: "2" } }) +
          key("hashed", { ...least, hashData: hashData("second") }),
        { args: ["--refresh"] },
      );
      for (const name of ["rotated", "hashed"]) ids[name] = (await fixture.resource(name)).id ?? "";
    });

    it("updates in place what the API can change, an expiry in the past too, and replaces for the rest", () => {
      expect(update.summary).to.deep.equal({ same: 1, update: 2, replace: 2 });
      const keys = update.steps
        .filter(({ op }) => op === "replace")
        .map(({ name, replaceKeys }) => [name, replaceKeys]);
      expect(Object.fromEntries(keys)).to.have.keys("rotated", "hashed");
      expect(Object.fromEntries(keys).rotated).to.deep.equal(["keepers.generation"]);
      expect(stored("full")).to.deep.include(fullNow);
    });

    it("resets state and expiry that are taken out of the program, and leaves the access list, saying so", () => {
      expect(bodies(fixture.sandbox, "PATCH /keys/{id}")).to.have.deep.members([
        fullNow,
        { ...shrinkingNow, state: "enabled", expireAt: null },
      ]);
      expect(stored("shrinking")).to.deep.include({ state: "enabled", ipAccessList: full.ipAccessList });
      expect(stored("shrinking")).to.not.have.property("expireAt");
      expect(update.output).to.include(`API key ${ids.shrinking} keeps the ipAccessList`);
    });

    it("creates the new key before it deletes the old one", () => {
      const order = calls(fixture.sandbox).filter((call) => !/^(GET|PATCH)/.test(call));
      const [created, deleted] = ["POST /keys", "DELETE /keys/{id}"];
      expect(order).to.deep.equal([created, created, deleted, deleted]);
      for (const id of replaced) expect(fixture.sandbox.store.keys.has(id ?? "")).to.equal(false);
      expect(stored("hashed")?.keySecretHash).to.equal(sha256("second"));
    });

    it("keeps the secret that was shown at creation through refresh and update", async () => {
      expect(await fixture.outputsOf("least")).to.include({ keySecret: secret });
      const { keySecret } = await fixture.outputsOf("full");
      expect(sha256(String(keySecret))).to.equal(stored("full")?.keySecretHash);
      await expectNoSecrets(fixture, secret, keySecret, sha256("second"));
    });

    it("shows no changes in the next preview, with a look at the service", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("destroyed", () => {
    before(async () => {
      fixture.sandbox.store.keys.delete(ids.least ?? "");
      forget(fixture.sandbox);
      await fixture.destroy();
    });

    it("is gone from the service, which keeps the key of the settings", () => {
      expect([...fixture.sandbox.store.keys.values()].map(({ name }) => name)).to.deep.equal([
        "sandbox admin",
      ]);
    });

    it("takes a key that somebody else has deleted for deleted", async () => {
      expect(calls(fixture.sandbox)).to.include("DELETE /keys/{id} 404");
      expect((await fixture.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  describe("that exists already", () => {
    const [adoptedId, otherId] = [randomUUID(), randomUUID()];
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
    let update: Update;

    before(async () => {
      for (const id of [adoptedId, otherId]) fixture.sandbox.store.keys.set(id, existing(id));
      forget(fixture.sandbox);
      update = await fixture.apply(`${key("adopted", { ...full, adoptId: adoptedId })}
const other = ApiKey.get("other", "${otherId}");
exports.other = pulumi.all([other.id, other.name, other.roles, other.keySuffix]);`);
    });

    it("is taken over with adoptId: changed to what is declared, and not created", () => {
      expect(calls(fixture.sandbox)).to.not.include("POST /keys");
      expect(bodies(fixture.sandbox, "PATCH /keys/{id}")).to.deep.equal([full]);
      expect(fixture.sandbox.store.keys.get(adoptedId)).to.deep.include(full);
      expect(update.output).to.include(`API key ${adoptedId} is taken over without its secret`);
    });

    it("is read with get, and left as it is", async () => {
      expect((await fixture.outputs()).other).to.deep.equal([otherId, "by hand", ["admin"], "wxyz"]);
      expect(fixture.sandbox.store.keys.get(otherId)).to.deep.equal(existing(otherId));
    });

    it("stays as it is when adoptId is taken out of the program, and deletes nothing that it only read", async () => {
      const { summary } = await fixture.apply(key("adopted", full));
      expect(summary).to.deep.equal({ same: 1 });
      await fixture.destroy();
      expect(fixture.sandbox.store.keys.has(adoptedId)).to.equal(false);
      expect(fixture.sandbox.store.keys.has(otherId)).to.equal(true);
    });
  });

  describe("that signs the requests", () => {
    it("is never deleted: one clear error says why, and no request is sent", async () => {
      await fixture.apply(key("signer", { roles: ["admin"] }));
      const { keyId, keySecret } = await fixture.outputsOf("signer");
      const { id } = await fixture.resource("signer");
      const environment = { PIPESTACK_KEY_ID: String(keyId), PIPESTACK_KEY_SECRET: String(keySecret) };
      forget(fixture.sandbox);
      const { output } = await fixture.destroy({ environment, expect: "failure" });
      expectOneClearError(output, `API key ${id} signs the requests`, "keyId and keySecret");
      expect(calls(fixture.sandbox)).to.deep.equal([]);
      expect(output).to.not.include(String(keySecret));
      await fixture.destroy();
      expect(calls(fixture.sandbox)).to.deep.equal(["DELETE /keys/{id}"]);
    });
  });

  describe("that cannot be", () => {
    const missing = "00000000-0000-4000-8000-000000000000";

    it("is one clear error when the API refuses it", async () => {
      const [admin] = fixture.sandbox.store.keys.values();
      const others = Array.from({ length: 100 }, () => randomUUID());
      for (const id of others) if (admin) fixture.sandbox.store.keys.set(id, { ...admin, id, keyIdHash: id });
      const { output } = await fixture.apply(key("refused", least), { expect: "failure" });
      for (const id of others) fixture.sandbox.store.keys.delete(id);
      expectOneClearError(output, "createKey (POST /v1/", "answered 400", requestId, "at most 100 keys");
    });

    it("is one clear error when adoptId names no key", async () => {
      const adopted = key("adopted", { ...least, adoptId: missing });
      const { output } = await fixture.apply(adopted, { expect: "failure" });
      expectOneClearError(output, "adoptId", `has no API key ${missing}`);
    });

    it("is one clear error when get finds nothing", async () => {
      const { output } = await fixture.apply(`ApiKey.get("missing", "${missing}");`, { expect: "failure" });
      expectOneClearError(output, `ApiKey ${missing} does not exist`);
    });
  });
});
