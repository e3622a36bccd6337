import { expect } from "chai";
import type { Change } from "../../../provider/values/compare";
import type { PropertyMap } from "../../../provider/values/data";
import { Type } from "../../../provider/values/schemaBuilders";
import { unknown } from "../../../provider/values/unknown";
import { failureOf } from "../api/failure";
import { live, noteInputs, noteResource, sessionFor } from "./note";
import { declared } from "./noteInState";
import { tile, useService } from "./scriptedService";

describe("The adoption of an object", () => {
  const inputs = Type.Object({
    ...noteInputs.properties,
    password: Type.Optional(Type.String({ shown: "never" })),
  });
  const update = "putQueryEndpoint";
  const singleton = { operations: { create: update, get: "getQueryEndpoint", update } } as const;

  const replaces = "note n1 is there already, and taking it over replaces";
  for (const [what, program, shown, warned, sent, changed] of [
    ["writes nothing if the object is as declared", {}, {}, [], 0],
    [
      "writes nothing if the object differs only in members that the program leaves out",
      {},
      { pinned: true },
      [],
      0,
    ],
    ["writes a declared value that differs, and names it", { size: 4 }, { size: 3 }, [`${replaces} size`], 1],
    [
      "writes a value that no answer shows, and names it",
      { password: "p" },
      {},
      [
        "note n1 is there already, and taking it over sets password anew: no answer of the API shows what is there",
      ],
      1,
    ],
    [
      "writes even an object that is as declared if each service has only one of its type",
      {},
      {},
      [],
      1,
      singleton,
    ],
  ] as [string, PropertyMap, PropertyMap, string[], number, object?][])
    it(`the adoption of an object names each value that it replaces: it ${what}`, async () => {
      const bodies: PropertyMap[] = [];
      const { organizationId, serviceId, ...members } = declared;
      const answered = live({ ...members, ...shown }, { seenAt: "then" });
      const note = noteResource({
        inputs,
        ...changed,
        service: {
          look: async () => answered,
          send: async (_id, body) => {
            bodies.push(body);
            return live({ ...answered.inputs, ...program }, { seenAt: "then" });
          },
        },
      });
      const { session, warnings } = sessionFor();
      const { state } = await note.create(
        { ...declared, ...program, ...(changed ? {} : { adoptId: "n1" }) },
        session,
      );
      expect(warnings).to.deep.equal(warned);
      expect(bodies).to.deep.equal(sent ? [{ ...members, ...program }] : []);
      expect(state).to.deep.include({ ...declared, ...shown, ...program, seenAt: "then" });
    });
});

describe("The adoption of an object that no update can change into the declared one", () => {
  const refusal =
    "note n1 cannot be taken over, since no update changes its zone: declare what the service has there, or remove adoptId to create another one";
  const note = (shown: PropertyMap, changed: object = {}) =>
    noteResource({
      ...changed,
      service: {
        look: async () => live({ ...declared, ...shown }),
        send: async () => live({ ...declared, size: 4 }),
      },
    });
  const adopting = { ...declared, zone: "south", size: 4, adoptId: "n1" };

  it("an adoption fails before any write if it needs a change that replaces the object", async () => {
    const resource = note({ zone: "north" });
    const { failures } = await resource.check({}, adopting, sessionFor().session);
    expect(failures).to.deep.equal([{ path: "", message: refusal }]);
    expect((await failureOf(resource.create(adopting, sessionFor().session))).message).to.equal(refusal);
  });

  it("the type's own rule prevails over the schema on which changes prevent an adoption", async () => {
    const refineChange = (change: Change) => ({ ...change, replaces: change.path === "zone" });
    const resource = note({ zone: "north" }, { refineChange });
    expect((await failureOf(resource.create(adopting, sessionFor().session))).message).to.equal(refusal);
    const lenient = note(
      { zone: "north" },
      { refineChange: (change: Change) => ({ ...change, replaces: false }) },
    );
    expect((await lenient.create(adopting, sessionFor().session)).id).to.equal("n1");
  });

  for (const [what, zone, shown] of [
    ["is not known yet", unknown, { zone: "north" }],
    ["is not shown by the service", "south", {}],
  ] as const)
    it(`the adoption of an object is not refused for a property that cannot change in place if its value ${what}`, async () => {
      const { failures } = await note(shown).check({}, { ...adopting, zone }, sessionFor().session);
      expect(failures).to.deep.equal([]);
    });
});

describe("The tiles of an adopted dashboard", () => {
  const service = useService();

  it("a tile of an adopted dashboard keeps its id, and so its alerts, if the program gives it another name", async () => {
    const id = service.addForeign({}, "Dashboard");
    const tiles = () => service.stored(id, "Dashboard").tiles as PropertyMap[];
    const [{ id: tileId } = {}] = tiles();
    await service.create(service.open().session, "Dashboard", {
      adoptId: id,
      tiles: [{ ...tile, name: "Failures" }],
    });
    expect(tiles()).to.have.length(1);
    expect(tiles()[0]).to.include({ id: tileId, name: "Failures" });
  });

  it("an adopted object has its id in the small letters of the service, which its writes need", async () => {
    const id = service.addForeign({ name: "Theirs" }, "Dashboard");
    const { session } = service.open();
    const made = await service.create(session, "Dashboard", { adoptId: id.toUpperCase() });
    expect(made.id).to.equal(id);
    expect(service.stored(id, "Dashboard").name).to.equal("Board");
  });
});
