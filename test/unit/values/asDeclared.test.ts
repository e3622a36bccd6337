import { Type } from "@sinclair/typebox";
import { expect } from "chai";
import { asDeclared } from "../../../provider/values/asDeclared";

const schema = Type.Object({
  name: Type.String({ minLength: 1 }),
  note: Type.Optional(Type.String({ minLength: 1 })),
  text: Type.Optional(Type.String()),
  size: Type.Optional(Type.Number()),
  count: Type.Optional(Type.Integer()),
  pinned: Type.Optional(Type.Boolean()),
  entries: Type.Optional(Type.Array(Type.Object({ x: Type.Number() }))),
});

describe("The conversion of answers to the form in which programs declare values", () => {
  for (const [what, answered, declared] of [
    ["has numbers that came as text", { size: "1.5", count: "3" }, { size: 1.5, count: 3 }],
    ["has zero that came as text", { count: "0" }, { count: 0 }],
    ["has booleans that came as text", { pinned: "true" }, { pinned: true }],
    ["has a false that came as text", { pinned: "false" }, { pinned: false }],
    [
      "keeps text that is no number and no boolean for the validation",
      { size: "large", count: " ", pinned: "yes" },
      { size: "large", count: " ", pinned: "yes" },
    ],
    [
      "keeps text that looks like a number or a boolean where the schema has text",
      { name: "5", text: "true" },
      { name: "5", text: "true" },
    ],
    ["keeps numbers and booleans unchanged", { size: 1.5, pinned: false }, { size: 1.5, pinned: false }],
    [
      "has numbers that came as text in every entry of a list",
      { entries: [{ x: "1" }, { x: 2 }] },
      { entries: [{ x: 1 }, { x: 2 }] },
    ],
    ["lacks absent members", { note: null, size: undefined }, {}],
    ["lacks an empty text that no program could declare", { note: "" }, {}],
    [
      "has an empty text that a program may declare, or has to",
      { text: "", name: "" },
      { name: "", text: "" },
    ],
    [
      "keeps members that the schema does not know",
      { unheardOf: "1", other: [1] },
      { unheardOf: "1", other: [1] },
    ],
  ] as [string, object, object][]) {
    it(`an answer that is converted to the form of declared values ${what}`, () =>
      expect(asDeclared(schema, answered)).to.deep.equal(declared));
  }

  it("a converted answer has the order of the schema, with unknown properties last", () => {
    const answered = { zone: "z", count: 1, other: 2, note: "n", name: "a" };
    const declared = asDeclared(schema, answered) as object;
    expect(Object.keys(declared)).to.deep.equal(["name", "note", "count", "zone", "other"]);
  });
});
