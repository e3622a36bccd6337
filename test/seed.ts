import fc from "fast-check";

/**
 * All random inputs of a run follow from one number, so that a run can be repeated, and fails by what was changed.
 * `SEED=2` takes others.
 */
export const seed = Number(process.env.SEED ?? 1);

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
