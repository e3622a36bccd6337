import { expect } from "chai";
import fc from "fast-check";
import { type TypeName, typeNames } from "../../../provider/resources/registry";
import { createSandbox, type Rewrite, rewriteNames, type Sandbox } from "../../../sandbox/index";
import { examples } from "../resources/examples";
import { Declared, sessionOf } from "./fixture";
import { chosenOf, outsideChanges, recordOf } from "./outsideChanges";

const runsOfEachType = 60;

describe("drift of random programs under random changes from outside", () => {
  let sandbox: Sandbox;

  before(async () => {
    sandbox = await createSandbox();
  });
  after(() => sandbox.close());

  for (const type of typeNames) {
    it(`${type}: clean after up, exactly the changed property after a change, as declared after the next up`, async () => {
      await fc.assert(
        fc.asyncProperty(
          examples[type].randomPrograms(sandbox),
          // Waiting out a lagging service has a test of its own.
          fc.subarray(rewriteNames.filter((name) => name !== "laggingScaling")),
          fc.nat(),
          async (program, rewrites, choice) => {
            await sandbox.reset();
            sandbox.rewrites.clear();
            for (const rewrite of rewrites) sandbox.rewrites.add(rewrite);

            const declared = new Declared(type, program);
            await declared.up(sessionOf(sandbox).session);
            expect(await declared.refresh(sessionOf(sandbox).session), "after up").to.deep.equal([]);

            const candidates = outsideChanges(type, program).filter(({ path }) => isShown(path, rewrites));
            const change = chosenOf(candidates, choice);
            const before = stored(type, declared.id);
            change.apply(recordOf(sandbox, type, declared.id));
            const drifted = await declared.refresh(sessionOf(sandbox).session);
            expect(drifted, "after a change").to.deep.equal([asAnswered(change.path, rewrites)]);

            await declared.up(sessionOf(sandbox).session);
            expect(await declared.refresh(sessionOf(sandbox).session), "after the repair").to.deep.equal([]);
            expect(stored(type, declared.id)).to.deep.equal(before);
          },
        ),
        { numRuns: runsOfEachType },
      );
    }).timeout(120_000);
  }

  /** What the sandbox holds, without what changes by itself; a tile that was removed and made again has a new id. */
  function stored(type: TypeName, id: string): unknown {
    const { updatedAt, usedAt, ...record } = structuredClone(recordOf(sandbox, type, id));
    // An update carries over what the service shows, so that a default that it fills in is in the record from then on.
    const isFilledIn = (value: unknown) =>
      ["", "count", "lucene", "[]"].includes(String(JSON.stringify(value)).replace(/"/g, ""));
    const declaredOf = (series: object) =>
      Object.fromEntries(Object.entries(series).filter(([, value]) => !isFilledIn(value)));
    const withoutDefaults = ({ id, asRatio, series, ...tile }: Record<string, unknown>) => ({
      ...tile,
      ...(asRatio === true ? { asRatio } : {}),
      ...(Array.isArray(series) ? { series: series.map(declaredOf) } : {}),
    });
    if (Array.isArray(record.tiles)) record.tiles = record.tiles.map(withoutDefaults);
    // The order of these means nothing, and a repair may send them in the declared one.
    for (const name of ["roles", "tags"])
      if (Array.isArray(record[name])) record[name] = [...record[name]].sort();
    return record;
  }
});

/** Where a change shows: a server that answers with one `config` for all series shows it there. */
function asAnswered(path: string, rewrites: readonly Rewrite[]): string {
  return rewrites.includes("seriesAsConfig") ? path.replace(/\.series\[.*/, ".series") : path;
}

/** A `config` has one source and one list of groups, those of the first series, so no answer shows those of the others. */
function isShown(path: string, rewrites: readonly Rewrite[]): boolean {
  return !(rewrites.includes("seriesAsConfig") && /series\[[1-9]\d*\]\.(groupBy|sourceId)$/.test(path));
}
