import { isObject } from "../values/data";
import { joinPath, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import type { Failure } from "./validate";

/** What is wrong with a value by its schema, at its path; the members of a value with which something is are left alone. */
export type Judge = (schema: TSchema, value: unknown, path: string) => Failure[];

/** What is wrong with a value or with its members, at every depth. */
export function failuresWithin(schema: TSchema, value: unknown, judge: Judge, path = ""): Failure[] {
  const own = judge(schema, value, path);
  if (own.length > 0) return own;
  return entriesOf(value).flatMap(([key, member]) =>
    failuresWithin(schemaAt(schema, key), member, judge, joinPath(path, key)),
  );
}

function entriesOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
}
