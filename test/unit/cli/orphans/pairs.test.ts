import { expect } from "chai";
import fc from "fast-check";
import { type Likeness, pairUp } from "../../../../provider/cli/orphans/pairs";

interface Thing {
  readonly id: number;
  readonly name: string;
  readonly content: string;
}

const thing = fc.record({
  id: fc.nat(),
  name: fc.constantFrom("a", "b", "c"),
  content: fc.constantFrom("x", "y", "z"),
});
const things = fc.uniqueArray(thing, { selector: ({ id }) => id, maxLength: 8 });

function likeness(one: Thing, other: Thing): Likeness | undefined {
  if (one.name !== other.name) return undefined;
  return one.content === other.content ? "content" : "name";
}

const pairsOf = (declared: Thing[], found: Thing[]) =>
  pairUp(declared, found, likeness).map(({ declared: one, found: other, by }) => [one.id, other.id, by]);
const made = (id: number, name: string, content: string): Thing => ({ id, name, content });

describe("Declared resources and objects that nobody holds", () => {
  it("are pairs where each has one partner of the same content, whatever else has that name", () => {
    const declared = [made(1, "a", "x"), made(2, "a", "y")];
    const found = [made(3, "a", "y"), made(4, "a", "z")];
    expect(pairsOf(declared, found)).to.deep.equal([[2, 3, "content"]]);
  });

  it("are pairs by a name that both have alone", () => {
    expect(pairsOf([made(1, "a", "x")], [made(2, "a", "y"), made(3, "b", "x")])).to.deep.equal([
      [1, 2, "name"],
    ]);
  });

  it("are no pairs where either could have another partner", () => {
    const [one, same, other] = [made(1, "a", "x"), made(2, "a", "x"), made(3, "a", "y")];
    expect(pairsOf([one], [same, made(4, "a", "x")])).to.deep.equal([]);
    expect(pairsOf([one, same], [made(4, "a", "x")])).to.deep.equal([]);
    expect(pairsOf([one], [other, made(4, "a", "z")])).to.deep.equal([]);
    expect(pairsOf([one, made(4, "a", "z")], [other])).to.deep.equal([]);
  });

  it("have one partner at most, which is like them, and is paired with nothing else", () => {
    fc.assert(
      fc.property(things, things, (declared, found) => {
        const pairs = pairUp(declared, found, likeness);
        expect(new Set(pairs.map((pair) => pair.declared)).size).to.equal(pairs.length);
        expect(new Set(pairs.map((pair) => pair.found)).size).to.equal(pairs.length);
        for (const { declared: one, found: other, by } of pairs) {
          expect(likeness(one, other)).to.equal(by);
          const rivals = [
            ...declared.filter((each) => each !== one && isRival(likeness(each, other), by)),
            ...found.filter((each) => each !== other && isRival(likeness(one, each), by)),
          ];
          expect(rivals).to.deep.equal([]);
        }
      }),
    );
  });

  it("are all pairs where no two of either have the same name", () => {
    const unlike = fc.uniqueArray(thing, { selector: ({ name }) => name });
    fc.assert(
      fc.property(unlike, unlike, (declared, found) => {
        const names = found.map(({ name }) => name);
        const expected = declared.filter(({ name }) => names.includes(name));
        expect(pairUp(declared, found, likeness).map((pair) => pair.declared)).to.deep.equal(expected);
      }),
    );
  });
});

/** Whether a likeness makes as good a partner. */
function isRival(other: Likeness | undefined, by: Likeness): boolean {
  return other === "content" || (other === "name" && by === "name");
}
