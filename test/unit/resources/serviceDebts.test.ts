import { expect } from "chai";
import { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { trackingOf } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import { failureOf } from "../api/failure";
import { refused, reset } from "../api/server";
import { lake, useServices } from "./serviceSteps";

const { Service: resource } = resources;

describe("Updates of a service after one that failed", () => {
  const { service, open, stored, make, update } = useServices();

  it("an update of a service whose later request fails is announced, even if the program goes back", async () => {
    const { id, state } = await make({ numReplicas: 3 });
    service.gateway = (operation, carryOut) =>
      operation === "updateReplicaScaling" ? refused(400, "BAD_REQUEST: not now") : carryOut();
    const failure: unknown = await failureOf(update(id, state, { name: "pond", numReplicas: 4 }));
    service.gateway = undefined;
    expect(failure).to.be.instanceOf(UpdatedIncompletely);
    const { state: incomplete } = failure as UpdatedIncompletely;
    const before = { ...lake, numReplicas: 3 };
    expect(await resource.diff(id, incomplete, before, open().session)).to.deep.equal([
      { path: "state", kind: "update", replaces: false },
    ]);
    await resource.update(id, incomplete, before, open().session);
    expect(stored(id).name).to.equal("lake");
  });

  it("an address that a repeated request has added twice counts once", async () => {
    const { id, state } = await make({ ipAccessList: [] });
    const added = { ipAccessList: [{ source: "198.51.100.66" }] };
    let lost = false;
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      if (operation !== "updateService" || lost) return answer;
      lost = true;
      return reset;
    };
    const updated = await update(id, state, added);
    expect(stored(id).ipAccessList).to.have.length(2);
    const read = await resource.read(id, updated, open().session);
    expect((read as { inputs: object }).inputs).to.deep.include(added);
    await update(id, updated, { ipAccessList: [] });
    expect(stored(id).ipAccessList).to.deep.equal([]);
  });

  describe("after a failed update that added an address, a tag and an endpoint", () => {
    const contractor = { source: "198.51.100.66" };
    const more = {
      ...{ ipAccessList: [...lake.ipAccessList, contractor], tags: [{ key: "team", value: "a" }] },
      ...{ mysqlEndpoint: true, numReplicas: 9 },
    };
    const failed = async (found: object = {}) => {
      const { id, state } = await make();
      Object.assign(stored(id), found);
      service.gateway = (operation, carryOut) =>
        operation === "updateReplicaScaling" ? refused(400, "BAD_REQUEST: not now") : carryOut();
      const failure = await failureOf(update(id, state, more));
      service.gateway = undefined;
      return { id, state: (failure as UpdatedIncompletely).state };
    };
    const gone = (id: string) =>
      `service ${id} keeps its mysqlEndpoint, which the API cannot remove; declare false to turn it off`;

    for (const isRefreshed of [false, true])
      it(`a program that goes back takes them away${isRefreshed ? ", also after a refresh" : ""}`, async () => {
        const { id, state } = await failed();
        const { session, warnings } = open();
        const refreshed = isRefreshed ? await resource.read(id, state, open().session) : { state };
        const known = (refreshed as { state: typeof state }).state;
        const back = await update(id, known, {}, session);
        expect(stored(id)).to.deep.include({ ipAccessList: lake.ipAccessList, tags: [], numReplicas: 3 });
        expect(warnings).to.deep.equal([gone(id)]);
        expect(await resource.diff(id, back, lake, open().session)).to.deep.equal([]);
      });

    it("a program that stays as it is gets them", async () => {
      const { id, state } = await failed();
      const { session, warnings } = open();
      const updated = await update(id, state, more, session);
      expect(stored(id)).to.deep.include({
        ipAccessList: more.ipAccessList,
        tags: more.tags,
        numReplicas: 9,
      });
      expect(warnings).to.deep.equal([]);
      expect(await resource.diff(id, updated, { ...lake, ...more }, open().session)).to.deep.equal([]);
    });

    it("a program that goes back leaves the address that somebody else had added before", async () => {
      const ipAccessList = [...lake.ipAccessList, contractor];
      const { id, state } = await failed({ ipAccessList });
      await update(id, state, {});
      expect(stored(id).ipAccessList).to.deep.equal(ipAccessList);
    });
  });

  it("an update waits for a stop that took longer than the time limit of the last one", async () => {
    const { id, state } = await make();
    const error = await failureOf(update(id, state, { desiredState: "stopped", waitMinutes: 0.1 }));
    expect(error.message).to.match(/is still stopping after 0 min/);
    const { state: marked } = error as Error & { state: object };
    expect(trackingOf(marked as never).awaiting).to.equal("update");
    expect(await update(id, marked, { desiredState: "stopped" })).to.include({ state: "stopped" });
  });
});
