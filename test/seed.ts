import fc from "fast-check";

/**
 * All random inputs of a run follow from one number, so that a run can be repeated, and fails by what was changed.
 * `SEED=2` takes others.
 */
export const seed = Number(process.env.SEED ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });

/** Whether what takes long is tried whole, and not a part that the seed draws: `ALL=1`, as each week. */
export const isWhole = Boolean(process.env.ALL);

/** One of so many of the cases; with another seed, or at another place, others. Never none. */
export function drawn<Case>(cases: readonly Case[], oneOf: number, place = 0): Case[] {
  const step = Math.min(oneOf, cases.length);
  return isWhole ? [...cases] : cases.filter((_, at) => at % step === (place + seed) % step);
}
