import fc from "fast-check";

/** The seed of all random inputs of a run, so that the run can be repeated. The variable `SEED` sets another seed. */
export const seed = Number(process.env.SEED ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/**
 * The number that selects the cases of slow tests. `npm test` takes it from the commit, so that each commit tries other
 * cases and a run can be repeated. The variable `TURN` sets another number.
 */
export const turn = Number(process.env.TURN ?? 0);

/** True if slow tests try all cases (`ALL=1`, as in the weekly workflow). Otherwise they try those of the turn. */
export const isWhole = Boolean(process.env.ALL);

/**
 * Returns one of `oneOf` cases of a slow test, and at least one case; with `ALL=1` all cases. Which ones follows from the
 * number of the turn and from `place`, by which tests can select different cases in the same turn.
 */
export function drawn<Case>(cases: readonly Case[], oneOf: number, place = 0): Case[] {
  const step = Math.min(oneOf, cases.length);
  return isWhole ? [...cases] : cases.filter((_, at) => at % step === (place + turn) % step);
}
