import { type TOptional, type TProperties, Type } from "@sinclair/typebox";

/** Makes the schema of an object that has the given properties and refuses all others. */
export function closed<Required extends TProperties, Optional extends TProperties = Record<never, never>>(
  required: Required,
  optional: Optional = {} as Optional,
) {
  const optionals = Object.entries(optional).map(([name, schema]) => [name, Type.Optional(schema)]);
  const members = { ...required, ...Object.fromEntries(optionals) };
  return Type.Object(members as Required & { [Name in keyof Optional]: TOptional<Optional[Name]> }, {
    additionalProperties: false,
  });
}

export const words = <const Word extends string>(...choices: readonly Word[]) =>
  Type.Unsafe<Word>({ enum: choices });
