import fc from "fast-check";

/** The seed of all random inputs of a run, so that a run can be repeated. `SEED=2` takes other inputs. */
export const seed = Number(process.env.SEED ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** Whether slow tests try all cases (`ALL=1`, as the weekly workflow does), or only those that the seed selects. */
export const isWhole = Boolean(process.env.ALL);

/**
 * A share of the cases, one of `oneOf` and at least one, selected by the seed and the place. `ALL=1` takes all cases.
 */
export function drawn<Case>(cases: readonly Case[], oneOf: number, place = 0): Case[] {
  const step = Math.min(oneOf, cases.length);
  return isWhole ? [...cases] : cases.filter((_, at) => at % step === (place + seed) % step);
}
