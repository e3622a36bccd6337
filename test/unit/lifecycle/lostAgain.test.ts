import { expect } from "chai";
import { updateAsFarAsPossible } from "../../../provider/lifecycle/resource";
import type { State } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { reset } from "../api/server";
import { alert, place, useService } from "./scriptedService";

const { Alert } = resources;

describe("Several updates of one object whose answers are lost", () => {
  const service = useService();
  const program = { ...place, ...alert };

  /** Makes an alert, and updates it with each change while all answers are lost. */
  async function lost(
    changes: readonly PropertyMap[],
    { isCarriedOut = true, found = {} }: { isCarriedOut?: boolean; found?: PropertyMap } = {},
  ): Promise<{ id: string; state: State }> {
    const created = await Alert.create(program, service.open().session);
    Object.assign(service.stored(created.id), found);
    service.gateway = async (operation, carryOut) => {
      if (operation !== "updateAlert") return carryOut();
      if (isCarriedOut) await carryOut();
      return reset;
    };
    let { state } = created;
    for (const change of changes) {
      const { session } = service.open({ maxRetries: 0 });
      const updated = await updateAsFarAsPossible(
        Alert,
        created.id,
        state,
        { ...program, ...change },
        session,
      );
      expect(updated.failure).to.be.instanceOf(Error);
      ({ state } = updated);
    }
    service.gateway = undefined;
    return { id: created.id, state };
  }

  it("the value that any of the updates has set is nobody else's change", async () => {
    const { id, state } = await lost([{ threshold: 9 }, { threshold: 8 }]);
    for (const threshold of [8, 9]) {
      Object.assign(service.stored(id), { threshold });
      const { session, warnings } = service.open({ onConflict: "fail" });
      await Alert.update(id, state, program, session);
      expect(service.stored(id)).to.include({ threshold: program.threshold });
      expect(warnings).to.deep.equal([]);
    }
  });

  it("a value that none of the updates has set is a conflict", async () => {
    const { id, state } = await lost([{ threshold: 9 }, { threshold: 8 }]);
    Object.assign(service.stored(id), { threshold: 77 });
    const { session, warnings } = service.open();
    await Alert.update(id, state, program, session);
    expect(warnings.join()).to.include("somebody else changed threshold (now 77)");
  });

  it("what somebody had set before the first of the updates stays, if none was carried out", async () => {
    const { id, state } = await lost([{ message: "Look" }, { message: "Look there" }], {
      isCarriedOut: false,
      found: { message: "by hand" },
    });
    await Alert.update(id, state, program, service.open().session);
    expect(service.stored(id)).to.include({ message: "by hand" });
    expect(service.bodiesOf("updateAlert").at(-1)).to.include({ message: "by hand" });
  });
});
