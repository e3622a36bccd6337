import { expect } from "chai";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import type { Fault } from "../../../sandbox/core/faults/fault";
import { failureOf } from "../api/failure";
import { type Answer, enveloped, refused } from "../api/server";
import { hostWith, withoutEnvironment } from "../hosts/dynamic/hostProcess";
import { dashboard, place, programs, useService } from "./scriptedService";

const id = "66f0c2d8a1b2c3d4e5f60718";

describe("Created objects that cannot be read back", () => {
  const service = useService();

  /** Answers a create with only an id and creates nothing. Later requests get the answer `look` if the test gives one. */
  function showNothing(look?: Answer): void {
    service.gateway = (operation, carryOut) => {
      if (operation.startsWith("create")) return enveloped({ id });
      return (service.verbs().includes("create") && look) || carryOut();
    };
  }

  for (const [why, look, message] of [
    ["it refuses reads", refused(403, "FORBIDDEN: not for this key"), / 403/],
    ["it does not know the object", undefined, /has no (alert|dashboard) /],
  ] as const)
    for (const type of ["Alert", "Dashboard"] as const)
      it(`a create of ${type} keeps the object in the state with an error if it cannot be read back since ${why}`, async () => {
        showNothing(look);
        const created = await service.create(service.open({ maxRetries: 0 }).session, type);
        expect(created.id).to.equal(id);
        expect(created.state).to.deep.include(programs[type]);
        expect(created.failure?.message).to.match(
          /^\w+ was created, but could not be read back; the next pulumi up completes it: /,
        );
        expect(created.failure?.message).to.match(message);
        expect(service.verbs().match(/create/g)).to.have.length(1);
      });

  it("the engine gets the id and properties of a created object even if it cannot be read back", async () => {
    const restore = withoutEnvironment();
    try {
      showNothing(refused(403, "FORBIDDEN: not for this key"));
      const host = hostWith({ ...service.settings(), maxRetries: "0" });
      const inputs = { ...place, ...dashboard, __provider: "code" };
      const error = (await failureOf(host.Dashboard.create(inputs))) as Error & PropertyMap;
      expect(error).to.include({ id, stack: error.message });
      expect(error.properties).to.deep.include({ ...dashboard, __provider: "code" });
      expect(error.reasons).to.deep.equal([error.message]);
      expect(JSON.parse(JSON.stringify(error.properties))).to.deep.equal(error.properties);
    } finally {
      restore();
    }
  });
});

describe("The create of a ServiceScaling with onDestroy restore", () => {
  const service = useService({ dialect: "clickhouse" });
  const change = (inputs: PropertyMap, maxRetries = 0) =>
    resources.ServiceScaling.create(
      { ...place, onDestroy: "restore", ...inputs },
      service.open({ maxRetries, dialect: "clickhouse" }).session,
    );
  const both = { maxTotalMemoryGb: 96, minReplicaMemoryGb: 32 };
  const previous = { numReplicas: 3, minReplicaMemoryGb: 16 };
  beforeEach(() => {
    Object.assign(service.model.store.services.get(place.serviceId) ?? {}, previous);
  });

  it("a create keeps the former values in the state if the service cannot be read afterwards", async () => {
    await service.fault(
      { kind: "403", operation: "getService", from: 2 },
      { kind: "stale", operation: "updateReplicaScaling" },
    );
    const { state, failure } = await change({ numReplicas: 5 });
    expect(state.numReplicas).to.equal(5);
    expect(trackingOf(state).previous).to.include(previous);
    expect(failure?.message).to.match(/403.*; the request may have taken effect: the next update/);
  });

  it("a create keeps the former values in the state if the second of its two requests is refused", async () => {
    await service.fault({ kind: "400", operation: "updateReplicaScaling" });
    const { state, failure } = await change(both);
    expect(service.requests.slice(-2)).to.deep.equal(["updateScaling", "updateReplicaScaling"]);
    expect(trackingOf(state).previous).to.include(previous);
    expect(failure?.message).to.include("BAD_REQUEST");
  });

  it("a create keeps the former values in the state if its repetition after a 500 is refused", async () => {
    await service.fault(
      { kind: "500", operation: "updateReplicaScaling", nth: 1 },
      { kind: "400", operation: "updateReplicaScaling", from: 2 },
    );
    const { state, failure } = await change({ numReplicas: 5 }, 1);
    expect(trackingOf(state).previous).to.include(previous);
    expect(failure?.message).to.match(/BAD_REQUEST.*; the request may have taken effect: the next update/);
  });

  for (const [what, former] of [
    ["a refused first change", []],
    ["a change that is refused after a 429", [{ kind: "429", operation: "updateReplicaScaling", nth: 1 }]],
  ] as [string, Fault[]][])
    it(`the create of a ServiceScaling that changed nothing fails and leaves no state: ${what}`, async () => {
      await service.fault(...former, {
        kind: "400",
        operation: "updateReplicaScaling",
        nth: former.length + 1,
      });
      expect((await failureOf(change({ numReplicas: 5 }, 1))).message).to.match(
        /^BAD_REQUEST: .* \(updateReplicaScaling: /,
      );
    });
});
