import { expect } from "chai";
import fc from "fast-check";
import { diff } from "../../../provider/lifecycle/diff";
import type { Change } from "../../../provider/values/compare";
import type { Data } from "../../../provider/values/data";
import { Type } from "../../../provider/values/schemaBuilders";
import { unknown } from "../../../provider/values/unknown";
import { organizationId, place } from "../api/server";
import { answeredNote, validNote } from "./arbitraries";
import { noteInputs, noteResource, sessionFor } from "./note";
import { changesTo, created, declared } from "./noteInState";

const change = (path: string, kind: Change["kind"] = "update", replaces = false) => ({
  path,
  kind,
  replaces,
});

describe("Diffs", () => {
  it("the diff of valid inputs is empty for any answer of the service", async () => {
    await fc.assert(
      fc.asyncProperty(validNote, answeredNote, async (inputs, answered) => {
        const placed = { ...inputs, ...place };
        expect(changesTo(await created(placed, answered, { token: "t" }), placed)).to.deep.equal([]);
      }),
    );
  });

  const adopted = { adoptId: "n1" };
  const upper = place.serviceId.toUpperCase();
  const shown = { ...declared, pinned: true };
  const cases: [string, before: Data, after: Data, Change[], answered?: Data][] = [
    ["is empty for inputs declared before", {}, {}, []],
    [
      "names each change and its kind",
      { zone: "north", labels: ["a"] },
      { zone: "south", size: 4, pinned: true },
      [change("size"), change("pinned", "add"), change("labels", "delete"), change("zone", "update", true)],
    ],
    [
      "replaces an object that moves",
      {},
      { serviceId: organizationId },
      [change("serviceId", "update", true)],
    ],
    ["does not see values that were never declared", {}, {}, [], shown],
    ["sees such a value once it is declared", {}, { pinned: true }, [change("pinned", "add")], shown],
    ["takes a value that is not known yet for a change", {}, { title: unknown }, [change("title")]],
    ["gives a dropped adoptId no meaning", adopted, {}, []],
    ["gives an adoptId of null no meaning", adopted, { adoptId: null }, []],
    ["gives the adoptId of the object in state no meaning", adopted, adopted, []],
    ["gives an adoptId that a created object gets no meaning", {}, adopted, []],
    [
      "replaces by an object with another adoptId",
      adopted,
      { adoptId: "n2" },
      [change("adoptId", "update", true)],
    ],
    ["replaces a created object by an adopted one", {}, { adoptId: "n2" }, [change("adoptId", "add", true)]],
    // Or the replaced object would be the new one.
    ["takes ids for the same whatever their letters", {}, { serviceId: upper, adoptId: "N1" }, []],
    ["tells letters apart where the text is no id", {}, { title: "MINUTES" }, [change("title")]],
    [
      "updates an adopted object in place",
      { ...adopted, zone: "north" },
      { adoptId: "N1", zone: "north", size: 4 },
      [change("size")],
    ],
    [
      "replaces an adopted object whose adoptId is dropped",
      { ...adopted, zone: "north" },
      { zone: "south" },
      [change("zone", "update", true)],
    ],
  ];
  for (const [title, before, after, changes, answered] of cases)
    it(`the diff ${title}`, async () => {
      const state = await created({ ...declared, ...before }, answered);
      expect(changesTo(state, { ...declared, ...after })).to.have.deep.members(changes);
    });

  it("refuses to replace an object by itself, which would delete it", async () => {
    const state = await created({ ...declared, ...adopted, zone: "north" });
    expect(() => changesTo(state, { ...declared, adoptId: "N1", zone: "south" })).to.throw(
      /^zone: this change replaces n1, but adoptId would adopt n1 again; remove adoptId from the program$/,
    );
  });

  const lost = "note n1: the update loses owner, which only the other API accepts (setting observabilityVia)";
  for (const [what, changed, expected] of [
    ["warns of a loss in an update", { size: 4 }, [lost]],
    ["warns of no loss without a change", {}, []],
    ["warns of no loss in a replacement", { size: 4, zone: "south" }, []],
  ] as const)
    it(`the diff ${what} of a member that only the other API can write`, async () => {
      const owner = Type.Optional(Type.String({ via: "management" }));
      const inputs = Type.Object({ ...noteInputs.properties, owner });
      const zoned = { ...declared, zone: "north" };
      const state = await created(zoned, { ...zoned, owner: "ops" }, {}, { inputs });
      const { session, warnings } = sessionFor();
      diff(noteResource({ inputs }), "n1", state, { ...zoned, ...changed }, session);
      expect(warnings).to.deep.equal(expected);
    });
});
