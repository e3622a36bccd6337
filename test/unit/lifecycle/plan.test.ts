import { expect } from "chai";
import { diff } from "../../../provider/lifecycle/diff";
import type { State } from "../../../provider/lifecycle/state";
import { resources } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { unknown } from "../../../provider/values/unknown";
import { live, noteResource, sessionFor } from "./note";
import { declared, newId } from "./noteInState";
import { tile } from "./service";

describe("Plans", () => {
  const { size: _ } = declared;
  const shown = { ...declared, pinned: true, token: "t", __tracking: { undeclared: ["pinned"] } };
  const cases: [string, State | undefined, Data, Data][] = [
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
    it(`the plan ${title}`, () => expect(noteResource().plan(state, inputs)).to.deep.equal(planned));

  const rows = { ...tile, name: "Rows", x: 6 };
  const tileIds = { Errors: "t1", Rows: "t2" };
  const named = { ...tile, name: unknown, x: 6 };
  const boards: [string, Data[], unknown][] = [
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
    it(`the plan of a dashboard knows ${title}`, () => {
      const state = { name: "Board", tiles: [tile, rows], tileIds };
      expect(resources.Dashboard.plan(state, { name: "Other", tiles }).tileIds).to.deep.equal(ids);
    });

  it("the plan knows nothing of outputs that change by themselves", () => {
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

describe("Outputs that a host repeats among the inputs", () => {
  it("a repeated output is neither compared nor taken for declared", async () => {
    const before = { ...declared, token: "t" };
    const resource = noteResource({
      way: {
        create: async (_body, inputs) => ({ id: newId(), object: live(inputs, { token: "t" }) }),
        send: async (_id, body) => live(body, { token: "t" }),
      },
    });
    const { session } = sessionFor();
    expect(diff(resource, "n1", before, { ...declared, token: "other" }, session)).to.deep.equal([]);
    expect((await resource.create(before, session)).state).to.deep.equal(before);
    const after = { ...before, size: 4 };
    expect(await resource.update("n1", before, after, session)).to.deep.equal(after);
  });
});
