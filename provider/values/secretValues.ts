import { type Data, ownMember } from "./data";
import { annotationsOf, schemaAt } from "./schema";
import type { TSchema } from "./schemaBuilders";

/** A place inside properties. */
export type Keys = readonly (string | number)[];

/**
 * The texts in the secret places of properties that no message may repeat. Numbers, words of a fixed set, ids and names are not
 * secrets: messages have to tell them.
 *
 * @param schema that of the properties
 * @param places where the program, or the schema, keeps something secret
 */
export function secretTexts(schema: TSchema, properties: Data, places: readonly Keys[]): string[] {
  return places.flatMap((keys) => {
    let [value, part]: [unknown, TSchema] = [properties, schema];
    for (const key of keys) {
      value = Array.isArray(value) ? value[Number(key)] : ownMember((value ?? {}) as Data, String(key));
      part = schemaAt(part, key);
    }
    return textsIn(part, value, String(keys.at(-1) ?? ""));
  });
}

function textsIn(schema: TSchema, value: unknown, name: string): string[] {
  if (typeof value === "string") return isTold(schema, value, name) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((entry, at) => textsIn(schemaAt(schema, at), entry, name));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => textsIn(schemaAt(schema, key), member, key));
}

function isTold(schema: TSchema, value: string, name: string): boolean {
  const words: unknown[] = schema.enum ?? annotationsOf(schema).known ?? [schema.const];
  return /^(id|name)$|Ids?$/.test(name) || words.includes(value) || /^-?[\d.]+$/.test(value);
}
