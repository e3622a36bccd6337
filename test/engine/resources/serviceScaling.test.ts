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

const first = { numReplicas: 4, idleScaling: false, minTotalMemoryGb: 36 };
const second = { numReplicas: 2, idleTimeoutMinutes: 30 };

const scaling = (name: string, args: object) => `new ServiceScaling("${name}", ${JSON.stringify(args)});\n`;

describe("ServiceScaling, applied by the engine", () => {
  const fixture = useFixture();
  let serviceId = "";
  let secondServiceId = "";

  before(() => {
    ({ serviceId, secondServiceId } = fixture.sandbox.credentials);
  });

  const service = (id: string) => {
    const found = fixture.sandbox.store.services.get(id);
    if (!found) throw new Error(`the sandbox has no service ${id}`);
    return found;
  };

  describe("created", () => {
    let update: Update;

    before(async () => {
      update = await fixture.apply(
        scaling("first", first) +
          scaling("second", { ...second, serviceId: secondServiceId, onDestroy: "restore" }),
      );
    });

    it("sends what is declared and nothing else, after a look at what is to be restored", () => {
      expect(bodies(fixture.sandbox, "PATCH /scaling")).to.deep.equal([first]);
      expect(bodies(fixture.sandbox, "PATCH /second/scaling")).to.deep.equal([second]);
      expect(calls(fixture.sandbox)).to.have.members([
        "PATCH /scaling",
        "GET /second",
        "PATCH /second/scaling",
      ]);
    });

    it("changes what is declared and leaves the rest of the service as it was", () => {
      expect(service(serviceId)).to.deep.include({ ...first, idleTimeoutMinutes: 15, maxTotalMemoryGb: 48 });
      expect(service(secondServiceId)).to.deep.include({ ...second, idleScaling: true });
    });

    it("is in the state under the service's id, with all that the service says of itself", async () => {
      expect((await fixture.resource("first")).id).to.equal(serviceId);
      const { id, ...members } = service(serviceId);
      expect(await fixture.outputsOf("first")).to.deep.include(members);
    });

    it("warns of the deprecated total memory, and points to the replicas", () => {
      expect(update.output).to.match(/minTotalMemoryGb is deprecated: .*use numReplicas/);
    });

    it("leaves no secret readable in state, output and journal", () =>
      expectNoSecrets(fixture, service(serviceId).encryptionKey, service(secondServiceId).encryptionKey));

    it("shows no changes in the next preview", async () => {
      forget(fixture.sandbox);
      await fixture.preview({ args: ["--expect-no-changes"] });
      expect(calls(fixture.sandbox)).to.deep.equal([]);
    });

    it("shows no drift right after, for one look at each service", async () => {
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(calls(fixture.sandbox)).to.have.members(["GET /", "GET /second"]);
    });
  });

  describe("changed", () => {
    const { idleScaling, ...firstLeft } = { ...first, numReplicas: 5 };
    const secondNow = { ...second, numReplicas: 3, idleScaling: false };
    let update: Update;

    before(async () => {
      forget(fixture.sandbox);
      update = await fixture.apply(
        scaling("first", firstLeft) +
          scaling("second", { ...secondNow, serviceId: secondServiceId, onDestroy: "restore" }),
      );
    });

    it("updates in place with what is declared", () => {
      expect(update.summary).to.deep.equal({ update: 2 });
      expect(bodies(fixture.sandbox, "PATCH /scaling")).to.deep.equal([firstLeft]);
      expect(bodies(fixture.sandbox, "PATCH /second/scaling")).to.deep.equal([secondNow]);
      expect(calls(fixture.sandbox)).to.have.length(2);
    });

    it("leaves a property that is taken out of the program at its value", async () => {
      expect(service(serviceId)).to.include({ numReplicas: 5, idleScaling: false });
      service(serviceId).idleScaling = true;
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    });
  });

  describe("destroyed", () => {
    let update: Update;

    before(async () => {
      forget(fixture.sandbox);
      update = await fixture.destroy();
    });

    it("leaves the service as it is, and warns", () => {
      expect(calls(fixture.sandbox)).to.deep.equal(["PATCH /second/scaling"]);
      expect(service(serviceId)).to.include({ numReplicas: 5, minTotalMemoryGb: 36 });
      expect(update.output).to.include(`service ${serviceId} keeps the scaling that it has`);
      expect(update.output).to.not.include(`service ${secondServiceId} keeps`);
    });

    it('puts back all that it managed in the end, when onDestroy is "restore"', () => {
      const before = { numReplicas: 1, idleScaling: true, idleTimeoutMinutes: 15 };
      expect(bodies(fixture.sandbox, "PATCH /second/scaling")).to.deep.equal([before]);
      expect(service(secondServiceId)).to.include(before);
    });
  });

  describe("moved to another service", () => {
    const moving = { numReplicas: 6, onDestroy: "restore" };

    it("is replaced: the other service is scaled before the first one gets back what it had", async () => {
      await fixture.apply(scaling("moving", moving));
      forget(fixture.sandbox);
      const { summary, steps } = await fixture.apply(
        scaling("moving", { ...moving, serviceId: secondServiceId }),
      );
      expect(summary).to.deep.equal({ replace: 1 });
      expect(steps.find(({ op }) => op === "replace")?.replaceKeys).to.deep.equal(["serviceId"]);
      expect(calls(fixture.sandbox)).to.deep.equal([
        "GET /second",
        "PATCH /second/scaling",
        "PATCH /scaling",
      ]);
      expect([service(serviceId).numReplicas, service(secondServiceId).numReplicas]).to.deep.equal([5, 6]);
    });

    it("is destroyed without a failure when its service is gone", async () => {
      const gone = service(secondServiceId);
      fixture.sandbox.store.services.delete(secondServiceId);
      forget(fixture.sandbox);
      await fixture.destroy();
      fixture.sandbox.store.services.set(secondServiceId, gone);
      expect(calls(fixture.sandbox)).to.deep.equal(["PATCH /second/scaling 404"]);
      expect((await fixture.exportState()).deployment.resources).to.equal(undefined);
    });
  });

  describe("of a service that no program manages", () => {
    it("is read with get, and left as it is", async () => {
      forget(fixture.sandbox);
      await fixture.apply(`const { name, numReplicas } = ServiceScaling.get("other", "${secondServiceId}");
exports.other = pulumi.all([name, numReplicas]);`);
      expect((await fixture.outputs()).other).to.deep.equal(["reporting", 6]);
      expect(calls(fixture.sandbox)).to.deep.equal(["GET /second"]);
    });
  });

  describe("that cannot be", () => {
    it("is one clear error when the API refuses it", async () => {
      const { output } = await fixture.apply(scaling("refused", { numReplicas: 1 }), { expect: "failure" });
      expectOneClearError(output, "updateScaling (PATCH /v1/", "answered 400", requestId, "must be >= 2");
    });

    it("is one clear error when get finds no service", async () => {
      const missing = "00000000-0000-4000-8000-000000000000";
      const { output } = await fixture.apply(`ServiceScaling.get("missing", "${missing}");`, {
        expect: "failure",
      });
      expectOneClearError(output, `ServiceScaling ${missing} does not exist`);
    });
  });
});
