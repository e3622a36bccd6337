/** An object of which every member is known. */
export function strict(properties: object, required: readonly string[] = []): object {
  return { type: "object", properties, required, additionalProperties: false };
}

export const text = { type: "string" };
export const flag = { type: "boolean" };
export const number = { type: "number" };
export const whole = { type: "integer" };

/** Text of at most so many characters. */
export const upTo = (maxLength: number, minLength = 0) => ({ type: "string", minLength, maxLength });

export const list = (items: object, further: object = {}) => ({ type: "array", items, ...further });
export const oneOf = (...values: unknown[]) => ({ enum: values });

/** The same, or null. */
export const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

/** What holds of values that fulfil a condition, and perhaps of the others. */
export function when(condition: object, further: object, otherwise?: object): object {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  return { if: condition, then: further, ...(otherwise && { else: otherwise }) };
}

/** What holds of objects of which a member has one of these values. */
export const whenOneOf = (member: string, values: readonly unknown[], further: object, otherwise?: object) =>
  when({ properties: { [member]: { enum: values } } }, further, otherwise);

/** Objects that one member tells apart: the other members that each has, those with an asterisk required. */
export function variants(
  tag: string,
  members: Record<string, object>,
  kinds: Record<string, string>,
): object {
  return {
    type: "object",
    required: [tag],
    properties: { [tag]: oneOf(...Object.keys(kinds)) },
    allOf: Object.entries(kinds).map(([kind, names]) => {
      const marked = names.split(" ").filter((name) => name !== "");
      const plainNames = marked.map((name) => name.replace("*", ""));
      const properties = Object.fromEntries(plainNames.map((name) => [name, members[name] ?? {}]));
      const required = marked.filter((name) => name.endsWith("*")).map((name) => name.slice(0, -1));
      return whenOneOf(tag, [kind], strict({ [tag]: {}, ...properties }, required));
    }),
  };
}
