import { expect } from "chai";
import fc from "fast-check";
import type { TypeName } from "../../unit/drift/fixture";
import { outsideChanges, programs } from "../../unit/drift/outsideChanges";
import { useFixture } from "../fixture";

const runs = 10;
const types: readonly TypeName[] = ["ServiceScaling", "ApiKey", "QueryEndpoint", "Alert", "Dashboard"];

describe("drift of random programs through the engine", () => {
  const fixture = useFixture();

  it(`${runs} programs: clean after up, exactly the changed property after a change, clean after the next up`, async () => {
    const everything = fc.tuple(...types.map((type) => programs[type](fixture.sandbox)));
    const arbitrary = fc.tuple(everything, fc.nat(types.length - 1), fc.nat());
    for (const [declared, chosen, choice] of fc.sample(arbitrary, runs)) {
      await fixture.apply(
        types.map((type, at) => `new ${type}("${type}", ${JSON.stringify(declared[at])});`).join("\n"),
        { args: ["--refresh"] },
      );
      const clean = await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      expect(clean.output).to.include(`${types.length + 1} unchanged`);

      const type = types[chosen] as TypeName;
      const candidates = outsideChanges(type, declared[chosen] ?? {});
      const change = candidates[choice % candidates.length];
      if (!change) continue;
      change.apply(await recordOf(type));
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

  async function recordOf(type: TypeName): Promise<Record<string, unknown>> {
    const { id = "" } = await fixture.resource(type);
    const { services, keys, alerts, dashboards } = fixture.sandbox.store;
    const records = { ServiceScaling: services, ApiKey: keys, Alert: alerts, Dashboard: dashboards };
    const record =
      type === "QueryEndpoint" ? fixture.sandbox.store.queryEndpointOf(id) : records[type].get(id);
    return record as unknown as Record<string, unknown>;
  }
});
