import { expect } from "chai";
import { pairEntries } from "../../../provider/values/pairing";
import { Type } from "../../../provider/values/schemaBuilders";

const members = {
  kind: Type.Optional(Type.String()),
  note: Type.Optional(Type.String()),
  count: Type.Optional(Type.Number()),
  inner: Type.Optional(Type.Object({ one: Type.Number() })),
};
const plain = Type.Object(members);
const identified = Type.Object(members, { identity: ["kind"] });

describe("The pairing of the entries of two lists", () => {
  for (const [title, declared, others, expected] of [
    ["goes by ids, and by the first of two the same", [{ id: "b" }], [{}, { id: "b" }, { id: "b" }], [1]],
    ["pairs an unknown id with nothing", [{ id: "c", kind: "x" }], [{ kind: "x" }], [undefined]],
    ["pairs no entry with one that has an id", [{ kind: "x" }], [{ id: "a", kind: "x" }], [undefined]],
    ["follows an entry to another position", [{ kind: "x" }], [{ kind: "y" }, { kind: "x" }], [1]],
    ["takes the same position before others", [{}, { kind: "x" }], [{ kind: "x" }, { kind: "x" }], [0, 1]],
    ["takes an entry once", [{ kind: "x" }, { kind: "x" }], [{ kind: "x" }], [0, undefined]],
    [
      "takes the next of several alike",
      [{}, {}].fill({ kind: "x" }),
      [{}, { kind: "x" }, { kind: "x" }],
      [2, 1],
    ],
    ["passes over undeclared members", [{ kind: "x" }], [{}, { kind: "x", note: "n" }], [1]],
    ["compares values by their meaning", [{ count: 5 }], [{ count: "4" }, { count: "5" }], [1]],
    ["compares objects within", [{ inner: { one: 1 } }], [{ inner: {} }, { inner: { one: 1, two: 2 } }], [1]],
    ["passes over entries that are no objects", ["x", { kind: "x" }], [{ kind: "x" }, "x"], [undefined, 0]],
  ] as const)
    it(`the pairing of list entries finds the counterpart of each declared entry: it ${title}`, () => {
      expect(pairEntries(plain, declared, others)).to.deep.equal(expected);
    });

  for (const [title, declared, others, expected] of [
    ["follows a changed entry by its identity", { kind: "x", note: "new" }, { kind: "x", note: "old" }, 1],
    ["takes an identity that the service has filled in", { note: "new" }, { kind: "x", note: "old" }, 0],
    ["pairs an unknown id with no entry of its identity", { id: "c", kind: "x" }, { kind: "x" }, undefined],
    ["pairs no entry with one of another identity", { kind: "z" }, { kind: "x" }, undefined],
    [
      "takes an equal entry before one of the same identity",
      { kind: "y", note: "n" },
      { kind: "y", note: "n" },
      1,
    ],
  ] as const)
    it(`the pairing of list entries with an identity finds the counterpart of each declared entry: it ${title}`, () => {
      expect(pairEntries(identified, [declared], [{ kind: "y" }, others])).to.deep.equal([expected]);
    });

  for (const [title, kindOf] of [
    ["have moved", (index: number) => `kind ${index}`],
    ["are of one identity", () => "kind"],
    ["have no identity", () => ""],
  ] as const)
    it(`the pairing reads each changed list entry a fixed number of times if the entries ${title}`, () => {
      const readsOf = (size: number) => {
        let reads = 0;
        const entryOf = (kind: string, note: string) => ({
          get kind() {
            reads++;
            return kind;
          },
          note,
        });
        const others = Array.from({ length: size }, (_, index) => entryOf(kindOf(index), `old ${index}`));
        const declared = Array.from({ length: size }, (_, index) =>
          entryOf(kindOf(index + 1), `new ${index}`),
        );
        pairEntries(identified, declared, others);
        return reads;
      };
      expect(readsOf(200)).to.be.within(400, 2 * readsOf(100) + 10);
    });
});
