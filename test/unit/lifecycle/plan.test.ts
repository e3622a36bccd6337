import { expect } from "chai";
import { diff } from "../../../provider/lifecycle/diff";
import { resources } from "../../../provider/resources/registry";
import { unknown } from "../../../provider/values/unknown";
import { live, noteResource, sessionFor } from "./note";
import { declared, newId } from "./noteInState";

describe("the plan of an object", () => {
  const resource = noteResource();

  it("knows the inputs of a new one, and none of its outputs", () => {
    expect(resource.plan(undefined, declared)).to.deep.equal({
      ...declared,
      token: unknown,
      seenAt: unknown,
    });
  });

  it("knows the new inputs of an update, and what the service shows that no update changes", () => {
    const state = { ...declared, pinned: true, token: "t", __tracking: { undeclared: ["pinned"] } };
    expect(resource.plan(state, { ...declared, size: 4 })).to.deep.equal({
      ...declared,
      size: 4,
      pinned: true,
      token: "t",
      seenAt: unknown,
    });
  });

  it("leaves out what the program declares no longer", () => {
    const { size: _, ...without } = declared;
    expect(resource.plan({ ...declared }, without)).not.to.have.property("size");
  });

  const tile = { name: "Errors", x: 0, y: 0, w: 6, h: 4, series: [{ type: "number" }] };
  const dashboard = { name: "Board", tiles: [tile, { ...tile, name: "Rows", x: 6 }] };
  const tileIds = { Errors: "t1", Rows: "t2" };

  it("knows the names of a dashboard's tiles, and the ids of those that stay", () => {
    const state = { ...dashboard, tileIds };
    const { Dashboard } = resources;
    expect(Dashboard.plan(state, { ...dashboard, name: "b" }).tileIds).to.deep.equal(tileIds);
    expect(Dashboard.plan(state, { ...dashboard, tiles: [tile] }).tileIds).to.deep.equal({ Errors: "t1" });
    const more = [...dashboard.tiles, { ...tile, name: "New", y: 4 }];
    expect(Dashboard.plan(state, { ...dashboard, tiles: more }).tileIds).to.deep.equal({
      ...tileIds,
      New: unknown,
    });
    expect(Dashboard.plan(undefined, dashboard).tileIds).to.deep.equal({ Errors: unknown, Rows: unknown });
  });

  it("knows tiles by the ids that the program gives them, before their names", () => {
    const [errors, rows] = dashboard.tiles;
    const planned = (...tiles: object[]) =>
      resources.Dashboard.plan({ ...dashboard, tileIds }, { ...dashboard, tiles }).tileIds;
    expect(planned({ ...errors, id: "t2" }, { ...rows, id: "t1" })).to.deep.equal({
      Errors: "t2",
      Rows: "t1",
    });
    expect(planned({ ...errors, id: "t2" }, { ...rows })).to.deep.equal({ Errors: "t2", Rows: unknown });
    expect(planned({ ...errors, id: "elsewhere" })).to.deep.equal({ Errors: unknown });
  });

  it("knows no ids of tiles while the name of one is unknown", () => {
    const tiles = [tile, { ...tile, name: unknown, x: 6 }];
    const state = { ...dashboard, tileIds };
    for (const before of [undefined, state])
      expect(resources.Dashboard.plan(before, { ...dashboard, tiles }).tileIds).to.equal(unknown);
  });

  it("knows nothing of outputs that change by themselves", () => {
    const outputs = { keyId: "id", keySuffix: "d", usedAt: "then", assignedRoles: [{ roleId: "r1" }] };
    const key = { name: "k", roles: ["admin"], ...outputs };
    expect(resources.ApiKey.plan(key, { name: "k", roles: ["developer"] })).to.deep.include({
      keyId: "id",
      keySuffix: "d",
      usedAt: unknown,
      assignedRoles: unknown,
    });
    const scaling = {
      minReplicas: 1,
      maxReplicas: 2,
      minReplicaMemoryGb: 8,
      replicaMemoryGb: 8,
      region: "r",
    };
    expect(resources.ServiceScaling.plan(scaling, { minReplicaMemoryGb: 16 })).to.include({
      region: "r",
      replicaMemoryGb: unknown,
    });
  });
});

describe("an output among the inputs, where a host repeats it", () => {
  const before = { ...declared, token: "t" };
  const resource = noteResource({
    way: {
      create: async (_body, inputs) => ({ id: newId(), object: live(inputs, { token: "t" }) }),
      send: async (_id, body) => live(body, { token: "t" }),
    },
  });
  const { session } = sessionFor();

  it("is neither compared nor taken for declared", async () => {
    expect(diff(resource, "n1", before, { ...declared, token: "other" }, session)).to.deep.equal([]);
    expect((await resource.create(before, session)).state).to.deep.equal(before);
    expect(await resource.update("n1", before, { ...before, size: 4 }, session)).to.deep.equal({
      ...before,
      size: 4,
    });
  });
});
