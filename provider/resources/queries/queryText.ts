export const notBlank = { minLength: 1, pattern: "\\S", rule: "a text that is not blank" };

export const queryText = { ...notBlank, longest: 4_194_304, fromFile: true };

/** The values of a query's parameters are compared as a whole: a program that declares one of them must declare all. */
export const parameterValues = { comparison: "whole", reset: {} } as const;
