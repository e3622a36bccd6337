import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";
import { operations } from "../../../provider/api/operations";
import { faultKindNames } from "../../../sandbox/index";
import { inVirtualTime } from "../api/virtualTime";
import { functionSteps } from "./functionSteps";
import { type KnownException, knownExceptions } from "./knownExceptions";
import { runMatrix } from "./matrix";
import { resourceSteps } from "./resourceSteps";
import { printMatrix } from "./table";
import { concerns, durations } from "./variants";

const document = join(__dirname, "../../../docs/faults.md");
const [begin, end] = ["<!-- matrix: generated -->\n", "<!-- end of matrix -->\n"];

/** ALL_FAULTS=1 runs every cell for itself. */
const runsAll = Boolean(process.env.ALL_FAULTS);

/** Operations that no step of a resource or function calls, but the check, and the report of drift. */
const uncalled = ["validateDashboard", "listActivities"];

describe("Every fault at every call", () => {
  let matrix: Awaited<ReturnType<typeof runMatrix>>;

  before(async function () {
    this.timeout(runsAll ? 0 : 1_200_000);
    matrix = await inVirtualTime(() => runMatrix([...resourceSteps, ...functionSteps], runsAll));
  });

  it("the matrix covers every kind of fault and every operation", () => {
    const kinds = new Set(matrix.variants.map(({ fault }) => fault.kind));
    expect([...kinds]).to.have.members(faultKindNames);
    const called = new Set(matrix.columns.map(({ call }) => call.operation));
    expect([...called, ...uncalled]).to.have.members(Object.keys(operations));
    const concerned = matrix.columns.flatMap(({ call }) =>
      matrix.variants.filter((variant) => concerns(variant, call)),
    );
    expect(matrix.cells).to.have.length(concerned.length);
  });

  for (const { table, name } of [...resourceSteps, ...functionSteps]) {
    it(`promises hold under every fault at any call: ${table}, ${name}`, () => {
      const cells = matrix.cells.filter(({ step }) => step.table === table && step.name === name);
      expect(cells).to.have.length.above(0);
      const broken = cells.flatMap((cell) =>
        durations.flatMap((duration) =>
          (cell.outcomes[duration]?.broken ?? [])
            .filter(
              ({ promise }) =>
                !knownExceptions.some((known) => known.appliesTo(cell) && known.broken.includes(promise)),
            )
            .map(
              ({ promise, what }) =>
                `${cell.call.operation}, ${cell.variant.name}, ${duration}: ${promise}: ${what}`,
            ),
        ),
      );
      expect(broken).to.deep.equal([]);
    });
  }

  it("the table of faults lists only exceptions that a broken promise needs", () => {
    const isBroken = ({ appliesTo }: KnownException, name: string) =>
      matrix.cells.some(
        (cell) =>
          appliesTo(cell) &&
          durations.some((duration) =>
            cell.outcomes[duration]?.broken.some(({ promise }) => promise === name),
          ),
      );
    const needless = knownExceptions.flatMap((known, index) =>
      known.broken.filter((name) => !isBroken(known, name)).map((name) => `${index + 1}: ${name}`),
    );
    expect(needless).to.deep.equal([]);
  });

  it("users see a readable error without a secret after any fault of any operation", () => {
    expect(matrix.effects).to.have.length.above(0);
    const broken = matrix.effects.flatMap(({ key, broken }) =>
      broken.map(({ promise, what }) => `${key}: ${promise}: ${what}`),
    );
    expect(broken).to.deep.equal([]);
  });

  it("docs/faults.md shows the current matrix (npm run golden writes it)", () => {
    const text = readFileSync(document, "utf8");
    const [above = "", rest = ""] = text.split(begin);
    const [shown = "", below = ""] = rest.split(end);
    const notes = knownExceptions.map(({ reason }, index) => `${index + 1}. ${reason}\n`).join("");
    const current = `${printMatrix(matrix)}\n${notes}`;
    if (process.env.PIPESTACK_WRITE_GOLDEN) writeFileSync(document, above + begin + current + end + below);
    else {
      const [before, now] = [shown.split("\n"), current.split("\n")];
      // The lines that differ make a shorter message than two documents.
      const differing = now.flatMap((line, index) => (line === before[index] ? [] : [[before[index], line]]));
      expect(differing, "lines of docs/faults.md and what was found").to.deep.equal([]);
      expect(now).to.have.length(before.length);
    }
  });
});
