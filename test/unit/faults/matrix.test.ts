import { expect } from "chai";
import type { Operation } from "../../../provider/api/operation";
import { operations } from "../../../provider/api/operations";
import { faultKindNames } from "../../../sandbox/index";
import { isWhole, selected } from "../../seed";
import { inVirtualTime } from "../api/virtualTime";
import { functionSteps } from "./functionSteps";
import { knownExceptions } from "./knownExceptions";
import { type Cell, runMatrix } from "./matrix";
import { resourceSteps } from "./resourceSteps";
import { concerns, durations } from "./variants";

/**
 * The test runs one of so many cells of the fault matrix (one fault at one request), which the commit selects; `ALL=1` runs
 * all. Each request has more cells than that, so one of them is always run.
 */
const oneOf = 48;

/**
 * Operations of the API that no step of a resource or function calls; only the check of dashboards and the drift report call
 * them.
 */
const uncalled = ["validateDashboard", "listActivities"];

describe("The matrix of every fault at every request", () => {
  let matrix: Awaited<ReturnType<typeof runMatrix>>;

  before(async function () {
    this.timeout(isWhole ? 0 : 1_200_000);
    matrix = await inVirtualTime(() =>
      runMatrix([...resourceSteps, ...functionSteps], (cells) => selected(cells, oneOf)),
    );
  });

  it("the fault matrix covers every kind of fault and every operation of the API document", () => {
    const kinds = new Set(matrix.variants.map(({ fault }) => fault.kind));
    expect([...kinds]).to.have.members(faultKindNames);
    const called = new Set(matrix.columns.map(({ call }) => call.operation));
    const documented = Object.entries<Operation>(operations).filter(([, { isOfProduct }]) => !isOfProduct);
    expect([...called, ...uncalled]).to.include.members(documented.map(([operation]) => operation));
    const concerned = matrix.columns.flatMap(({ call }) =>
      matrix.variants.filter((variant) => concerns(variant, call)),
    );
    expect(matrix.cells).to.have.length(concerned.length);
  });

  for (const { table, name } of [...resourceSteps, ...functionSteps]) {
    it(`the provider keeps its promises under every fault at any request of the step: ${table}, ${name}`, () => {
      const cells = matrix.run.filter(({ step }) => step.table === table && step.name === name);
      expect(cells).to.have.length.above(0);
      const broken = cells.flatMap((cell) =>
        durations.flatMap((duration) =>
          (cell.broken[duration] ?? [])
            .filter(({ promise }) => !isKnown(cell, promise))
            .map(
              ({ promise, what }) =>
                `${cell.call.operation}, ${cell.variant.name}, ${duration}: ${promise}: ${what}`,
            ),
        ),
      );
      expect(broken).to.deep.equal([]);
    });
  }

  if (isWhole)
    it("each known exception to the provider's promises is needed to explain a fault's effect", () => {
      const needless = knownExceptions.flatMap(({ appliesTo, broken }, index) =>
        broken
          .filter((name) => !matrix.run.some((cell) => appliesTo(cell) && brokenIn(cell).includes(name)))
          .map((name) => `${index + 1}: ${name}`),
      );
      expect(needless).to.deep.equal([]);
    });
});

function isKnown(cell: Cell, promise: string): boolean {
  return knownExceptions.some((known) => known.appliesTo(cell) && known.broken.includes(promise));
}

function brokenIn({ broken }: Cell): string[] {
  return durations.flatMap((duration) => broken[duration]?.map(({ promise }) => promise) ?? []);
}
