import { expect } from "chai";
import { seededCredentials } from "../../../sandbox/index";
import { refusalOf } from "./operations";
import type { Data, Setup } from "./setups";
import type { ResourceTests, SuiteOf } from "./suite";

const first = { numReplicas: 4, idleScaling: false, minTotalMemoryGb: 36 };
const { idleScaling, ...firstLeft } = { ...first, numReplicas: 5 };
const scaling = (name: string, args: object) =>
  `const ${name} = new ServiceScaling("${name}", ${JSON.stringify(args)});\n`;

export function serviceScalingTests(suiteOf: SuiteOf, setup: Setup): ResourceTests {
  const suite = suiteOf("ServiceScaling");
  const { onSecond } = suite;
  const { serviceId, secondServiceId } = seededCredentials;
  const missing = "00000000-0000-4000-8000-000000000000";
  const { operation, advice, looks, unshown, ...replicas } = setup.scaling;
  const second: Data = { ...replicas.created, idleTimeoutMinutes: 30 };
  const secondNow: Data = { ...replicas.changed, idleTimeoutMinutes: 30, idleScaling: false };
  const secondBefore = { ...replicas.before, idleScaling: true, idleTimeoutMinutes: 15 };
  const restored = { onDestroy: "restore" };
  const further = { ...restored, ...setup.scopes.second.declared };

  const service = (id: string) => {
    const found = suite.sandbox.store.services.get(id);
    if (!found) throw new Error(`the sandbox has no service ${id}`);
    return found;
  };

  return {
    type: "ServiceScaling",
    looks,

    secrets: async () => [service(serviceId).encryptionKey, service(secondServiceId).encryptionKey],

    created: {
      program: () => scaling("first", first) + scaling("second", { ...second, ...further }),
      tests() {
        it("sends what is declared and nothing else, after a look at what is to be restored", () => {
          suite.expectSent("updateScaling", first);
          suite.expectSent(onSecond(operation), second);
          expect(suite.changes()).to.have.members(["updateScaling", onSecond(operation)]);
          const asked = suite.asked();
          expect(asked.indexOf(onSecond("getService"))).to.be.within(0, asked.indexOf(onSecond(operation)));
        });

        it("changes what is declared and leaves the rest of the service as it was", () => {
          expect(service(serviceId)).to.deep.include({
            ...first,
            idleTimeoutMinutes: 15,
            maxTotalMemoryGb: 48,
          });
          expect(service(secondServiceId)).to.deep.include({ ...second, idleScaling: true });
        });

        it("is in the state under the service's id, with all that the service says of itself", async () => {
          expect(suite.id("first")).to.equal(serviceId);
          const { id, ...members } = service(serviceId);
          const shown = Object.entries(members).filter(([name]) => !unshown.includes(name));
          expect(await suite.outputsOf("first")).to.deep.include(Object.fromEntries(shown));
        });

        it("warns of the deprecated total memory, and points to what is in its place", () => {
          expect(suite.last.output).to.match(/minTotalMemoryGb is deprecated: .*; use \w+ instead/);
          expect(suite.last.output).to.include(`; use ${advice} instead`);
        });
      },
    },

    changed: {
      program: () => scaling("first", firstLeft) + scaling("second", { ...secondNow, ...further }),
      tests() {
        it("updates in place with what is declared", () => {
          expect(suite.done()).to.deep.equal({ first: "update", second: "update" });
          suite.expectSent("updateScaling", firstLeft);
          suite.expectSent(onSecond(operation), secondNow);
          expect(suite.changes()).to.have.members(["updateScaling", onSecond(operation)]);
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
exports.ServiceScaling = pulumi.all([other.name, other.idleTimeoutMinutes]);
`,
      tests() {
        it("is replaced: the other service is scaled before the first one gets back what it had", () => {
          expect(suite.done()).to.deep.include({ first: "delete", second: "replace", other: "read" });
          expect(suite.replaceKeys("second")).to.deep.equal(["serviceId"]);
          expect(suite.changes()).to.deep.equal([operation, onSecond(operation)]);
          suite.expectSent(operation, secondNow);
          expect(service(serviceId)).to.include(secondNow);
        });

        it('puts back all that it managed in the end, when onDestroy is "restore"', () => {
          suite.expectSent(onSecond(operation), secondBefore);
          expect(service(secondServiceId)).to.include(secondBefore);
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
          expect(await suite.exported()).to.deep.equal(["reporting", secondNow.idleTimeoutMinutes]);
        });
      },
    },

    refused: operation,
    failing: [
      {
        when: "the API refuses it",
        name: "refused",
        declaration: scaling("refused", replicas.before),
        message: [refusalOf(setup, operation), "must be >= 2"],
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
