/** A text that is not blank. */
export const notBlank = { minLength: 1, pattern: "\\S", rule: "a text that is not blank" };

/** The text of a query. */
export const queryText = { ...notBlank, longest: 4_194_304, fromFile: true };

/**
 * The schema of parameter values, which are compared as a whole: a program that declares one parameter declares all.
 */
export const parameterValues = { comparison: "whole", reset: {} } as const;
