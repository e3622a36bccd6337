import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { operations } from "../../../provider/api/operations";
import { faultKindNames } from "../../../sandbox/src";
import { type Belief, beliefs } from "./beliefs";
import { durations } from "./cells";
import { functionSteps } from "./functionSteps";
import { runMatrix } from "./matrix";
import { resourceSteps } from "./resourceSteps";
import { printMatrix } from "./table";

const document = join(__dirname, "../../../docs/faults.md");
const [begin, end] = ["<!-- matrix: generated -->\n", "<!-- end of matrix -->\n"];

/** On a slow machine another attempt may come to its time limit, so that "done" and "error" change places. */
const withoutTimes = (text: string) =>
  text.replace(/\bdone( \/ error)?\b|\berror\b/g, "ended").replace(/ended \/ (?=named)/g, "");

/** What no resource and no data function calls. */
const uncalled = ["createPipe"];

describe("every fault at every call of every resource and data function", () => {
  let matrix: Awaited<ReturnType<typeof runMatrix>>;

  before(async function () {
    this.timeout(1_200_000);
    matrix = await runMatrix([...resourceSteps, ...functionSteps]);
  });

  it("is all there: every kind of fault, every operation", () => {
    const kinds = new Set(matrix.variants.map(({ fault }) => fault.kind));
    expect([...kinds]).to.have.members(faultKindNames);
    const called = new Set(matrix.columns.map(({ call }) => call.operation));
    expect([...called, ...uncalled]).to.have.members(Object.keys(operations));
    expect(matrix.cells).to.have.length(matrix.columns.length * matrix.variants.length);
  });

  for (const { table, name } of [...resourceSteps, ...functionSteps]) {
    it(`${table}, ${name}: in the end all is as declared, nothing is left behind, and no message is out of place`, () => {
      const cells = matrix.cells.filter(({ step }) => step.table === table && step.name === name);
      expect(cells).to.have.length.above(0);
      const shortfalls = cells.flatMap((cell) =>
        durations.flatMap((duration) =>
          (cell.outcomes[duration]?.shortfalls ?? [])
            .filter(
              (shortfall) => !beliefs.some(({ isHeld, follows }) => isHeld(cell) && follows.test(shortfall)),
            )
            .map((shortfall) => `${cell.call.operation}, ${cell.variant.name}, ${duration}: ${shortfall}`),
        ),
      );
      expect(shortfalls).to.deep.equal([]);
    });
  }

  it("believes nothing that it need not", () => {
    const isNeeded = ({ isHeld, follows }: Belief) =>
      matrix.cells.some(
        (cell) =>
          isHeld(cell) &&
          durations.some((duration) =>
            cell.outcomes[duration]?.shortfalls.some((text) => follows.test(text)),
          ),
      );
    expect(beliefs.filter((belief) => !isNeeded(belief))).to.deep.equal([]);
  });

  it("no redirect is followed to another origin", () => {
    expect(matrix.strayRequests).to.deep.equal([]);
  });

  it("has the faults and calls that docs/faults.md shows; PIPESTACK_WRITE_FAULTS=1 writes it there", () => {
    const text = readFileSync(document, "utf8");
    const [before = "", rest = ""] = text.split(begin);
    const [shown = "", after = ""] = rest.split(end);
    const notes = beliefs.map(({ reason }, index) => `${index + 1}. ${reason}\n`).join("");
    const current = `${printMatrix(matrix)}\n${notes}`;
    if (process.env.PIPESTACK_WRITE_FAULTS) writeFileSync(document, before + begin + current + end + after);
    else expect(withoutTimes(shown)).to.equal(withoutTimes(current));
  });
});
