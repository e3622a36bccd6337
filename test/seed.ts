import fc from "fast-check";

/**
 * All random inputs of a run follow from one number, so that a run can be repeated, and fails by what was changed.
 * `SEED=2` takes others.
 */
export const seed = Number(process.env.SEED ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** Whether slow tests try all of their cases (`ALL=1`, as the weekly workflow does), or only those that the seed selects. */
export const isWhole = Boolean(process.env.ALL);

/** Every `oneOf`-th of the cases, at least one: the seed and the place select which. `ALL=1` takes all cases. */
export function drawn<Case>(cases: readonly Case[], oneOf: number, place = 0): Case[] {
  const step = Math.min(oneOf, cases.length);
  return isWhole ? [...cases] : cases.filter((_, at) => at % step === (place + seed) % step);
}
