import { ownMember, type PropertyMap } from "./data";
import type { Keys } from "./pairing";
import { annotationsOf, schemaAt } from "./schema";
import type { TSchema } from "./schemaBuilders";

/**
 * The secret texts in a resource's properties, which no message may repeat. Numbers, words of a fixed set, ids and names are
 * left out: messages need to name them.
 * @param places the paths of values that the program or the schema keeps secret
 */
export function secretTexts(schema: TSchema, properties: PropertyMap, places: readonly Keys[]): string[] {
  return places.flatMap((keys) => {
    let value: unknown = properties;
    for (const key of keys)
      value = Array.isArray(value)
        ? value[Number(key)]
        : ownMember((value ?? {}) as PropertyMap, String(key));
    return textsIn(schemaAround(schema, keys), keys.at(-1) ?? "", value);
  });
}

/**
 * The texts inside a secret property, except numbers, words of a fixed set, ids, names, and members that are none by themselves,
 * such as user names: messages may repeat these. A path that ends at such a member was marked by the program, and counts.
 * @param parent the schema of the object that has the property
 */
export function textsIn(parent: TSchema, key: string | number, value: unknown): string[] {
  if (isDeclared(parent, key, /^(ids?|name)$|Ids?$/)) return [];
  const schema = schemaAt(parent, key);
  if (typeof value === "string") return isTold(schema, value) ? [] : [value];
  if (typeof value !== "object" || value === null) return [];
  const members = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return members
    .filter(([name]) => annotationsOf(schemaAt(schema, name)).secret !== false)
    .flatMap(([name, member]) => textsIn(schema, name, member));
}

/** Whether a path leads to an object's name. A key `name` of a map, such as a header, does not count. */
export function isNameAt(schema: TSchema, keys: Keys): boolean {
  return isDeclared(schemaAround(schema, keys), keys.at(-1) ?? "", /^name$/);
}

function schemaAround(schema: TSchema, keys: Keys): TSchema {
  return keys.slice(0, -1).reduce(schemaAt, schema);
}

function isDeclared(parent: TSchema, key: string | number, names: RegExp): boolean {
  return names.test(String(key)) && parent.properties?.[key] !== undefined;
}

/** Whether messages may repeat a text inside a secret value, since it is a word of a fixed set or a number in digits. */
export function isTold(schema: TSchema, value: string): boolean {
  const words: unknown[] = schema.enum ?? annotationsOf(schema).known ?? [schema.const];
  return words.includes(value) || /^-?[\d.]+$/.test(value);
}
