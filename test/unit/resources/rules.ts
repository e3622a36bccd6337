import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { expectNoLeaks } from "../../secrets";
import { sessionFor } from "../lifecycle/note";
import { hashData } from "./apiKey.example";
import { absent, type Changes, validInputs, withChanges } from "./validInputs";

/**
 * Changed values of a valid program by property path, and the expected failures of the check. An empty list means that the
 * check accepts the program.
 */
export type Rule = readonly [changes: Changes, failures: string | readonly string[]];

/** The valid program that a list of rules changes, and the server for which it is checked. */
export interface Program {
  readonly type: TypeName;
  /** The valid program to change. Default: the type's example with every property. */
  readonly valid?: Data;
  readonly settings?: Partial<Settings>;
  /** The inputs of the last update. Default: none, so that the object is new. */
  readonly before?: Data;
}

export const clickhouse = { dialect: "clickhouse" } as const;
export const onManagement = { ...clickhouse, observabilityVia: "management" } as const;
export const onObservability = { ...clickhouse, observabilityVia: "observability" } as const;

/** Returns provider settings with a dialect that has the resource type. */
const usualSettings = (type: TypeName): Partial<Settings> => {
  const { dialect } = resources[type];
  return dialect ? { dialect } : {};
};

/** Returns the failures of a check as `path message`, and expects that none shows a hash of an API key. */
export function failuresOf(
  type: TypeName,
  declared: Data,
  settings = usualSettings(type),
  olds: Data = {},
): string[] {
  const { failures } = check(resources[type], olds, declared, sessionFor(settings).session);
  const { keyIdHash, keySecretHash } = hashData;
  expectNoLeaks({ keyIdHash, keySecretHash }, { failures: JSON.stringify(failures) });
  return failures.map(({ path, message }) => `${path} ${message}`);
}

/** Returns the warnings of the check of a program. */
export function warningsOf(
  type: TypeName,
  declared: Data,
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
    it(`${verdict} ${type} with ${textOf(changes)}${former} in the dialect ${servers}${reason}`, () => {
      expect(failuresOf(type, withChanges(valid, changes), settings, before)).to.deep.equal(expected);
    });
  }
}

/** Formats changed values for a test title, shortened to 120 characters. */
export function textOf(values: Data): string {
  const text = JSON.stringify(values, (_, value) =>
    value === absent ? "(absent)" : typeof value === "symbol" ? "(unknown)" : value,
  );
  return text.replace(/(.)\1{9,}/g, "$1…").slice(0, 120);
}
