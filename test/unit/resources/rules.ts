import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import { expectNoLeaks } from "../../secrets";
import { sessionFor } from "../lifecycle/note";
import { hashData } from "./apiKey.example";
import { absent, type Changes, validInputs, withChanges } from "./validInputs";

/**
 * Changed values of a valid program by property path, and the expected failures of the check. With an empty list the check must
 * accept the program.
 */
export type Rule = readonly [changes: Changes, failures: string | readonly string[]];

/** A valid program, which each rule in a list changes before the check, and the server for which the program is checked. */
export interface Program {
  readonly type: TypeName;
  /** The valid program to change. If absent, it is the resource type's example with every property. */
  readonly valid?: PropertyMap;
  readonly settings?: Partial<Settings>;
  /** The inputs of the last update. If absent, the object is new. */
  readonly before?: PropertyMap;
}

export const clickhouse = { dialect: "clickhouse" } as const;
export const onManagement = { ...clickhouse, observabilityVia: "management" } as const;
export const onObservability = { ...clickhouse, observabilityVia: "observability" } as const;

const usualSettings = (type: TypeName): Partial<Settings> => {
  const { dialect } = resources[type];
  return dialect ? { dialect } : {};
};

export function failuresOf(
  type: TypeName,
  declared: PropertyMap,
  settings = usualSettings(type),
  olds: PropertyMap = {},
): string[] {
  const { failures } = check(resources[type], olds, declared, sessionFor(settings).session);
  const { keyIdHash, keySecretHash } = hashData;
  expectNoLeaks({ keyIdHash, keySecretHash }, { failures: JSON.stringify(failures) });
  return failures.map(({ path, message }) => `${path} ${message}`.trim());
}

export function warningsOf(
  type: TypeName,
  declared: PropertyMap,
  settings = usualSettings(type),
): readonly string[] {
  const { warnings } = check(resources[type], {}, declared, sessionFor(settings).session);
  return warnings;
}

/** Adds one test for each rule: the check of the changed program reports exactly the expected failures. */
export function itKeeps(program: Program, rules: readonly Rule[]): void {
  const { type, valid = validInputs[type], settings = usualSettings(type), before = {} } = program;
  const servers = [settings.dialect ?? "neutral", settings.observabilityVia].filter(Boolean).join(", ");
  const former = Object.keys(before).length > 0 ? ` in place of ${textOf(before)}` : "";

  for (const [changes, failures] of rules) {
    const expected = [failures].flat();
    const [verdict, reason] = expected.length > 0 ? ["refuses", `: ${expected.join("; ")}`] : ["accepts", ""];
    it(`the check ${verdict} ${type} with ${textOf(changes)}${former} in the dialect ${servers}${reason}`, () => {
      expect(failuresOf(type, withChanges(valid, changes), settings, before)).to.deep.equal(expected);
    });
  }
}

export function textOf(values: PropertyMap): string {
  const text = JSON.stringify(values, (_, value) =>
    value === absent ? "(absent)" : typeof value === "symbol" ? "(unknown)" : value,
  );
  return text.replace(/(.)\1{9,}/g, "$1…").slice(0, 120);
}
