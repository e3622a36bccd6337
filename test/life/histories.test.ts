import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import { seed, selected } from "../seed";
import { Random } from "../simulation/random";
import type { JsonObject } from "../unit/resources/example";
import { comparisonOf, usual } from "./comparison";
import { everyType, type Supported } from "./everyType";
import { Managed } from "./managed";
import type { Failing } from "./server";
import { batchesOf, leastOf, reductionsOf } from "./variations";

/** How often each step is drawn: what the stack does, what another client does, and what the service does. */
const weights = {
  update: 3,
  "update after a refresh": 2,
  "another client's update": 2,
  refresh: 1,
  import: 1,
  refuses: 1,
  "breaks off before": 1,
  "breaks off after": 2,
} as const;

type StepName = keyof typeof weights;

const stepsOfHistory = 7;

everyType((own, place) => {
  const { type, noun, resource, setup, programs, created, record, writes, isValid } = own;
  const { changesIn, comparable, driftAt } = comparisonOf(own);
  const update = resource.operations.update;
  const recordOf = async (managed: Managed) => comparable(await record(managed));

  /** The whole program, the least one, and programs that differ from the whole one in a value or lack a property. */
  function variantsOf(program: JsonObject): readonly JsonObject[] {
    const changed = batchesOf(program, changesIn(program), isValid);
    const reduced = reductionsOf(resource.inputs, program, isValid);
    const least = leastOf(resource.inputs, program, isValid);
    return [program, least, ...[...changed, ...reduced].map((variant) => variant.program)];
  }

  /** Plays a drawn history of one object, which ends with the whole program after a refresh. */
  async function play({ label, program, host }: Supported, random: Random): Promise<void> {
    const managed = await created(host, program);
    managed.meetsFailures = true;
    const whole = await recordOf(managed);
    const variants = variantsOf(program);
    const history: string[] = [];
    const said = () => `${label} in ${host}: ${history.join(", ")}`;
    // Without a refresh, a stack knows of no change by another client.
    let isForeign = false;

    /** Expects of an update that has succeeded that nothing is left to do, and that it names nobody else's change where there is none. */
    async function expectDone(variant: JsonObject): Promise<void> {
      const messages = managed.messages.splice(0).filter((text) => !usual.test(text));
      if (isForeign) return;
      expect(
        messages.filter((text) => text.includes("somebody else")),
        said(),
      ).to.deep.equal([]);
      expect(await managed.copy().drift(variant), said()).to.deep.equal([]);
      const sent = (await writes()).length;
      await managed.copy().up(variant);
      expect(await writes(), said()).to.have.length(sent);
    }

    const steps: { readonly [name in StepName]: (variant: JsonObject) => Promise<void> } = {
      async update(variant) {
        await managed.up(variant);
        await expectDone(variant);
      },
      async "update after a refresh"(variant) {
        await steps.refresh(variant);
        await steps.update(variant);
      },
      async "another client's update"(variant) {
        const other = managed.copy();
        await other.refresh();
        await other.up(variant);
        isForeign = true;
      },
      async refresh() {
        await managed.refresh();
        isForeign = false;
      },
      async import() {
        const imported = new Managed(type, "the plugin", own.service);
        await imported.import(managed.id);
        expect((await imported.preview(imported.inputs)).paths, said()).to.deep.equal([]);
      },
      refuses: (variant) => failing(variant, "refuses"),
      "breaks off before": (variant) => failing(variant, "breaks off before"),
      "breaks off after": (variant) => failing(variant, "breaks off after"),
    };

    async function failing(variant: JsonObject, how: Failing): Promise<void> {
      await own.service.fail?.(String(update), 1, how);
      await managed.up(variant).catch(() => undefined);
      await own.service.fail?.(String(update), 1, undefined);
      managed.messages.length = 0;
    }

    for (let count = 0; count < stepsOfHistory; count++) {
      const name = random.weighted(weights);
      const at = random.chance(0.3) ? 0 : random.integer(0, variants.length - 1);
      history.push(`${name} ${at}`);
      await steps[name](variants[at] as JsonObject);
    }
    history.push("the whole program after a refresh");
    await steps["update after a refresh"](program);
    const now = await recordOf(managed);
    // Nothing tells that somebody has changed what no answer shows.
    const other = Object.keys(program).filter(
      (name) =>
        driftAt(name, program).length > 0 && !isDeepStrictEqual(distinct(now[name]), distinct(whole[name])),
    );
    expect(other, said()).to.deep.equal([]);
  }

  if (update)
    it(`whatever happens to ${noun}, an update after a refresh brings about its program`, async () => {
      // What the product's servers make of `series` cannot be told from what somebody else has set: known-gaps.md says so.
      const isKnown = (label: string) => setup.dialect === "neutral" || !label.includes("series");
      const known = programs().filter(({ isHome, label }) => isHome && isKnown(label));
      for (const supported of selected(known, 6, place))
        await play(supported, new Random(seed, type, supported.label));
    });
});

/** A list without the entries that a repeated request has added once more. */
const distinct = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Set(value.map((entry) => JSON.stringify(entry)))] : value;
