import { expect } from "chai";
import { bodyOf, carryOver, warnOfLost } from "../../../provider/lifecycle/body";
import { Type } from "../../../provider/values/schemaBuilders";
import { sessionFor } from "./note";

describe("The body of an update that carries members over", () => {
  const schema = Type.Object({
    plain: Type.Optional(Type.String()),
    local: Type.Optional(Type.String({ sent: "never" })),
    inner: Type.Optional(
      Type.Object({ one: Type.Optional(Type.Number()), two: Type.Optional(Type.Number()) }),
    ),
    list: Type.Optional(Type.Array(Type.Object({ own: Type.Optional(Type.Number()) }))),
  });

  it("has what the schema knows, inside of declared objects too, and of lists only as a whole", () => {
    const found = {
      plain: "p",
      local: "l",
      unheardOf: 1,
      inner: { one: 1, two: 2, unheardOf: 3 },
      list: [{ own: 1, unheardOf: 2 }],
    };
    expect(carryOver(schema, { inner: { one: 5 } }, found, {})).to.deep.equal({
      plain: "p",
      inner: { one: 5, two: 2 },
      list: [{ own: 1 }],
    });
    expect(carryOver(schema, { list: [{ other: 1 }] }, { list: [{ own: 1 }] }, {})).to.deep.equal({
      list: [{ other: 1 }],
    });
  });

  it("has nothing that the program declared before and no longer does, at any depth", () => {
    const found = { plain: "p", inner: { one: 1, two: 2 } };
    expect(carryOver(schema, { inner: { one: 1 } }, found, found)).to.deep.equal({ inner: { one: 1 } });
  });

  it("has a number where the service sends it as a text", () => {
    const found = { inner: { one: "1", two: "2" }, plain: "3", list: null };
    expect(carryOver(schema, { inner: { one: 1 } }, found, {})).to.deep.equal({
      inner: { one: 1, two: 2 },
      plain: "3",
    });
  });

  it("has in an entry of a list what the service has of the entry with its id", () => {
    const found = {
      list: [
        { id: "b", own: 2 },
        { id: "a", own: 1 },
      ],
    };
    const sent = { list: [{ id: "a" }, { id: "c" }, {}] };
    const carried = { list: [{ id: "a", own: 1 }, { id: "c" }, {}] };
    expect(carryOver(schema, sent, found, {})).to.deep.equal(carried);
    expect(carryOver(schema, sent, found, { list: [{ id: "a", own: 1 }] })).to.deep.equal(sent);
  });

  it("has nothing where the service has a value of another shape", () => {
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

  it("has nothing that cannot be there beside a declared member", () => {
    const either = Type.Object({
      one: Type.Optional(Type.String({ notBeside: ["other"] })),
      other: Type.Optional(Type.String()),
    });
    expect(carryOver(either, { other: "o" }, { one: "1" }, {})).to.deep.equal({ other: "o" });
    expect(carryOver(either, {}, { one: "1" }, {})).to.deep.equal({ one: "1" });
  });

  it("lacks what only the other API can write, which a warning names by its paths", () => {
    const api = Type.Optional(Type.String({ via: "management" }));
    const inner = Type.Object({ four: api, on: Type.Optional(Type.Boolean({ via: "management" })) });
    const ofBoth = Type.Object({ one: api, two: api, three: api, inner, list: Type.Array(inner) });
    const { session, warnings } = sessionFor();
    const list = [
      { name: "first", on: true },
      { name: "second", four: "5" },
    ];
    const found = { one: "1", two: null, three: undefined, inner: { four: "4" }, list, unheardOf: "x" };
    warnOfLost("note n1", ofBoth, found, "observability", session);
    warnOfLost("note n2", ofBoth, found, "management", session);
    expect(warnings).to.deep.equal([
      'note n1: the update loses one, inner.four, list["second"].four, which only requests to the other API have (setting observabilityVia)',
    ]);
  });
});

describe("A warning of the loss in an entry that another one replaces", () => {
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
    ["names what somebody has set in it", { kind: "a", own: 1 }, { kind: "a" }, [other], "list[0].own"],
    ["names nothing that is empty", { kind: "a", own: false, list: [] }, { kind: "a" }, [other]],
    ["names nothing that its schema lacks", { kind: "a", unheardOf: 1 }, { kind: "a" }, [other]],
    ["names nothing that the program declared before", { kind: "a", own: 1 }, { kind: "a", own: 2 }, [other]],
    ["names nothing that the request sets", { kind: "a", own: 1 }, { kind: "a" }, [{ ...other, own: 2 }]],
    ["names nothing of an entry with an id", { id: "1", kind: "a", own: 1 }, { kind: "a" }, [other]],
    ["names nothing of what is no object", "abc", { kind: "a" }, [other]],
    ["names nothing of an entry that stays", { kind: "b", own: 1 }, { kind: "b" }, [other]],
    ["names nothing of an entry that moves", { kind: "b", own: 1 }, { kind: "b" }, [{ kind: "a" }, other]],
  ] as const)
    it(title, () => {
      const { session, warnings } = sessionFor();
      const declared = { list: [before] };
      const parts = { sent: { list: sent }, before: declared, found: { list: [found] }, state: declared };
      bodyOf({ inputs, operations }, "note n1", parts, session);
      expect(warnings).to.deep.equal(
        lost
          ? [
              `note n1: the update loses ${lost}, which the program does not declare: it has another entry there now`,
            ]
          : [],
      );
    });
});
