import { expect } from "chai";
import { expectNoSecrets } from "../fixture";
import type { Update } from "../workspace";
import { describeImpossible } from "./impossible";
import { refusalOf } from "./operations";
import { type Data, setupsWithServices } from "./setups";
import { inEach } from "./suite";

const scaling = (name: string, args: object) =>
  `const ${name} = new ServiceScaling("${name}", ${JSON.stringify(args)});\n`;

inEach(setupsWithServices, "ServiceScaling", (suite, setup) => {
  const { onSecond } = suite;
  const first = { numReplicas: 4, idleScaling: false, minTotalMemoryGb: 36 };
  const second = { numReplicas: 2, idleTimeoutMinutes: 30 };
  const secondNow = { ...second, numReplicas: 3, idleScaling: false };
  const secondBefore = { numReplicas: 1, idleScaling: true, idleTimeoutMinutes: 15 };
  // What goes to the newer operation, where there is one.
  const memory: Data[] = setup.replicaMemory.map(({ declared }) => declared);
  const memoryBefore: Data[] = setup.replicaMemory.map(({ before }) => before);
  const restored = Object.assign({ onDestroy: "restore" }, ...memory);
  const further = { ...restored, ...setup.places.second.declared };
  let serviceId = "";
  let secondServiceId = "";

  before(() => {
    ({ serviceId, secondServiceId } = suite.sandbox.credentials);
  });

  const service = (id: string) => {
    const found = suite.sandbox.store.services.get(id);
    if (!found) throw new Error(`the sandbox has no service ${id}`);
    return found;
  };
  const memoryAsked = memory.map(() => "updateReplicaScaling");

  describe("created", () => {
    let update: Update;

    before(async () => {
      update = await suite.apply(scaling("first", first) + scaling("second", { ...second, ...further }));
    });

    it("sends what is declared and nothing else, after a look at what is to be restored", () => {
      suite.expectSent("updateScaling", first);
      suite.expectSent(onSecond("updateScaling"), second);
      suite.expectSent(onSecond("updateReplicaScaling"), ...memory);
      const others = ["getService", "updateScaling", ...memoryAsked].map(onSecond);
      expect(suite.asked()).to.have.members(["updateScaling", ...others]);
    });

    it("changes what is declared and leaves the rest of the service as it was", () => {
      expect(service(serviceId)).to.deep.include({ ...first, idleTimeoutMinutes: 15, maxTotalMemoryGb: 48 });
      expect(service(secondServiceId)).to.deep.include(
        Object.assign({ ...second, idleScaling: true }, ...memory),
      );
    });

    it("is in the state under the service's id, with all that the service says of itself", async () => {
      expect((await suite.ids()).first).to.equal(serviceId);
      const { id, ...members } = service(serviceId);
      expect(await suite.outputsOf("first")).to.deep.include(members);
    });

    it("warns of the deprecated total memory, and points to the replicas", () => {
      expect(update.output).to.match(/minTotalMemoryGb is deprecated: .*use numReplicas/);
    });

    it("leaves no secret readable in state, output and journal", () =>
      expectNoSecrets(suite, service(serviceId).encryptionKey, service(secondServiceId).encryptionKey));

    it("shows no changes in the next preview", async () => {
      suite.forget();
      await suite.preview({ args: ["--expect-no-changes"] });
      expect(suite.asked()).to.deep.equal([]);
    });

    it("shows no drift right after, for one look at each service", async () => {
      await suite.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(suite.asked()).to.have.members(["getService", onSecond("getService")]);
    });
  });

  describe("changed", () => {
    const { idleScaling, ...firstLeft } = { ...first, numReplicas: 5 };
    let update: Update;

    before(async () => {
      suite.forget();
      update = await suite.apply(
        scaling("first", firstLeft) + scaling("second", { ...secondNow, ...further }),
      );
    });

    it("updates in place with what is declared", () => {
      expect(update.summary).to.deep.equal({ update: 2 });
      suite.expectSent("updateScaling", firstLeft);
      suite.expectSent(onSecond("updateScaling"), secondNow);
      suite.expectSent(onSecond("updateReplicaScaling"), ...memory);
      expect(suite.asked()).to.have.length(2 + memory.length);
    });

    it("leaves a property that is taken out of the program at its value", async () => {
      expect(service(serviceId)).to.include({ numReplicas: 5, idleScaling: false });
      service(serviceId).idleScaling = true;
      await suite.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("moved to another service, from which another one is taken out of the program", () => {
    const { numReplicas } = secondNow;
    let update: Update;

    before(async () => {
      suite.forget();
      update = await suite.apply(
        `${scaling("second", { ...secondNow, ...restored })}
const other = ServiceScaling.get("other", "${secondServiceId}", {}, { dependsOn: second });
exports.other = pulumi.all([other.name, other.numReplicas]);`,
      );
    });

    it("is replaced: the other service is scaled before the first one gets back what it had", () => {
      expect(update.summary).to.deep.equal({ delete: 1, replace: 1, read: 1 });
      expect(update.steps.find(({ op }) => op === "replace")?.replaceKeys).to.deep.equal(["serviceId"]);
      expect(suite.asked()).to.deep.equal([
        ...["getService", "updateScaling", ...memoryAsked],
        onSecond("getService"),
        ...["updateScaling", ...memoryAsked].map(onSecond),
      ]);
      suite.expectSent("updateScaling", secondNow);
      expect(service(serviceId)).to.include(Object.assign({ ...secondNow }, ...memory));
    });

    it('puts back all that it managed in the end, when onDestroy is "restore"', () => {
      suite.expectSent(onSecond("updateScaling"), secondBefore);
      suite.expectSent(onSecond("updateReplicaScaling"), ...memoryBefore);
      expect(service(secondServiceId)).to.include(Object.assign({ ...secondBefore }, ...memoryBefore));
    });

    it("leaves a service as the other resource has scaled it, and warns", () => {
      expect(service(serviceId)).to.include({ minTotalMemoryGb: 36 });
      expect(update.output).to.include(`${serviceId} is not deleted, since the program still declares it`);
      expect(update.output).to.not.include(`${secondServiceId} is not deleted`);
    });

    it("is read with get", async () => {
      expect((await suite.outputs()).other).to.deep.equal(["reporting", numReplicas]);
    });
  });

  describe("destroyed", () => {
    it("does not fail when its service is gone", async () => {
      const gone = service(serviceId);
      suite.sandbox.store.services.delete(serviceId);
      suite.forget();
      await suite.destroy();
      suite.sandbox.store.services.set(serviceId, gone);
      expect(suite.asked()).to.deep.equal(["updateScaling 404"]);
      expect((await suite.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  const missing = "00000000-0000-4000-8000-000000000000";
  describeImpossible(suite, "updateScaling", [
    {
      when: "the API refuses it",
      name: "refused",
      declaration: scaling("refused", { numReplicas: 1 }),
      problem: [refusalOf(setup, "updateScaling"), "must be >= 2"],
    },
    {
      when: "get finds no service",
      name: "missing",
      declaration: `ServiceScaling.get("missing", "${missing}");`,
      problem: [`error: ServiceScaling ${missing} does not exist`],
    },
  ]);
});
