import { expect } from "chai";
import { seededCredentials } from "../../../sandbox/src";
import { refusalOf } from "./operations";
import type { Data, Setup } from "./setups";
import type { ResourceTests, SuiteOf } from "./suite";

const first = { numReplicas: 4, idleScaling: false, minTotalMemoryGb: 36 };
const { idleScaling, ...firstLeft } = { ...first, numReplicas: 5 };
const second = { numReplicas: 2, idleTimeoutMinutes: 30 };
const secondNow = { ...second, numReplicas: 3, idleScaling: false };
const secondBefore = { numReplicas: 1, idleScaling: true, idleTimeoutMinutes: 15 };

const scaling = (name: string, args: object) =>
  `const ${name} = new ServiceScaling("${name}", ${JSON.stringify(args)});\n`;

export function serviceScalingTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("ServiceScaling");
  const { onSecond } = suite;
  const { serviceId, secondServiceId } = seededCredentials;
  const missing = "00000000-0000-4000-8000-000000000000";
  // What goes to the newer operation, where there is one.
  const memory: Data[] = setup.replicaMemory.map(({ declared }) => declared);
  const memoryBefore: Data[] = setup.replicaMemory.map(({ before }) => before);
  const memoryChanges = memory.map(() => "updateReplicaScaling");
  const restored = Object.assign({ onDestroy: "restore" }, ...memory);
  const further = { ...restored, ...setup.scopes.second.declared };

  const service = (id: string) => {
    const found = suite.sandbox.store.services.get(id);
    if (!found) throw new Error(`the sandbox has no service ${id}`);
    return found;
  };

  return {
    type: "ServiceScaling",
    looks: ["getService", onSecond("getService")],

    secrets: async () => [service(serviceId).encryptionKey, service(secondServiceId).encryptionKey],

    created: {
      program: () => scaling("first", first) + scaling("second", { ...second, ...further }),
      tests() {
        it("sends what is declared and nothing else, after a look at what is to be restored", () => {
          suite.expectSent("updateScaling", first);
          suite.expectSent(onSecond("updateScaling"), second);
          suite.expectSent(onSecond("updateReplicaScaling"), ...memory);
          const others = ["getService", "updateScaling", ...memoryChanges].map(onSecond);
          expect(suite.asked()).to.have.members(["updateScaling", ...others]);
        });

        it("changes what is declared and leaves the rest of the service as it was", () => {
          expect(service(serviceId)).to.deep.include({
            ...first,
            idleTimeoutMinutes: 15,
            maxTotalMemoryGb: 48,
          });
          expect(service(secondServiceId)).to.deep.include(
            Object.assign({ ...second, idleScaling: true }, ...memory),
          );
        });

        it("is in the state under the service's id, with all that the service says of itself", async () => {
          expect(suite.id("first")).to.equal(serviceId);
          const { id, ...members } = service(serviceId);
          expect(await suite.outputsOf("first")).to.deep.include(members);
        });

        it("warns of the deprecated total memory, and points to the replicas", () => {
          expect(suite.last.output).to.match(/minTotalMemoryGb is deprecated: .*use numReplicas/);
        });
      },
    },

    changed: {
      program: () => scaling("first", firstLeft) + scaling("second", { ...secondNow, ...further }),
      tests() {
        it("updates in place with what is declared", () => {
          expect(suite.done()).to.deep.equal({ first: "update", second: "update" });
          suite.expectSent("updateScaling", firstLeft);
          suite.expectSent(onSecond("updateScaling"), secondNow);
          suite.expectSent(onSecond("updateReplicaScaling"), ...memory);
          expect(suite.asked()).to.have.length(2 + memory.length);
        });

        it("leaves a property that is taken out of the program at its value", () => {
          expect(service(serviceId)).to.include({ numReplicas: 5, idleScaling: false });
          // No drift from now on, as the look for it shows.
          service(serviceId).idleScaling = true;
        });
      },
    },

    // One moves to another service, from which another one is taken out of the program.
    changedAgain: {
      program: () =>
        `${scaling("second", { ...secondNow, ...restored })}
const other = ServiceScaling.get("other", "${secondServiceId}", {}, { dependsOn: second });
exports.ServiceScaling = pulumi.all([other.name, other.numReplicas]);
`,
      tests() {
        it("is replaced: the other service is scaled before the first one gets back what it had", () => {
          expect(suite.done()).to.deep.include({ first: "delete", second: "replace", other: "read" });
          expect(suite.replaceKeys("second")).to.deep.equal(["serviceId"]);
          const changes = ["updateScaling", ...memoryChanges];
          expect(suite.changes()).to.deep.equal([...changes, ...changes.map(onSecond)]);
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
          const { output } = suite.last;
          expect(output).to.include(
            `ServiceScaling ${serviceId} is not deleted, since the program still declares it`,
          );
          expect(output).to.not.include(`${secondServiceId} is not deleted`);
        });

        it("is read with get", async () => {
          expect(await suite.exported()).to.deep.equal(["reporting", secondNow.numReplicas]);
        });
      },
    },

    refused: "updateScaling",
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: scaling("refused", { numReplicas: 1 }),
        message: [refusalOf(setup, "updateScaling"), "must be >= 2"],
      },
      {
        when: "get finds no service",
        name: "missing",
        declaration: `ServiceScaling.get("missing", "${missing}");`,
        message: [`error: ServiceScaling ${missing} does not exist`],
      },
    ],
  };
}
