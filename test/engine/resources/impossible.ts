import { expect } from "chai";
import type { Suite } from "./suite";

/** A resource that cannot be made. */
export interface Impossible {
  /** Completes "is one clear error when". */
  readonly when: string;
  /** Name of the resource in the program. */
  readonly name: string;
  readonly declaration: string;
  /** What the error says. */
  readonly problem: readonly (string | RegExp)[];
}

/** Declares them all in one program, and expects one clear error of each and no request but the one that is refused. */
export function describeImpossible(
  suite: Suite,
  refused: string,
  impossible: readonly Impossible[],
  prepare: () => void = () => undefined,
): void {
  describe("that cannot be", () => {
    let output = "";

    before(async () => {
      prepare();
      suite.forget();
      const program = impossible.map(({ declaration }) => declaration).join("\n");
      ({ output } = await suite.apply(program, { args: ["--continue-on-error"], expect: "failure" }));
    });

    for (const { when, name, problem } of impossible) {
      it(`is one clear error when ${when}`, () => {
        const lines = diagnosticsOf(output, name);
        expect(lines, output).to.have.length(1);
        for (const words of problem) {
          if (typeof words === "string") expect(lines[0]).to.include(words);
          else expect(lines[0]).to.match(words);
        }
      });
    }

    it("sends nothing but looks and what the API refuses", () => {
      expect(suite.changes()).to.deep.equal([`${refused} 400`]);
    });
  });
}

/** What the CLI says of a resource in the end. */
function diagnosticsOf(output: string, name: string): string[] {
  const [, lines = ""] = new RegExp(`^ {2}\\S+ \\(${name}\\):\\n((?: {4}.*\\n)*)`, "m").exec(output) ?? [];
  return lines
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
