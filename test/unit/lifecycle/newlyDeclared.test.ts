import { expect } from "chai";
import { updateAsFarAsPossible } from "../../../provider/lifecycle/resource";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { key, place, useService } from "./scriptedService";

const { ApiKey } = resources;

describe("Values that somebody else has set where the service showed none", () => {
  const service = useService();
  const { organizationId } = place;
  const program = { organizationId, ...key };
  const byHand = { expireAt: "2131-02-02T00:00:00.000Z" };
  const declared = { ...program, expireAt: "2130-01-01T00:00:00.000Z" };
  const conflict = /^API key \S+: somebody else changed expireAt since the last deployment or refresh/;

  const make = () => ApiKey.create(program, service.open().session);
  const setByHand = (id: string, values: PropertyMap) =>
    void Object.assign(service.stored(id, "ApiKey"), values);

  it("are named by the first update whose program declares another value", async () => {
    const { id, state } = await make();
    setByHand(id, byHand);
    const { session, warnings } = service.open();
    await ApiKey.update(id, state, declared, session);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.match(conflict);
    expect(service.stored(id, "ApiKey")).to.include({ expireAt: declared.expireAt });
  });

  it("stop the update with onConflict fail before it writes, until a refresh has shown them", async () => {
    const { id, state } = await make();
    setByHand(id, byHand);
    const strict = () => service.open({ onConflict: "fail" }).session;
    const failure = await failureOf(ApiKey.update(id, state, declared, strict()));
    expect(failure.message).to.match(conflict);
    expect(service.bodiesOf("updateKey")).to.deep.equal([]);
    const live = await ApiKey.read(id, state, service.open().session);
    if (typeof live === "string") throw new Error(live);
    await ApiKey.update(id, live.state, declared, strict());
    expect(service.stored(id, "ApiKey")).to.include({ expireAt: declared.expireAt });
  });

  it("are not named where the program declares the same, or where they are empty", async () => {
    for (const [values, next] of [
      [byHand, { ...program, ...byHand }],
      [{ ipAccessList: [] }, { ...program, ipAccessList: [{ source: "198.51.100.7" }] }],
    ] as const) {
      const { id, state } = await make();
      setByHand(id, values);
      const { session, warnings } = service.open({ onConflict: "fail" });
      await ApiKey.update(id, state, next, session);
      expect(warnings).to.deep.equal([]);
    }
  });

  it("are named where a failed update had set another value, and the program goes back", async () => {
    const { id, state } = await make();
    service.gateway = async (operation, carryOut) => {
      const answer = await carryOut();
      return operation === "updateKey" ? reset : answer;
    };
    const failing = service.open({ maxRetries: 0 }).session;
    const failed = await updateAsFarAsPossible(ApiKey, id, state, declared, failing);
    service.gateway = undefined;
    setByHand(id, byHand);
    const { session, warnings } = service.open();
    await ApiKey.update(id, failed.state, program, session);
    expect(warnings.join("\n")).to.match(conflict);
  });
});
