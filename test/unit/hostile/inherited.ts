import { expect } from "chai";

/** Names of properties that every JavaScript object inherits, or that lead to the common prototype. */
export const inherited = [
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty", "toJSON", "then"],
];

export function expectCleanPrototypes(): void {
  for (const value of [{}, [], () => undefined, "", 0])
    expect((value as { polluted?: unknown }).polluted, typeof value).to.equal(undefined);
  expect(Object.keys(Object.prototype)).to.deep.equal([]);
}
