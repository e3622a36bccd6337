import { expect } from "chai";
import fc from "fast-check";
import { diff } from "../../../provider/lifecycle/diff";
import type { State } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { Change } from "../../../provider/values/compare";
import type { PropertyMap } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { failureOf } from "../api/failure";
import { organizationId, place } from "../api/server";
import { answeredNote, validNote } from "./arbitraries";
import { live, noteResource, sessionFor } from "./note";
import { changesTo, created, declared, newId } from "./noteInState";
import { tile } from "./scriptedService";

const change = (path: string, kind: Change["kind"] = "update", replaces = false) => ({
  path,
  kind,
  replaces,
});

describe("The diff of inputs", () => {
  it("the diff of valid inputs is empty for any answer of the service", async () => {
    await fc.assert(
      fc.asyncProperty(validNote, answeredNote, async (inputs, answered) => {
        const placed = { ...inputs, ...place };
        expect(await changesTo(await created(placed, answered, { token: "t" }), placed)).to.deep.equal([]);
      }),
    );
  });

  const adopted = { adoptId: "n1" };
  const upper = place.serviceId.toUpperCase();
  const shown = { ...declared, pinned: true };
  const cases: [string, before: PropertyMap, after: PropertyMap, Change[], answered?: PropertyMap][] = [
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
    // If capital letters in `adoptId` counted as a change, the replacement would delete the object that it adopts.
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
    it(`the diff of inputs consists of the changes that the program declares: it ${title}`, async () => {
      const state = await created({ ...declared, ...before }, answered);
      expect(await changesTo(state, { ...declared, ...after })).to.have.deep.members(changes);
    });

  it("the diff refuses a replacement whose adoptId names the replaced object", async () => {
    const state = await created({ ...declared, ...adopted, zone: "north" });
    const { message } = await failureOf(changesTo(state, { ...declared, adoptId: "N1", zone: "south" }));
    expect(message).to.match(
      /^zone: this change replaces n1, but adoptId would adopt n1 again; remove adoptId from the program$/,
    );
  });
});

describe("The plan of outputs in a preview", () => {
  const { size: _ } = declared;
  const shown = { ...declared, pinned: true, token: "t", __tracking: { undeclared: ["pinned"] } };
  const cases: [string, State | undefined, PropertyMap, PropertyMap][] = [
    [
      "knows the inputs of a new object, and none of its outputs",
      undefined,
      declared,
      { ...declared, token: unknown, seenAt: unknown },
    ],
    [
      "knows the new inputs of an update, and outputs that no update changes",
      shown,
      { ...declared, size: 4 },
      { ...declared, size: 4, pinned: true, token: "t", seenAt: unknown },
    ],
  ];
  for (const [title, state, inputs, planned] of cases)
    it(`the plan of outputs in a preview has the values that no later step can change: it ${title}`, () =>
      expect(noteResource().plan(state, inputs)).to.deep.equal(planned));

  const rows = { ...tile, name: "Rows", x: 6 };
  const tileIds = { Errors: "t1", Rows: "t2" };
  const named = { ...tile, name: unknown, x: 6 };
  const boards: [string, PropertyMap[], unknown][] = [
    ["the ids of tiles that stay", [tile, rows], tileIds],
    ["no id of a tile that is removed", [tile], { Errors: "t1" }],
    [
      "that a new tile has no id yet",
      [tile, rows, { ...tile, name: "New", y: 4 }],
      { ...tileIds, New: unknown },
    ],
    [
      "tiles by the ids that the program gives them, before their names",
      [
        { ...tile, id: "t2" },
        { ...rows, id: "t1" },
      ],
      { Errors: "t2", Rows: "t1" },
    ],
    ["that an id is taken", [{ ...tile, id: "t2" }, rows], { Errors: "t2", Rows: unknown }],
    ["nothing of an id that the dashboard never had", [{ ...tile, id: "elsewhere" }], { Errors: unknown }],
    ["no ids of tiles while the name of one is unknown", [tile, named], unknown],
  ];
  for (const [title, tiles, ids] of boards)
    it(`the preview of a dashboard knows the ids of tiles only where they are certain: it knows ${title}`, () => {
      const state = { name: "Board", tiles: [tile, rows], tileIds };
      expect(resources.Dashboard.plan(state, { name: "Other", tiles }).tileIds).to.deep.equal(ids);
    });

  it("a preview leaves outputs unknown that change by themselves", () => {
    const key = {
      name: "k",
      roles: ["admin"],
      keyId: "id",
      usedAt: "then",
      assignedRoles: [{ roleId: "r1" }],
    };
    expect(resources.ApiKey.plan(key, { name: "k", roles: ["developer"] })).to.deep.include({
      ...{ keyId: "id", usedAt: unknown, assignedRoles: unknown },
    });
    const scaling = { minReplicaMemoryGb: 8, replicaMemoryGb: 8, region: "r" };
    expect(resources.ServiceScaling.plan(scaling, { minReplicaMemoryGb: 16 })).to.include({
      ...{ region: "r", replicaMemoryGb: unknown },
    });
  });
});

describe("Outputs that the Pulumi engine repeats among the inputs of a diff", () => {
  it("an output among the inputs is neither compared nor treated as declared", async () => {
    const before = { ...declared, token: "t" };
    const resource = noteResource({
      service: {
        create: async ({ inputs }) => ({ id: newId(), object: live(inputs, { token: "t" }) }),
        send: async (_id, body) => live(body, { token: "t" }),
      },
    });
    const { session } = sessionFor();
    expect(await diff(resource, "n1", before, { ...declared, token: "other" }, session)).to.deep.equal([]);
    expect((await resource.create(before, session)).state).to.deep.equal(before);
    const after = { ...before, size: 4 };
    expect(await resource.update("n1", before, after, session)).to.deep.equal(after);
  });
});
