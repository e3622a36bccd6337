import { expect } from "chai";
import { bodyOf, carryOver } from "../../../provider/lifecycle/body";
import type { PropertyMap } from "../../../provider/values/data";
import { Type } from "../../../provider/values/schemaBuilders";
import { sessionFor } from "./note";

describe("The body of an update that carries over undeclared properties", () => {
  const own = Type.Optional(Type.Number());
  const kind = Type.Optional(Type.String());
  const schema = Type.Object({
    plain: Type.Optional(Type.String()),
    local: Type.Optional(Type.String({ sent: "never" })),
    inner: Type.Optional(Type.Object({ one: own, two: own })),
    list: Type.Optional(Type.Array(Type.Object({ own }))),
    kinds: Type.Optional(Type.Array(Type.Object({ kind, note: kind, own }, { identity: ["kind"] }))),
    channel: Type.Optional(Type.Object({ kind, own }, { identity: ["kind"] })),
  });
  const inner = (members: PropertyMap) => ({ inner: members });
  const list = (...entries: PropertyMap[]) => ({ list: entries });
  const kinds = (...entries: PropertyMap[]) => ({ kinds: entries });
  const [a, b, c] = [{ id: "a" }, { id: "b" }, { id: "c" }];
  const [count, sum, noted] = [{ kind: "count" }, { kind: "sum" }, { kind: "sum", note: "n" }];
  const [byHand, both] = [
    { ...sum, own: 1 },
    { ...noted, own: 1 },
  ];
  const known = { plain: "p", ...list({ own: 1, unheardOf: 2 }) };
  const shown = { plain: "p", local: "l", unheardOf: 1, ...list({ own: 1, unheardOf: 2 }) };
  const all = { plain: "p", ...inner({ one: 1, two: 2 }) };
  const asText = { plain: "3", ...inner({ one: "1", two: "2" }), list: null };
  const [one, two] = [inner({ one: 1 }), inner({ one: 1, two: 2 })];

  const cases: [string, sent: PropertyMap, found: PropertyMap, before: PropertyMap, body: PropertyMap][] = [
    ["has known members, and whole lists with all that they show", {}, shown, {}, known],
    ["has undeclared members of declared objects", one, inner({ two: 2 }), {}, two],
    [
      "has members of declared objects that no program can declare",
      one,
      inner({ two: 2, unheardOf: 3 }),
      {},
      inner({ one: 1, two: 2, unheardOf: 3 }),
    ],
    ["has declared lists as they are", list({ other: 1 }), list({ own: 1 }), {}, list({ other: 1 })],
    ["has nothing that the program no longer declares, at any depth", one, all, all, one],
    ["has numbers that the service sends as text, and no null", one, asText, {}, { plain: "3", ...two }],
    [
      "follows an id",
      list(a, c, {}),
      list({ ...b, own: 2 }, { ...a, own: 1 }),
      {},
      list({ ...a, own: 1 }, c, {}),
    ],
    ["follows an entry that moves", kinds(sum, count), kinds(count, byHand), {}, kinds(byHand, count)],
    [
      "follows an entry that changes",
      kinds(count, noted),
      kinds(count, byHand),
      kinds(count, sum),
      kinds(count, both),
    ],
    [
      "drops a member of an entry",
      kinds(count, sum),
      kinds(count, both),
      kinds(count, noted),
      kinds(count, byHand),
    ],
    ["has nothing of another entry", kinds(count), kinds(byHand), {}, kinds(count)],
    ["has nothing of another object", { channel: count }, { channel: byHand }, {}, { channel: count }],
  ];
  for (const [title, sent, found, before, body] of cases)
    it(`the body of an update has the declared values, and keeps undeclared ones of the service: it ${title}`, () =>
      expect(carryOver(schema, sent, found, before)).to.deep.equal(body));

  it("an update carries over nothing from a value whose type differs from the declared one", () => {
    const shapes = { plain: "p", inner: { one: 1 }, list: [{ id: "a" }] };
    for (const name of ["inner", "list"] as const)
      for (const found of Object.values(shapes).filter((shape) => shape !== shapes[name]))
        expect(carryOver(schema, { [name]: shapes[name] }, { [name]: found }, {})).to.deep.equal({
          [name]: shapes[name],
        });
    expect(carryOver(schema, { inner: "declared" }, { inner: { one: 1 } }, {})).to.deep.equal({
      inner: "declared",
    });
  });

  it("the body of an update carries over no property that excludes a declared property", () => {
    const either = Type.Object({
      one: Type.Optional(Type.String({ notBeside: ["other"] })),
      other: Type.Optional(Type.String()),
    });
    expect(carryOver(either, { other: "o" }, { one: "1" }, {})).to.deep.equal({ other: "o" });
    expect(carryOver(either, {}, { one: "1" }, {})).to.deep.equal({ one: "1" });
  });
});

describe("The warning about undeclared properties that an update loses in a replaced list entry", () => {
  const entry = Type.Object(
    {
      kind: Type.String(),
      own: Type.Optional(Type.Unknown()),
      list: Type.Optional(Type.Array(Type.Unknown())),
    },
    { identity: ["kind"] },
  );
  const inputs = Type.Object({ list: Type.Array(entry) });
  const operations = { create: "createDashboard", update: "updateDashboard" } as const;
  const other = { kind: "b" };

  for (const [title, found, before, sent, lost] of [
    [
      "names a member that somebody has set in the entry",
      { kind: "a", own: 1 },
      { kind: "a" },
      [other],
      "list[0].own",
    ],
    [
      "names no member that the program declared before",
      { kind: "a", own: 1 },
      { kind: "a", own: 2 },
      [other],
    ],
    ["names no member that the request sets", { kind: "a", own: 1 }, { kind: "a" }, [{ ...other, own: 2 }]],
    ["names nothing of an entry that stays", { kind: "b", own: 1 }, { kind: "b" }, [other]],
  ] as const)
    it(`an update warns of undeclared properties that it loses in a replaced list entry: the warning ${title}`, () => {
      const { session, warnings } = sessionFor();
      const declared = { list: [before] };
      const parts = {
        desired: { list: sent },
        before: declared,
        live: { list: [found] },
        state: declared,
        answer: undefined,
      };
      bodyOf({ inputs, outputs: Type.Object({}), operations }, "note n1", parts, session);
      expect(warnings).to.deep.equal(
        lost
          ? [`note n1: the update replaces a list entry, and so loses ${lost}; declare what shall stay`]
          : [],
      );
    });
});

describe("The members of an answer that an update repeats, though no schema has them", () => {
  it("an update repeats unknown members, and none that is another name of an input", () => {
    const { session } = sessionFor({ dialect: "clickhouse" });
    const inputs = Type.Object({ boardId: Type.String({ alsoNamed: ["board"] }) });
    const operations = { create: "createDashboard", update: "updateDashboard" } as const;
    const parts = {
      ...{ desired: { boardId: "b2" }, before: { boardId: "b1" }, state: { boardId: "b1" } },
      ...{ live: { boardId: "b1" }, answer: { id: "n1", boardId: "b1", board: "b1", mode: "anomaly" } },
    };
    const resource = { inputs, outputs: Type.Object({}), operations, keepsUnknown: true } as const;
    expect(bodyOf(resource, "note n1", parts, session).full).to.deep.equal({
      boardId: "b2",
      mode: "anomaly",
    });
  });
});
