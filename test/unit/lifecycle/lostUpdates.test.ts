import { expect } from "chai";
import type { UpdatedIncompletely } from "../../../provider/lifecycle/resource";
import { resources, sets } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { failureOf } from "../api/failure";
import { reset } from "../api/server";
import { hostWith } from "../hosts/dynamic/hostProcess";
import { alert, place, useService } from "./scriptedService";

const { Alert } = resources;
const { AlertSet } = sets;

describe("Updates of one request whose answer is lost", () => {
  const service = useService();
  const program = { ...place, ...alert };
  const added = { message: "Look" };

  /** Makes an alert, and updates it with the service in the given mood. Returns the state that the failure leaves, if any. */
  const failed = async (
    changed: PropertyMap,
    gateway: NonNullable<typeof service.gateway>,
    found: PropertyMap = {},
  ) => {
    const { session } = service.open();
    const { id, state } = await Alert.create(program, session);
    Object.assign(service.stored(id), found);
    service.gateway = gateway;
    const updating = Alert.update(
      id,
      state,
      { ...program, ...changed },
      service.open({ maxRetries: 0 }).session,
    );
    const failure = (await failureOf(updating)) as Partial<UpdatedIncompletely>;
    service.gateway = undefined;
    return { id, state: failure.state };
  };
  const lost: NonNullable<typeof service.gateway> = async (operation, carryOut) => {
    const answer = await carryOut();
    return operation === "updateAlert" ? reset : answer;
  };

  it("the next update takes away what such an update has added, if the program goes back", async () => {
    const { id, state = {} } = await failed(added, lost);
    expect(service.stored(id)).to.include(added);
    expect(await Alert.diff(id, state, program, service.open().session)).to.have.length(1);
    const back = await Alert.update(id, state, program, service.open().session);
    expect(service.stored(id)).to.include({ message: null });
    expect(await Alert.diff(id, back, program, service.open().session)).to.deep.equal([]);
  });

  it("what somebody else had set stays, if such an update was not carried out and the program goes back", async () => {
    const unanswered: typeof lost = async (operation, carryOut) =>
      operation === "updateAlert" ? reset : carryOut();
    const { id, state = {} } = await failed(added, unanswered, { message: "by hand" });
    await Alert.update(id, state, program, service.open().session);
    expect(service.stored(id)).to.include({ message: "by hand" });
  });

  it("what somebody else has set since such an update is a conflict", async () => {
    const { id, state = {} } = await failed({ threshold: 9 }, lost);
    Object.assign(service.stored(id), { threshold: 77 });
    const { session, warnings } = service.open();
    await Alert.update(id, state, program, session);
    expect(warnings.join()).to.include("somebody else changed threshold (now 77)");
  });

  describe("an alert of a set", () => {
    const inputs = (own: PropertyMap) => ({ ...place, alerts: { slow: { ...alert, ...own } } });
    /** Makes a set, and updates its alert with a lost answer. Returns the state that the failure leaves. */
    const left = async (own: PropertyMap) => {
      const { state } = await AlertSet.create(inputs({}), service.open().session);
      service.gateway = lost;
      const { session } = service.open({ maxRetries: 0 });
      const failure = await failureOf(AlertSet.update("set", state, inputs(own), session));
      service.gateway = undefined;
      const { slow } = state.ids as Readonly<Record<string, string>>;
      return { id: String(slow), state: (failure as Partial<UpdatedIncompletely>).state ?? state };
    };

    it("the next update of a set takes away what such an update has added, if the program goes back", async () => {
      const { id, state } = await left(added);
      expect(service.stored(id)).to.include(added);
      expect(await AlertSet.diff("set", state, inputs({}), service.open().session)).to.have.length(1);
      const back = await AlertSet.update("set", state, inputs({}), service.open().session);
      expect(service.stored(id)).to.include({ message: null });
      expect(await AlertSet.diff("set", back, inputs({}), service.open().session)).to.deep.equal([]);
    });

    it("what such an update of a set has written is nobody else's change", async () => {
      const { id, state } = await left({ threshold: 9 });
      const { session } = service.open({ onConflict: "fail" });
      await AlertSet.update("set", state, inputs({ threshold: 7 }), session);
      expect(service.stored(id)).to.include({ threshold: 7 });
    });
  });

  // The engine then compares the inputs that the refresh has read with the program, which are equal, unless the host says otherwise.
  for (const [type, programOf] of Object.entries({
    Alert: (own: PropertyMap) => ({ ...program, ...own }),
    AlertSet: (own: PropertyMap) => ({ ...place, alerts: { slow: { ...alert, ...own } } }),
  }))
    it(`the dynamic host goes on with such an update of an ${type} after a refresh, if the program goes back`, async () => {
      const host = () => hostWith({ ...service.settings(), maxRetries: "0" })[type as "Alert" | "AlertSet"];
      const { id, outs = {} } = await host().create(programOf({}));
      service.gateway = lost;
      const failure: object = await failureOf(host().update(id, outs, programOf(added)));
      service.gateway = undefined;
      const { props = {} } = await host().read(id, (failure as { properties: object }).properties);
      expect(await host().diff(id, props, programOf({}))).to.include({ changes: true });
    });

  it("an update that the service has refused leaves no state", async () => {
    await service.fault({ kind: "400", operation: "updateAlert" });
    expect((await failed(added, (_, carryOut) => carryOut())).state).to.equal(undefined);
  });
});
