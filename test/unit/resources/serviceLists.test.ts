import { expect } from "chai";
import type { State } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { failureOf } from "../api/failure";
import { lake, useServices } from "./serviceSteps";

const { Service: resource } = resources;

const [office, home, colleague] = [
  { source: "203.0.113.0/24", description: "office" },
  { source: "198.51.100.7" },
  { source: "192.0.2.9" },
];

describe("The addresses and tags of a service", () => {
  const { service, open, stored, create, make, update } = useServices();

  const driftOf = async (id: string, state: State, declared: object) => {
    const live = await resource.read(id, state, open().session);
    if (typeof live === "string") throw new Error(live);
    const changes = await resource.diff(id, live.state, { ...lake, ...declared }, open().session);
    return { state: live.state, paths: changes.map(({ path }) => path) };
  };

  /** Lets somebody act on the service right after each of the named requests was carried out. */
  const after = (operation: string, act: () => void) => {
    service.gateway = async (name, carryOut) => {
      const answer = await carryOut();
      if (name === operation) act();
      return answer;
    };
  };

  it("a removal that the service ignores is shown until the next update repeats it", async () => {
    const { id, state } = await make({ ipAccessList: [office, home], tags: [{ key: "team" }] });
    service.fault({ kind: "ignored", operation: "updateService" });
    const { session, warnings } = open();
    const owing = await update(id, state, {}, session);
    await service.model.faults.clear();
    expect(warnings.join()).to.match(
      /ipAccessList of the service still has the removed 198\.51\.100\.7; the next update removes it/,
    );
    expect(warnings.join()).to.match(/tags of the service still has the removed team/);
    expect(owing.__tracking).to.deep.include({ owed: { ipAccessList: [home], tags: [{ key: "team" }] } });
    const changes = await resource.diff(id, owing, lake, open().session);
    expect(changes.map(({ path }) => path)).to.deep.equal(["ipAccessList", "tags"]);
    const live = (await resource.read(id, owing, open().session)) as { inputs: PropertyMap; state: State };
    expect(live.inputs).to.deep.include({ ipAccessList: [office, home], tags: [{ key: "team" }] });
    expect((await driftOf(id, owing, {})).paths).to.deep.equal(["ipAccessList", "tags"]);
    const paid = await update(id, live.state, {});
    expect([stored(id).ipAccessList, stored(id).tags]).to.deep.equal([[office], []]);
    expect(paid.__tracking).to.not.have.property("owed");
    expect(await resource.diff(id, paid, lake, open().session)).to.deep.equal([]);
  });

  it("an address that the service loses when its description changes is added again", async () => {
    const ipAccessList = [{ ...office, description: "headquarters" }];
    const { id, state } = await make();
    let writes = 0;
    after("updateService", () => {
      if (writes++ === 0) Object.assign(stored(id), { ipAccessList: [] });
    });
    const { session, warnings } = open();
    const updated = await update(id, state, { ipAccessList }, session);
    expect(stored(id).ipAccessList).to.deep.equal(ipAccessList);
    expect([writes, warnings]).to.deep.equal([2, []]);
    service.gateway = undefined;
    expect((await driftOf(id, updated, { ipAccessList })).paths).to.deep.equal([]);
  });

  it("the check only warns of one network in two forms", async () => {
    const ipAccessList = [{ source: "10.1.2.3/8" }, { source: "10.0.0.0/8" }];
    const { failures, warnings } = await resource.check({}, { ...lake, ipAccessList }, open().session);
    expect(failures).to.deep.equal([]);
    expect(warnings.join()).to.match(/has the network of 10\.0\.0\.0\/8 twice, in two forms/);
    const comingAddresses = [{ source: unknown }, { source: unknown }, unknown, unknown];
    const preview = await resource.check({}, { ...lake, ipAccessList: comingAddresses }, open().session);
    expect(preview.warnings.join()).to.not.match(/two forms/);
  });

  describe("A list of addresses that belongs to the program", () => {
    const whole = { keepOtherAddresses: false };

    it("other addresses are an output without drift", async () => {
      const { id, state } = await make();
      stored(id).ipAccessList.push(colleague);
      const live = (await resource.read(id, state, open().session)) as { state: PropertyMap };
      expect(live.state).to.deep.include({ otherAddresses: ["192.0.2.9"], ipAccessList: [office] });
    });

    it("other addresses are drift if the program owns the whole list", async () => {
      const { id, state } = await make(whole);
      stored(id).ipAccessList.push(colleague);
      const drift = await driftOf(id, state, whole);
      expect(drift.paths).to.deep.equal(["ipAccessList"]);
      expect(drift.state).to.deep.include({ otherAddresses: [], ipAccessList: [office, colleague] });
      await update(id, drift.state, whole);
      expect(stored(id).ipAccessList).to.deep.equal([office]);
    });

    it("a program that no longer owns the list keeps the addresses that a refresh has found", async () => {
      const { id, state } = await make(whole);
      stored(id).ipAccessList.push(colleague);
      const drift = await driftOf(id, state, whole);
      const { session, warnings } = open();
      const updated = await update(id, drift.state, {}, session);
      expect(stored(id).ipAccessList).to.deep.equal([office, colleague]);
      expect(updated.otherAddresses).to.deep.equal(["192.0.2.9"]);
      expect(warnings.join()).to.match(
        /keeps 192\.0\.2\.9 in ipAccessList, which the program does not declare/,
      );
    });

    it("a program that no longer owns the list removes an address that it drops", async () => {
      const { id, state } = await make({ ...whole, ipAccessList: [office, colleague] });
      await update(id, state, {});
      expect(stored(id).ipAccessList).to.deep.equal([office]);
    });

    describe("from the next update on", () => {
      const shared = async () => {
        const { id, state } = await make();
        stored(id).ipAccessList.push(colleague);
        return { id, state };
      };

      it("with onConflict fail, a program that begins to own the list removes no other addresses", async () => {
        const { id, state } = await shared();
        const careful = service.open({ dialect: "clickhouse", onConflict: "fail" }).session;
        expect((await failureOf(update(id, state, whole, careful))).message).to.match(
          /address 192\.0\.2\.9 was added outside of this program, and nothing was written/,
        );
        expect(stored(id).ipAccessList).to.deep.equal([office, colleague]);
      });

      it("a program that begins to own the list removes other addresses with a warning", async () => {
        const { id, state } = await shared();
        const { session, warnings } = open();
        await update(id, state, whole, session);
        expect(stored(id).ipAccessList).to.deep.equal([office]);
        expect(warnings.join()).to.match(
          /address 192\.0\.2\.9 was added outside .* keepOtherAddresses is false/,
        );
      });
    });

    it("taking over a service names the addresses that the program removes", async () => {
      const { id } = await make();
      stored(id).ipAccessList.push(colleague);
      const { session, warnings } = open();
      await create(session, { ...whole, adoptId: id });
      expect(warnings.join()).to.match(/replaces ipAccessList \(192\.0\.2\.9\)/);
      expect(stored(id).ipAccessList).to.deep.equal([office]);
    });
  });
});
