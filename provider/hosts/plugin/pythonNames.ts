import { isObject } from "../../values/data";
import { schemaAt } from "../../values/schema";
import type { TSchema } from "../../values/schemaBuilders";
import type { Received } from "./wireValues";

/** Translates property names in Python's style (`display_type`): Pulumi's SDK for Python does so only outside of unions. */
export function withoutPythonNames(schema: TSchema, received: Received): Received {
  const { data, secrets } = received;
  if (!hasUnderscores(data)) return received;
  return {
    data: renamed(schema, data) as Received["data"],
    secrets: secrets.map((keys) => {
      let inside = schema;
      return keys.map((key) => {
        const name = typeof key === "string" ? nameIn(inside, key) : key;
        inside = schemaAt(inside, name);
        return name;
      });
    }),
  };
}

function hasUnderscores(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, member]) => name.includes("_") || hasUnderscores(member));
}

function renamed(schema: TSchema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((entry, index) => renamed(schemaAt(schema, index), entry));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    const original = nameIn(schema, name);
    return [original, renamed(schemaAt(schema, original), member)] as const;
  });
  return Object.fromEntries(members);
}

function nameIn({ properties = {} }: TSchema, name: string): string {
  if (Object.hasOwn(properties, name)) return name;
  const translated = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  return Object.hasOwn(properties, translated) ? translated : name;
}
