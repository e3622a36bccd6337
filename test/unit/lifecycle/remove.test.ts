import { expect } from "chai";
import type { Data } from "../../../provider/lifecycle/data";
import { check, type Resource, remove, type State } from "../../../provider/lifecycle/lifecycle";
import { unknown } from "../../../provider/lifecycle/unknown";
import { place } from "../api/server";
import { type NoteInputs, noteResource, sessionFor } from "./note";
import { declared } from "./noteInState";

describe("the deletion of an object", () => {
  const deleted: string[] = [];
  const note = noteResource({ delete: async (id) => void deleted.push(id) });
  const singletons: Resource<NoteInputs> = { ...note, isSingleton: true };
  beforeEach(() => {
    deleted.length = 0;
  });

  /** Deletes it in a process that has checked the inputs, and returns the warnings. */
  async function removeBeside(
    inputs: Data,
    id: string,
    resource = note,
    deletes = resource,
    state: State = declared,
  ) {
    const { session, warnings } = sessionFor();
    expect(check(resource, {}, inputs, session).problems).to.deep.equal([]);
    await remove(deletes, id, state, session);
    return warnings;
  }

  it("is not made where the program takes it over, in whichever case its id is written", async () => {
    const warnings = await removeBeside({ ...declared, adoptId: "n1" }, "N1");
    expect(deleted).to.deep.equal([]);
    expect(warnings).to.deep.equal([
      'Note N1 is not deleted: the program still declares it; where it has got another name, the option "aliases" tells Pulumi so',
    ]);
  });

  it("is not made where the program declares the one of the service", async () => {
    await removeBeside(declared, place.serviceId, singletons);
    const { serviceId: _, ...unplaced } = declared;
    await removeBeside(unplaced, place.serviceId, singletons);
    expect(deleted).to.deep.equal([]);
  });

  it("says what can be put back no more where it is not made", async () => {
    const state = { ...declared, tracking: { previous: { size: 9, pinned: true } } };
    const warnings = await removeBeside(declared, place.serviceId, singletons, singletons, state);
    expect(warnings[1]).to.equal(
      `Note ${place.serviceId}: what it had before, {"size":9}, is not put back when it is destroyed`,
    );
  });

  it("is made for every other object", async () => {
    const adopting = { ...declared, adoptId: "n1" };
    expect(await removeBeside(adopting, "n2")).to.deep.equal([]);
    await removeBeside(adopting, "n1", note, { ...note, type: "Other" });
    await removeBeside(adopting, place.serviceId);
    await removeBeside(declared, place.organizationId, singletons);
    await removeBeside({ ...declared, adoptId: unknown }, "n3");
    expect(deleted).to.deep.equal(["n2", "n1", place.serviceId, place.organizationId, "n3"]);
  });
});
