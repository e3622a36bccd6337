import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { resources, type TypeName } from "../../../provider/resources/registry";
import { labelOf } from "../../../provider/values/compare";
import type { Data } from "../../../provider/values/data";
import { keysIn } from "../../../provider/values/schema";
import { expectNoLeaks } from "../../secrets";
import { sessionFor } from "../lifecycle/note";
import { hashData } from "./apiKey.example";
import type { Json } from "./example";
import { absent, validInputs, withChange } from "./validInputs";

/** Path of the property that is changed, its value, the rule that it breaks, and of which property if of another. */
export type Rule = readonly [path: string, value: Json | typeof absent, rule: string, about?: string];

export const uuid = "must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
export const text = "must be a non-empty string";
export const required = "is required";

/** The rules of what is in a service. */
export const scopeRules: readonly Rule[] = [
  ["organizationId", "my-organization", uuid],
  ["organizationId", 7, uuid],
  ["serviceId", "", uuid],
  ["serviceId", "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59\n", uuid],
  ["serviceId", ["7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59"], uuid],
];

/** What the check of an object finds: `path message`. No failure shows a hash of a key. */
export function failuresOf(
  type: TypeName,
  declared: Data,
  settings: Partial<Settings> = {},
  olds: Data = {},
): string[] {
  const { failures } = check(resources[type], olds, declared, sessionFor(settings).session);
  const { keyIdHash, keySecretHash } = hashData;
  expectNoLeaks({ keyIdHash, keySecretHash }, { failures: JSON.stringify(failures) });
  return failures.map(({ path, message }) => `${path} ${message}`);
}

/** What the check of an object warns of. */
export function warningsOf(
  type: TypeName,
  declared: Data,
  settings: Partial<Settings> = {},
): readonly string[] {
  const { warnings } = check(resources[type], {}, declared, sessionFor(settings).session);
  return warnings;
}

/** Tests that the valid object of a type is accepted, and that each rule is said of one mutation of it. */
export function itKeeps(type: TypeName, rules: readonly Rule[]): void {
  it("accepts every property, without a warning unless one is deprecated", () => {
    expect(failuresOf(type, validInputs[type])).to.deep.equal([]);
    expect(warningsOf(type, validInputs[type]).filter((text) => !text.includes("deprecated"))).to.deep.equal(
      [],
    );
  });

  for (const [path, value, rule, about = path] of rules) {
    const what = value === absent ? `no ${path}` : `${path}: ${JSON.stringify(value)}`;
    it(`refuses ${what} with "${about} ${rule}"`, () => {
      const declared = withChange(validInputs[type], path, value);
      expect(failuresOf(type, declared)).to.deep.equal([`${labelOf(declared, keysIn(about))} ${rule}`]);
    });
  }
}
