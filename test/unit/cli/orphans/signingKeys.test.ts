import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { secretMark, signature } from "../../../../provider/engine/engineValues";
import { pulumiThatAnswers } from "../runHere";
import { deleting, type Report, resource, unlistedServices, useOrphansFixture } from "./orphansFixture";

const providerOf = (type: string, name: string, inputs: object) => ({
  ...{ urn: `urn:pulumi:dev::test::pulumi:providers:${type}::${name}`, type: `pulumi:providers:${type}` },
  inputs,
});
const hidden = { [signature]: secretMark, ciphertext: "v1:…" };

describe("Keys that sign requests, in pipestack orphans", () => {
  const fixture = useOrphansFixture();
  const { report, state, addDashboard, addKey } = fixture;

  it("pipestack orphans deletes no key if a provider in a state has a secret keyId", async () => {
    const key = await addKey();
    const provider = providerOf("pipestack", "other", { keyId: hidden });
    const held = await addDashboard();
    const { ids, kept } = await report([provider, resource("Dashboard", held.id)], deleting);
    expect(ids).to.deep.equal([key.id]);
    expect(kept).to.deep.equal(["cannot tell with which key the provider other signs: its keyId is secret"]);
    expect([...fixture.sandbox.store.keys.keys()]).to.include(key.id);
  });

  if (process.platform !== "win32") {
    /** Returns the API keys that `pipestack orphans` lists, and why it keeps each, if the stack's provider has this `keyId`. */
    const listed = async (
      keyId: unknown,
      config: string,
      args: string[] = [],
      provider = providerOf("pulumi-nodejs", "default", { "pipestack:keyId": keyId }),
    ) => {
      const exported = await state([provider]);
      await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
      const program = await pulumiThatAnswers(fixture.folder, { config, "*": `cat "${exported}"` });
      const { stdout } = await fixture.pipestack(["orphans", "--json", ...args], {}, program);
      return (JSON.parse(stdout) as Report).orphans.map(({ id, kept }) => [id, kept]);
    };
    const configured = ({ keyId }: { keyId: string }) =>
      `echo '${JSON.stringify({ "pipestack:keyId": { value: keyId, secret: true } })}'`;

    it("the key of a stack's configuration is no orphan if the state has it as a secret", async () => {
      const [signing, other] = [await addKey(), await addKey()];
      expect(await listed(hidden, configured(signing))).to.deep.equal([[other.id, unlistedServices]]);
    });

    for (const [name, setting] of [
      ["default_eu", "pipestack:keyId"],
      ["default", "pipestack-provider:keyId"],
    ] as const)
      it(`pipestack orphans keeps every key if an explicit provider has a secret keyId: ${name}`, async () => {
        const [signing, other] = [await addKey(), await addKey()];
        const provider = providerOf("pulumi-nodejs", name, { [setting]: hidden });
        expect(await listed(hidden, configured(signing), [], provider)).to.deep.equal([
          [other.id, `cannot tell with which key the provider ${name} signs: its keyId is secret`],
        ]);
      });

    it("after a rotation, neither the key of the configuration nor that of the state is an orphan", async () => {
      const [former, rotated, other] = [await addKey(), await addKey(), await addKey()];
      expect(await listed(former.keyId, configured(rotated))).to.deep.equal([[other.id, unlistedServices]]);
    });

    it("pipestack orphans keeps every key if the configuration of a given stack cannot be read", async () => {
      const [signing, other] = [await addKey(), await addKey()];
      const config = `case "$*" in *prod*) exit 1 ;; *) echo '{}' ;; esac`;
      expect(await listed(signing.keyId, config, ["--stack", "dev", "--stack", "prod"])).to.deep.equal([
        [other.id, "cannot tell with which key prod signs: its configuration cannot be read"],
      ]);
    });
  }

  it("pipestack orphans keeps every key with the suffix of the key that signs requests", async () => {
    const key = await addKey();
    const keySuffix = fixture.sandbox.credentials.keyId.slice(-4);
    Object.assign(fixture.sandbox.store.keys.get(key.id) ?? {}, { keySuffix });
    const held = await addDashboard();
    const { code, report: found, ids } = await report([resource("Dashboard", held.id)], deleting);
    expect(code).to.equal(7);
    expect(ids).to.have.members([key.id, fixture.signingKey()]);
    for (const { kept, deleted } of found.orphans) {
      expect(kept).to.equal("it may be a key that signs requests (same suffix)");
      expect(deleted).to.equal(false);
    }
    expect(fixture.sandbox.store.keys.size).to.equal(2);
  });

  it("pipestack orphans deletes no key if it cannot tell which key signs the requests", async () => {
    const key = await addKey();
    for (const one of fixture.sandbox.store.keys.values()) one.keySuffix = "";
    const held = await addDashboard();
    const { report: found, ids } = await report([resource("Dashboard", held.id)], deleting);
    expect(ids).to.have.members([key.id, fixture.signingKey()]);
    expect(found.orphans.every(({ kept }) => kept === "cannot tell which key signs the requests")).to.equal(
      true,
    );
    expect(fixture.sandbox.store.keys.size).to.equal(2);
  });
});
