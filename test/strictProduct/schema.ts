/** Which of the two servers: that of ClickHouse Cloud, or HyperDX. */
export type Server = "clickstack" | "api";

/** What the documents say of a body or an answer, if need be apart for each server, and for lists. */
export type Documented = object | ((server: Server, isListed: boolean) => object);

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

export const nullable = orNull(text);
export const texts = list(text);
export const objects = list({ type: "object" });

/** An object with members of some schemas, by name; those with an asterisk are always there. */
export function answered(...groups: readonly (readonly [schema: object, names: string])[]): object {
  const schemas = groups.flatMap(([schema, names]) =>
    names.split(" ").flatMap((name) => (name === "" ? [] : [[name, schema] as const])),
  );
  return strict(
    Object.fromEntries(schemas.map(([name, schema]) => [name.replace("*", ""), schema])),
    schemas.map(([name]) => name).flatMap((name) => (name.endsWith("*") ? [name.slice(0, -1)] : [])),
  );
}

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

/** The paths of all members that bodies may have, such as `tiles.name`. */
export function membersOf(schemas: readonly object[]): Set<string> {
  return new Set(schemas.flatMap((schema) => pathsIn(schema, "")));
}

function pathsIn(schema: object, path: string): string[] {
  const { properties = {}, ...parts } = schema as Record<string, unknown>;
  const further = ["allOf", "anyOf", "oneOf", "then", "else", "items"].flatMap(
    (keyword) => parts[keyword] ?? [],
  );
  return [
    ...further.flatMap((part) => pathsIn(part as object, path)),
    ...Object.entries(properties as object).flatMap(([name, member]) => {
      const memberPath = path === "" ? name : `${path}.${name}`;
      return [memberPath, ...pathsIn(member, memberPath)];
    }),
  ];
}
