import { expect } from "chai";
import { deleteUnlessDeclared } from "../../../provider/lifecycle/delete";
import type { State } from "../../../provider/lifecycle/state";
import { noteResource, sessionFor } from "./note";
import { declared } from "./noteInState";

describe("the deletion of an object", () => {
  const deleted: string[] = [];
  const note = { ...noteResource(), delete: async (id: string) => void deleted.push(id) };
  beforeEach(() => {
    deleted.length = 0;
  });

  async function warningsOf(isDeclared: boolean, state: State = declared): Promise<string[]> {
    const { session, warnings } = sessionFor();
    await deleteUnlessDeclared(note, "n1", state, session, isDeclared);
    return warnings;
  }

  it("is made where the program does not declare the object", async () => {
    expect(await warningsOf(false)).to.deep.equal([]);
    expect(deleted).to.deep.equal(["n1"]);
  });

  it("is not made where the program still declares it by another name", async () => {
    expect(await warningsOf(true)).to.deep.equal([
      'Note n1 is not deleted, since the program still declares it; if you renamed the resource, use the option "aliases"',
    ]);
    expect(deleted).to.deep.equal([]);
  });

  it("says what can be put back no more where it is not made", async () => {
    const [, lost] = await warningsOf(true, {
      ...declared,
      __tracking: { previous: { size: 9, pinned: true } },
    });
    expect(lost).to.equal('Note n1: destroying it will not restore its previous values {"size":9}');
  });
});
