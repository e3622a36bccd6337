import { isDeepStrictEqual } from "node:util";

/** A JSON Schema of a request body, as far as the console reads it. */
export interface Shape {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly minItems?: number;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Shape };
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly then?: Shape;
  readonly else?: Shape;
}

/** A JSON value that fits a schema, for somebody to fill in. */
export type Sample = unknown;

const branchesOf = ({
  anyOf = [],
  oneOf = [],
  allOf = [],
  then,
  else: otherwise,
}: Shape): readonly Shape[] => [
  ...[...anyOf, ...oneOf, ...allOf],
  ...[then, otherwise].flatMap((branch) => branch ?? []),
];

/** Lists the members that an object of this schema may have, in any of the schema's branches. */
export function membersOf(schema: Shape): string[] {
  const { properties = {} } = schema;
  return [...new Set([...Object.keys(properties), ...branchesOf(schema).flatMap(membersOf)])];
}

function memberIn(schema: Shape, name: string): Shape | undefined {
  return (
    schema.properties?.[name] ??
    branchesOf(schema)
      .map((branch) => memberIn(branch, name))
      .find((member) => member !== undefined)
  );
}

/**
 * Converts a member of an object to the form of requests: a changed list becomes its additions and removals where the schema
 * wants these, a list of names with values becomes an object, and members that only answers have are left out.
 */
export function fitted(value: unknown, parent: Shape, name: string, old: unknown): unknown {
  const schema = memberIn(parent, name) ?? {};
  const known = membersOf(schema);
  if (Array.isArray(value) && known.includes("add") && known.includes("remove")) {
    const before: readonly unknown[] = Array.isArray(old) ? old : [];
    const without = (list: readonly unknown[], others: readonly unknown[]) =>
      list.filter((item) => !others.some((other) => isDeepStrictEqual(item, other)));
    return { add: without(value, before), remove: without(before, value) };
  }
  if (Array.isArray(value) && schema.additionalProperties && !schema.items)
    return Object.fromEntries(value.map((entry) => [entry.name, entry.value]));
  return pruned(value, schema, namesIn(old));
}

/** Leaves out what answers show and requests do not take, but not the mistakes of somebody who wrote the value. */
function pruned(value: unknown, schema: Shape, answered: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => pruned(item, schema.items ?? {}, answered));
  if (typeof value !== "object" || value === null) return value;
  const known = membersOf(schema);
  const isOpen = known.length === 0 || schema.additionalProperties === true;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => {
      if (!isOpen && !known.includes(name) && answered.has(name)) return [];
      return [[name, pruned(member, memberIn(schema, name) ?? {}, answered)]];
    }),
  );
}

function namesIn(value: unknown): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return new Set();
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return new Set([...names, ...Object.values(value).flatMap((member) => [...namesIn(member)])]);
}

/** Makes a value with the members that a schema requires, for somebody to fill in. */
export function sampleOf(schema: Shape): Sample {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "array") return schema.minItems ? [sampleOf(schema.items ?? {})] : [];
  if (type === "string") return "";
  if (type === "number" || type === "integer") return schema.minimum ?? 0;
  if (type === "boolean") return false;
  const [branch] = branchesOf(schema);
  const own = (schema.required ?? []).map((name) => [name, sampleOf(memberIn(schema, name) ?? {})]);
  return { ...(branch && (sampleOf(branch) as object)), ...Object.fromEntries(own) };
}
