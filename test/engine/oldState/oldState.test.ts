import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { sha256 } from "../../../sandbox/core/identifiers";
import { useFixture } from "../fixture";
import type { ExportedState, StateJson } from "../workspace";

const fileHere = (name: string) => join(__dirname, name);
const textOf = (name: string) => readFileSync(fileHere(name), "utf8");

/**
 * The Pulumi state of `program.js` as version 0.1.0 wrote it (without source positions and times), and the objects that it had
 * created. Every later version has to read this state.
 */
const written: ExportedState = JSON.parse(textOf("state.json"));
const objects = JSON.parse(textOf("objects.json"));
const program = textOf("program.js");
const changed = program
  .replace("numReplicas: 4", "numReplicas: 5")
  .replace('["query_endpoints"]', '["developer"]')
  .replace(', "https://a.example"', "")
  .replace("w: 12", "w: 8")
  .replace("threshold: 10", "threshold: 20");

describe("A stack whose state pipestack 0.1.0 wrote", () => {
  const fixture = useFixture({
    // The types in the old Pulumi state belong to the dynamic host. The test plugin.test.ts moves such a state to the plugin.
    host: "dynamic",
    secrets: "passphrase",
    // The sandbox rewrites values as it did when version 0.1.0 wrote the old Pulumi state.
    sandbox: {
      rewrites: [
        "defaults",
        "reorder",
        "normalizedOrigins",
        "normalizedTimes",
        "seriesAsConfig",
        "dashboardId",
      ],
    },
  });
  const scaling = () => {
    const { store, credentials } = fixture.sandbox;
    return store.services.get(credentials.serviceId)?.numReplicas;
  };

  async function restore(): Promise<void> {
    await fixture.sandbox.reset();
    const { store, credentials } = fixture.sandbox;
    for (const name of ["keys", "queryEndpoints", "dashboards", "alerts"] as const) {
      const records = store[name] as Map<string, { id: string }>;
      for (const record of structuredClone(objects[name])) records.set(record.id, record);
    }
    const service = store.services.get(credentials.serviceId);
    if (service) service.numReplicas = 4;
    await fixture.run(["stack", "import", "--file", fileHere("state.json")]);
    await fixture.write(program);
  }

  /**
   * Returns inputs, outputs and ids of the resources in a Pulumi state, by name. It leaves out encrypted values, since they
   * differ each time the state is written.
   */
  function resourcesIn({ deployment }: ExportedState): {
    [name: string]: Pick<StateJson, "id" | "inputs" | "outputs">;
  } {
    const declared = (deployment.resources ?? []).filter(({ type }) => type.includes("/pipestack:"));
    return Object.fromEntries(
      declared.map(({ urn, id, inputs, outputs = {} }) => {
        const { encryptionKey, keySecret, ...shown } = outputs;
        return [urn.split("::").at(-1) ?? "", { id, inputs, outputs: shown }];
      }),
    );
  }

  async function expectKeptSecret(): Promise<void> {
    const { keySecret } = await fixture.outputs({ showSecrets: true });
    expect(sha256(String(keySecret))).to.equal(objects.keys[0].keySecretHash);
  }

  async function expectUpdatedInPlace(): Promise<void> {
    await fixture.write(changed);
    expect((await fixture.up()).summary).to.deep.equal({ update: 5 });
    const { store } = fixture.sandbox;
    expect(scaling()).to.equal(5);
    expect(store.keys.get(objects.keys[0].id)?.roles).to.deep.equal(["developer"]);
    expect(store.queryEndpoints.get(objects.queryEndpoints[0].id)?.allowedOrigins).to.equal(
      "https://b.example",
    );
    const [board] = objects.dashboards;
    expect(store.dashboards.get(board.id)?.tiles).to.deep.equal([{ ...board.tiles[0], w: 8 }]);
    expect(store.alerts.get(objects.alerts[0].id)?.threshold).to.equal(20);
    await expectKeptSecret();
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
  }

  async function expectDestroyed(): Promise<void> {
    await fixture.destroy();
    const { keys, queryEndpoints, dashboards, alerts } = fixture.sandbox.store;
    expect([...keys.values()].map(({ name }) => name)).to.deep.equal(["sandbox admin"]);
    expect([queryEndpoints.size, dashboards.size, alerts.size]).to.deep.equal([0, 0, 0]);
    expect(scaling(), "replicas as before the scaling was created").to.equal(3);
  }

  describe("A stack whose state pipestack 0.1.0 wrote, refreshed before its update", () => {
    before(restore);

    it("neither a preview nor a refresh changes a state that pipestack 0.1.0 wrote", async () => {
      await fixture.preview({ args: ["--expect-no-changes"] });
      await fixture.refresh({ args: ["--expect-no-changes"] });
      await fixture.preview({ args: ["--expect-no-changes"] });
      const changes = fixture.sandbox.requests.filter(({ method }) => method !== "GET");
      expect(changes.map(({ path }) => path)).to.deep.equal([]);
    });

    it("a refresh keeps all ids, inputs and outputs in a state that pipestack 0.1.0 wrote", async () => {
      const expected = resourcesIn(written);
      expect(JSON.stringify(expected)).to.include('"previous"').and.include('"normalized"');
      expect(resourcesIn(await fixture.exportState())).to.deep.equal(expected);
      await expectKeptSecret();
    });

    it(
      "an update after a refresh changes the objects of a stack from pipestack 0.1.0 in place",
      expectUpdatedInPlace,
    );

    it(
      "destroying the refreshed stack restores the replicas that the service had before it",
      expectDestroyed,
    );
  });

  describe("A stack whose state pipestack 0.1.0 wrote, updated without a refresh", () => {
    before(restore);

    it("an update without a refresh changes the objects of a stack from pipestack 0.1.0 in place", async () => {
      await expectUpdatedInPlace();
      const { outputs } = resourcesIn(await fixture.exportState()).scaling ?? {};
      const before = resourcesIn(written).scaling?.outputs?.__tracking;
      expect(outputs).to.deep.include({ __tracking: before });
    });

    it("destroying the unrefreshed stack restores the replicas that the service had before it", async () => {
      await restore();
      await expectDestroyed();
    });
  });
});
