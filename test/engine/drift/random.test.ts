import { expect } from "chai";
import fc from "fast-check";
import { type TypeName, typeNames } from "../../../provider/resources/registry";
import { seed } from "../../seed";
import { chosenOf, outsideChanges, recordOf } from "../../unit/drift/outsideChanges";
import { examples } from "../../unit/resources/examples";
import { useFixture } from "../fixture";

/** `DRIFT_PROGRAMS=30` makes a longer run. */
const runs = Number(process.env.DRIFT_PROGRAMS ?? 2);

describe("drift of random programs through the engine", () => {
  const fixture = useFixture();

  it(`${runs} programs of seed ${seed}: clean after up, exactly the changed property after a change, clean after the next up`, async () => {
    const everything = fc.tuple(...typeNames.map((type) => examples[type].randomPrograms(fixture.sandbox)));
    const arbitrary = fc.tuple(everything, fc.nat(typeNames.length - 1), fc.nat());
    for (const [declared, chosen, choice] of fc.sample(arbitrary, { numRuns: runs, seed })) {
      await fixture.apply(
        typeNames.map((type, at) => `new ${type}("${type}", ${JSON.stringify(declared[at])});`).join("\n"),
        { args: ["--refresh"] },
      );
      const clean = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(clean.output).to.include(`${typeNames.length + 1} unchanged`);

      const type = typeNames[chosen] as TypeName;
      const change = chosenOf(outsideChanges(type, declared[chosen] ?? {}), choice);
      const { id = "" } = await fixture.resource(type);
      change.apply(recordOf(fixture.sandbox, type, id));
      const { json } = await fixture.preview({ json: true, args: ["--refresh"] });
      const changed = json?.steps.filter(
        ({ op, urn }) => op !== "same" && op !== "refresh" && !urn.includes("pulumi:pulumi:Stack"),
      );
      const seen = changed?.map(({ op, urn }) => `${op} ${urn.split("::").at(-1)}`);
      expect(seen, JSON.stringify(declared[chosen])).to.deep.equal([`update ${type}`]);
      const [{ oldState, newState } = {}] = changed ?? [];
      const different = Object.keys(newState?.inputs ?? {}).filter(
        (name) => JSON.stringify(newState?.inputs?.[name]) !== JSON.stringify(oldState?.inputs?.[name]),
      );
      expect(different.filter((name) => name !== "tileIds")).to.deep.equal([change.path.split(/[.[]/)[0]]);

      await fixture.up({ args: ["--refresh"] });
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    }
  }).timeout(600_000);
});
