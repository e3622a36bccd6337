import { type TOptional, type TProperties, Type } from "@sinclair/typebox";

export const flag = { type: "boolean" };
export const anyText = { type: "string" };
export const objectId = { type: "string", pattern: "^[0-9a-fA-F]{24}$" };
export const language = { enum: ["sql", "lucene"] };
export const metricType = { enum: ["sum", "gauge", "histogram", "summary", "exponential histogram"] };

/** Text of so many characters. */
export const text = (maxLength: number, minLength = 0) => ({ type: "string", minLength, maxLength });
export const list = (items: object, further: object = {}) => ({ type: "array", items, ...further });
export const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });
export const only = (value: string) => ({ const: value });

/** An object with these members and no others, as TypeBox knows it. */
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

/** An object of which every member is known. */
export const strict = (properties: object, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** The same by names of members; those with an asterisk are required. */
export function named(members: Readonly<Record<string, object>>, names: string): object {
  const marked = names.split(" ").filter((name) => name !== "");
  const properties = marked.map((name) => [name.replace("*", ""), members[name.replace("*", "")] ?? {}]);
  const required = marked.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
  return strict(Object.fromEntries(properties), required);
}

/** One of some objects, told apart by a member. */
export const oneOf = (tag: string, ...variants: object[]) => ({
  type: "object",
  required: [tag],
  discriminator: { propertyName: tag },
  oneOf: variants,
});

/** A schema for objects with a value of a member, and one for all others. */
export const either = (member: string, value: string, matching: object, otherwise: object) => ({
  type: "object",
  if: { type: "object", properties: { [member]: only(value) }, required: [member] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: matching,
  else: otherwise,
});
