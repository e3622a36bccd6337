import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { secretMark, signature } from "../../../../provider/hosts/engineValues";
import { settingVariables } from "../../../pipestackCommand";
import { settingsOf } from "../../../serviceContents";
import { runHere } from "../runHere";
import { deleting, type Report, resource, useOrphansFixture } from "./orphansFixture";

describe("pipestack orphans", () => {
  const fixture = useOrphansFixture();
  const { report, state, addDashboard, addKey } = fixture;

  describe("takes for no orphan the key that signs", () => {
    it("its own requests", async () => {
      const { ids } = await report({ state: [await state([])] });
      expect(ids).to.deep.equal([]);
    });

    it("those of a given stack, by its configuration or by an explicit provider", async () => {
      const [configured, explicit, other] = [await addKey(), await addKey(), await addKey()];
      const provider = {
        urn: "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::default",
        type: "pulumi:providers:pulumi-nodejs",
        inputs: { "pipestack:keyId": configured.keyId, "pipestack-provider:keyId": explicit.keyId },
      };
      expect((await report({ state: [await state([provider])] })).ids).to.deep.equal([other.id]);
    });

    it("those of a given stack in the resource plugin", async () => {
      const [signing, other] = [await addKey(), await addKey()];
      const provider = {
        urn: "urn:pulumi:dev::test::pulumi:providers:pipestack::default_1_0_0",
        type: "pulumi:providers:pipestack",
        inputs: { keyId: signing.keyId, version: "1.0.0" },
      };
      expect((await report({ state: [await state([provider])] })).ids).to.deep.equal([other.id]);
    });

    it("and no key at all where a provider in a state keeps secret which one signs", async () => {
      const key = await addKey();
      const provider = {
        urn: "urn:pulumi:dev::test::pulumi:providers:pipestack::other",
        type: "pulumi:providers:pipestack",
        inputs: { keyId: { [signature]: secretMark, ciphertext: "v1:…" } },
      };
      const held = await addDashboard();
      const args = { state: [await state([provider, resource("Dashboard", held.id)])], ...deleting };
      const { ids, kept } = await report(args);
      expect(ids).to.deep.equal([key.id]);
      expect(kept).to.deep.equal([
        "cannot tell with which key the provider other signs: its keyId is secret",
      ]);
      expect([...fixture.sandbox.store.keys.keys()]).to.include(key.id);
    });

    if (process.platform !== "win32")
      it("which the configuration of a stack tells where its state keeps it secret", async () => {
        const [signing, other] = [await addKey(), await addKey()];
        const provider = {
          urn: "urn:pulumi:dev::test::pulumi:providers:pulumi-nodejs::default",
          type: "pulumi:providers:pulumi-nodejs",
          inputs: { "pipestack:keyId": { [signature]: secretMark, ciphertext: "v1:…" } },
        };
        const exported = await state([provider]);
        await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: test\nruntime: nodejs\n");
        const program = join(fixture.folder, "pulumi");
        const configuration = JSON.stringify({ "pipestack:keyId": { value: signing.keyId, secret: true } });
        await writeFile(
          program,
          `#!/bin/sh\ncase "$1" in config) echo '${configuration}' ;; *) cat "${exported}" ;; esac\n`,
        );
        await chmod(program, 0o755);
        const variables = { ...settingVariables(settingsOf(fixture.sandbox)), PIPESTACK_PULUMI: program };
        const { stdout } = await runHere(["orphans", "--json"], fixture.folder, variables);
        const { orphans } = JSON.parse(stdout) as Report;
        expect(orphans.map(({ id, kept }) => [id, kept])).to.deep.equal([[other.id, null]]);
      });

    it("as far as that can be told: keys that end alike are listed and never deleted", async () => {
      const key = await addKey();
      const keySuffix = fixture.sandbox.credentials.keyId.slice(-4);
      Object.assign(fixture.sandbox.store.keys.get(key.id) ?? {}, { keySuffix });
      const held = await addDashboard();
      const args = { state: [await state([resource("Dashboard", held.id)])], ...deleting };
      const { code, found, ids } = await report(args);
      expect(code).to.equal(7);
      expect(ids).to.have.members([key.id, fixture.signingKey()]);
      for (const { kept, deleted } of found.orphans) {
        expect(kept).to.equal("it may be a key that signs requests (same suffix)");
        expect(deleted).to.equal(false);
      }
      expect(fixture.sandbox.store.keys.size).to.equal(2);
    });

    it("and deletes no key where none can be told to be that one", async () => {
      const key = await addKey();
      for (const { id } of fixture.sandbox.store.keys.values()) {
        Object.assign(fixture.sandbox.store.keys.get(id) ?? {}, { keySuffix: "" });
      }
      const held = await addDashboard();
      const args = { state: [await state([resource("Dashboard", held.id)])], ...deleting };
      const { found, ids } = await report(args);
      expect(ids).to.have.members([key.id, fixture.signingKey()]);
      expect(found.orphans.every(({ kept }) => kept === "cannot tell which key signs the requests")).to.equal(
        true,
      );
      expect(fixture.sandbox.store.keys.size).to.equal(2);
    });
  });
});
