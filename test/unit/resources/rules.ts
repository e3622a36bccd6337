import { expect } from "chai";
import type { Settings } from "../../../provider/api/settingsSchema";
import { check } from "../../../provider/lifecycle/check";
import { resources, type TypeName } from "../../../provider/resources/registry";
import type { Data } from "../../../provider/values/data";
import { expectNoLeaks } from "../../secrets";
import { sessionFor } from "../lifecycle/note";
import { hashData } from "./apiKey.example";
import { absent, type Changes, validInputs, withChanges } from "./validInputs";

/** Changes of a valid program, by path, and what the check says of it: one failure or several, none if it is accepted. */
export type Rule = readonly [changes: Changes, failures: string | readonly string[]];

/** The programs that rules are about. */
export interface Program {
  readonly type: TypeName;
  /** A valid program. Default: the one with every property. */
  readonly valid?: Data;
  readonly settings?: Partial<Settings>;
  /** What was declared before. Default: nothing, so that the object is new. */
  readonly before?: Data;
}

export const clickhouse = { dialect: "clickhouse" } as const;
export const onManagement = { ...clickhouse, observabilityVia: "management" } as const;
export const onObservability = { ...clickhouse, observabilityVia: "observability" } as const;

/** Settings of a server that has the objects of a type. */
const usualSettings = (type: TypeName): Partial<Settings> => {
  const { dialect } = resources[type];
  return dialect ? { dialect } : {};
};

/** What the check of an object finds: `path message`. No failure shows a hash of a key. */
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

/** What the check of an object warns of. */
export function warningsOf(
  type: TypeName,
  declared: Data,
  settings = usualSettings(type),
): readonly string[] {
  const { warnings } = check(resources[type], {}, declared, sessionFor(settings).session);
  return warnings;
}

/** Tests what the check says of each change of a valid program. */
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

/** Values in a title. */
export function textOf(values: Data): string {
  const text = JSON.stringify(values, (_, value) =>
    value === absent ? "(absent)" : typeof value === "symbol" ? "(unknown)" : value,
  );
  return text.replace(/(.)\1{9,}/g, "$1…").slice(0, 120);
}
