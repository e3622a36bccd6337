import { expect } from "chai";
import type { TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { Declared } from "../drift/fixture";
import { alert, pause, place, useService } from "./service";

describe("Writes without a visible effect", () => {
  const service = useService();
  const { open } = service;

  async function applied(declared: Declared): Promise<readonly string[]> {
    const { session, warnings } = open();
    await declared.up(session);
    return warnings;
  }
  async function created(type: TypeName, program: Data): Promise<Declared> {
    const declared = new Declared(type, program);
    expect(await applied(declared)).to.deep.equal([]);
    return declared;
  }

  it("many ignored writes share a few lists while they wait", async () => {
    const firsts = await Promise.all(
      Array.from({ length: 30 }, (_, index) => created("Alert", { ...alert, name: `Slow ${index}` })),
    );
    await service.fault({ kind: "ignored", operation: "updateAlert" });
    service.gateway = (_operation, carryOut) => pause(1).then(carryOut);
    service.requests = [];
    const { session } = open({ requestsPerSecond: 1000 });
    await Promise.all(firsts.map((first) => first.changedTo({ ...first.program, threshold: 9 }).up(session)));
    // One before, and two after each wait: one that the first begins, and one for all others.
    expect(service.requests.filter((name) => name === "listAlerts")).to.have.length(1 + 2 * 3);
    expect(service.requests).to.have.length(30 + 7);
  });

  describe("ignored writes of a scaling", () => {
    const scaling = () => service.model.store.services.get(place.serviceId);
    const program = { numReplicas: 3, onDestroy: "restore" };
    beforeEach(() => {
      Object.assign(scaling() ?? {}, { numReplicas: 2 });
    });

    it("fails if the service ignores the restored values, so that the state keeps them", async () => {
      const declared = await created("ServiceScaling", program);
      await service.fault({ kind: "ignored", operation: "updateScaling", nth: 1 });
      expect((await failureOf(declared.delete(open().session))).message).to.include(
        'the service does not show its previous values, {"numReplicas":2}; destroy again to retry',
      );
      await declared.delete(open().session);
      expect(scaling()).to.include({ numReplicas: 2 });
    });
  });
});
