import { expect } from "chai";
import fc from "fast-check";
import { differingLines } from "../../../../provider/cli/drift/lines";

describe("The lines in which two texts differ", () => {
  it("differing lines lead from either text to the other", () => {
    const text = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 5 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = differingLines(before.join("\n"), after.join("\n")).filter((line) => line !== "…");
        const without = (mark: string) =>
          lines.filter((line) => !line.startsWith(mark)).map((line) => line.slice(2));
        const isShown = before.join("\n") !== after.join("\n");
        const within = (all: readonly string[], part: readonly string[]) =>
          all.join("\n").includes(part.join("\n"));
        expect(within(before, without("+"))).to.equal(true);
        expect(within(after, without("-"))).to.equal(true);
        expect(lines.some((line) => /^[-+]/.test(line))).to.equal(isShown);
      }),
    );
  });

  it("differing lines are cut where nobody would read on, and compared by their ends where they are many", () => {
    const many = (word: string) => Array.from({ length: 3000 }, (_, at) => `${word} ${at}`).join("\n");
    const lines = differingLines(many("a"), many("b"));
    expect(lines).to.have.length(61);
    expect([lines[0], lines.at(-1)]).to.deep.equal(["- a 0", "… and 5940 more lines"]);
    expect(differingLines("x".repeat(500), "y")[0]).to.have.length(202);
  });
});
