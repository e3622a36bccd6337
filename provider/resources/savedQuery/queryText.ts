export const notBlank = { minLength: 1, pattern: "\\S", rule: "a text that is not blank" };

export const queryText = { ...notBlank, longest: 4_194_304, fromFile: true };

/** Parameter values are compared as a whole: a program that declares one parameter must declare all of them. */
export const parameterValues = { comparison: "whole", reset: {} } as const;
