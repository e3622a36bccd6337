import fc from "fast-check";

/** The seed of all random inputs of a run, so that the run can be repeated. The variable `SEED` sets another seed. */
export const seed = Number(process.env.SEED ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** True if slow tests try all cases (`ALL=1`, as in the weekly workflow). Otherwise they try the same part of them in each run. */
export const isWhole = Boolean(process.env.ALL);

/**
 * Returns one of `oneOf` cases of a slow test, and at least one case; with `ALL=1` all cases. Tests with different cases for each
 * `place` select different ones.
 */
export function selected<Case>(cases: readonly Case[], oneOf: number, place = 0): Case[] {
  const step = Math.min(oneOf, cases.length);
  return isWhole ? [...cases] : cases.filter((_, at) => at % step === place % step);
}
