import { expect } from "chai";
import fc from "fast-check";
import { check } from "../../../provider/lifecycle/check";
import { diff } from "../../../provider/lifecycle/diff";
import { importObject } from "../../../provider/lifecycle/read";
import { type Resource, resourceKey } from "../../../provider/lifecycle/resource";
import { resources, type TypeName, typeNames } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { createSandbox, type Rewrite, rewriteNames, type Sandbox } from "../../../sandbox/index";
import { examples } from "../resources/examples";
import { Declared, sessionOf } from "./fixture";

/** Waiting out a lagging service has a test of its own. */
const someRewrites = fc.subarray(rewriteNames.filter((name) => name !== "laggingScaling"));

describe("Random programs", () => {
  let sandbox: Sandbox;
  before(async () => {
    sandbox = await createSandbox();
  });
  after(() => sandbox.close());
  const session = () => sessionOf(sandbox).session;

  async function applied(type: TypeName, program: Data, rewrites: readonly Rewrite[]): Promise<Declared> {
    await sandbox.reset();
    sandbox.rewrites.clear();
    for (const rewrite of rewrites) sandbox.rewrites.add(rewrite);
    const declared = new Declared(type, program);
    await declared.up(session());
    return declared;
  }

  for (const type of typeNames) {
    const { find, outsideChanges, randomPrograms } = examples[type];

    it(`a random program is clean after up, and shows and repairs exactly a changed property: ${type}`, async () => {
      await fc.assert(
        fc.asyncProperty(
          randomPrograms(sandbox),
          someRewrites,
          fc.nat(),
          async (program, rewrites, choice) => {
            const declared = await applied(type, program, rewrites);
            expect(await declared.refresh(session()), "after up").to.deep.equal([]);

            const names = new Set(Object.keys(program));
            const candidates = outsideChanges(program).filter(
              ({ path }) => names.has(path.split(/[.[]/)[0] ?? "") && isShown(path, rewrites),
            );
            const change = candidates[choice % candidates.length];
            const before = stored(type, declared.id);
            change?.apply(find(sandbox, declared.id) as Record<string, unknown>);
            const drifted = await declared.refresh(session());
            const path = change && asAnswered(change.path, rewrites);
            expect(drifted, "after a change").to.deep.equal([path]);

            await declared.up(session());
            expect(await declared.refresh(session()), "after the repair").to.deep.equal([]);
            expect(stored(type, declared.id)).to.deep.equal(before);
          },
        ),
        { numRuns: 60 },
      );
    }).timeout(120_000);

    it(`an import gives a valid, unchanged program for any answers of the server: ${type}`, async () => {
      const resource: Resource = resources[type];
      await fc.assert(
        fc.asyncProperty(randomPrograms(sandbox), someRewrites, async (program, rewrites) => {
          const made = await applied(type, program, []);
          for (const rewrite of rewrites) sandbox.rewrites.add(rewrite);
          const own = session();
          const found = await importObject(resource, made.id, {}, own);
          if (typeof found === "string") throw new Error(found);
          expect(resourceKey(resource, found.id)).to.equal(resourceKey(resource, made.id));
          const { inputs, failures } = check(resource, {}, JSON.parse(JSON.stringify(found.inputs)), own);
          // A `config` has stricter rules than the series that it stands for.
          fc.pre(failures.length === 0 || !rewrites.includes("seriesAsConfig"));
          expect(failures).to.deep.equal([]);
          expect(diff(resource, found.id, found.state, inputs, own)).to.deep.equal([]);

          const refreshed = await resource.read(found.id, found.state, session());
          if (typeof refreshed === "string") throw new Error(refreshed);
          expect(diff(resource, found.id, refreshed.state, inputs, own), "refreshed").to.deep.equal([]);
        }),
        { numRuns: 40 },
      );
    }).timeout(60_000);
  }

  /** What the sandbox holds, without what changes by itself; a tile that was removed and made again has a new id. */
  function stored(type: TypeName, id: string): unknown {
    const { updatedAt, usedAt, ...record } = structuredClone(
      examples[type].find(sandbox, id) as Record<string, unknown>,
    );
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
