import { expect } from "chai";
import fc from "fast-check";
import { diff } from "../../../provider/lifecycle/diff";
import { Type } from "../../../provider/values/schemaBuilders";
import { unknown } from "../../../provider/values/unknown";
import { organizationId, place } from "../api/server";
import { answeredNote, validNote } from "./arbitraries";
import { noteInputs, noteResource, sessionFor } from "./note";
import { changesTo, created, declared } from "./noteInState";

describe("the diff", () => {
  it("is empty for what was declared before", async () => {
    expect(changesTo(await created(declared), declared)).to.deep.equal([]);
  });

  it("is empty for valid inputs whatever the service answered to them", async () => {
    await fc.assert(
      fc.asyncProperty(validNote, answeredNote, async (inputs, answered) => {
        const placed = { ...inputs, ...place };
        expect(changesTo(await created(placed, answered, { token: "t" }), placed)).to.deep.equal([]);
      }),
    );
  });

  it("names each change and its kind", async () => {
    const state = await created({ ...declared, zone: "north", labels: ["a"] });
    const { labels, ...rest } = { ...declared, zone: "south", size: 4, pinned: true, labels: 0 };
    expect(changesTo(state, rest)).to.have.deep.members([
      { path: "size", kind: "update", replaces: false },
      { path: "pinned", kind: "add", replaces: false },
      { path: "labels", kind: "delete", replaces: false },
      { path: "zone", kind: "update", replaces: true },
    ]);
  });

  it("replaces an object that moves", async () => {
    expect(changesTo(await created(declared), { ...declared, serviceId: organizationId })).to.deep.equal([
      { path: "serviceId", kind: "update", replaces: true },
    ]);
  });

  it("does not see what was never declared, until it is", async () => {
    const state = await created(declared, { ...declared, pinned: true }, { token: "t" });
    expect(state.pinned).to.equal(true);
    expect(changesTo(state, declared)).to.deep.equal([]);
    expect(changesTo(state, { ...declared, pinned: true })).to.deep.equal([
      { path: "pinned", kind: "add", replaces: false },
    ]);
  });

  it("takes a value that is not known yet for a change", async () => {
    expect(changesTo(await created(declared), { ...declared, title: unknown })).to.deep.equal([
      { path: "title", kind: "update", replaces: false },
    ]);
  });

  it("gives adoptId no meaning for the object that is in state", async () => {
    const adopted = await created({ ...declared, adoptId: "n1" });
    const made = await created(declared);
    expect(changesTo(adopted, declared)).to.deep.equal([]);
    expect(changesTo(adopted, { ...declared, adoptId: null })).to.deep.equal([]);
    expect(changesTo(adopted, { ...declared, adoptId: "n1" })).to.deep.equal([]);
    expect(changesTo(made, { ...declared, adoptId: "n1" })).to.deep.equal([]);
    expect(changesTo(made, { ...declared, adoptId: "n2" })).to.deep.equal([
      { path: "adoptId", kind: "add", replaces: true },
    ]);
    expect(changesTo(adopted, { ...declared, adoptId: "n2" })).to.deep.equal([
      { path: "adoptId", kind: "update", replaces: true },
    ]);
  });

  it("takes ids for the same whatever their case, or the replaced object would be the new one", async () => {
    const state = await created(declared);
    const inputs = { ...declared, serviceId: place.serviceId.toUpperCase(), adoptId: "N1" };
    expect(changesTo(state, inputs)).to.deep.equal([]);
  });

  it("takes no case for the same in what is no id", async () => {
    expect(changesTo(await created(declared), { ...declared, title: "MINUTES" })).to.deep.equal([
      { path: "title", kind: "update", replaces: false },
    ]);
  });

  it("refuses to replace an object by itself, which would end it", async () => {
    const adopted = await created({ ...declared, adoptId: "n1", zone: "north" });
    const moved = { ...declared, adoptId: "N1", zone: "south" };
    expect(() => changesTo(adopted, moved)).to.throw(
      /^zone: this change replaces n1, but adoptId would adopt n1 again; remove adoptId from the program$/,
    );
    expect(changesTo(adopted, { ...moved, zone: "north", size: 4 })).to.deep.equal([
      { path: "size", kind: "update", replaces: false },
    ]);
    const { adoptId: _, ...fresh } = moved;
    expect(changesTo(adopted, fresh)).to.deep.equal([{ path: "zone", kind: "update", replaces: true }]);
  });
});

describe("a diff warns", () => {
  const owner = Type.Optional(Type.String({ via: "management" }));
  const inputs = Type.Object({ ...noteInputs.properties, owner });
  const resource = noteResource({ inputs });

  /** What it says of a note whose owner only the management API can write, and whose updates go to the other one. */
  async function warningsOf(changed: object): Promise<string[]> {
    const zoned = { ...declared, zone: "north" };
    const state = await created(zoned, { ...zoned, owner: "ops" }, {}, { inputs });
    const { session, warnings } = sessionFor();
    diff(resource, "n1", state, { ...zoned, ...changed }, session);
    return warnings;
  }

  it("of what the update loses, and not where there is none, or a replacement", async () => {
    expect(await warningsOf({ size: 4 })).to.deep.equal([
      "note n1: the update loses owner, which only requests to the other API have (setting observabilityVia)",
    ]);
    expect(await warningsOf({})).to.deep.equal([]);
    expect(await warningsOf({ size: 4, zone: "south" })).to.deep.equal([]);
  });
});
