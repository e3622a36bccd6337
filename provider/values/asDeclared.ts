import { isObject } from "./data";
import { schemaAt } from "./schema";
import type { TSchema } from "./schemaBuilders";

/**
 * Converts a value from the service to the form in which a program declares it: numbers and booleans parsed from texts,
 * properties in the schema's order, empty ones left out. Unknown properties stay, for the validation to find.
 */
export function asDeclared(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => asDeclared(schemaAt(schema, index), entry));
  if (isObject(value)) {
    const declaredOrder = Object.keys(schema.properties ?? {}).filter((name) => name in value);
    const members = [...new Set([...declaredOrder, ...Object.keys(value)])]
      .map((name) => [name, value[name]] as const)
      .filter(([name, member]) => !saysNothing(schema, name, member));
    return Object.fromEntries(
      members.map(([name, member]) => [name, asDeclared(schemaAt(schema, name), member)]),
    );
  }
  if (typeof value !== "string" || value.trim() === "") return value;
  if ((schema.type === "number" || schema.type === "integer") && !Number.isNaN(Number(value)))
    return Number(value);
  if (schema.type === "boolean" && (value === "true" || value === "false")) return value === "true";
  return value;
}

/** Whether a property is absent, or an empty text although the schema allows none: a program declares neither. */
function saysNothing(schema: TSchema, name: string, value: unknown): boolean {
  if (value === null || value === undefined) return true;
  const required = (schema.required as readonly string[] | undefined)?.includes(name);
  const { minLength = 0, pattern = "" } = schemaAt(schema, name);
  return value === "" && !required && (minLength >= 1 || !new RegExp(pattern).test(""));
}
