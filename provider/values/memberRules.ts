import { isObject } from "./data";
import { nearest } from "./nearest";
import { annotationsOf, joinPath, schemaAt } from "./schema";
import type { TSchema } from "./schemaBuilders";
import { type Failure, notText } from "./validate";

/** Returns the failures of a value at its path. If there are any, the properties inside the value are not checked. */
type Judge = (schema: TSchema, value: unknown, path: string) => Failure[];

export function failuresWithin(schema: TSchema, value: unknown, judge: Judge, path = ""): Failure[] {
  const failures = judge(schema, value, path);
  if (failures.length > 0) return failures;
  return entriesOf(value).flatMap(([key, member]) =>
    failuresWithin(schemaAt(schema, key), member, judge, joinPath(path, key)),
  );
}

function entriesOf(value: unknown): (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()];
  return isObject(value) ? Object.entries(value) : [];
}

/** The failures of texts and lists that are longer than the schema says that servers accept. */
export function beyondLimits(schema: TSchema, value: unknown, path: string): Failure[] {
  return failuresWithin(
    schema,
    value,
    (memberSchema, member, at) => {
      const { longest = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY } =
        annotationsOf(memberSchema);
      if (typeof member === "string" && member.length > longest)
        return [{ path: at, message: `must be a string of at most ${longest} characters` }];
      if (Array.isArray(member) && member.length > most)
        return [{ path: at, message: `must be a list of at most ${most} entries` }];
      return [];
    },
    path,
  );
}

/** The declared properties and values that only newer servers have, each with the first version of the server that has it. */
export function membersSince(
  schema: TSchema,
  value: unknown,
): { readonly path: string; readonly value?: string; readonly since: string }[] {
  const members: { path: string; value?: string; since: string }[] = [];
  failuresWithin(schema, value, (memberSchema, member, path) => {
    const { since = {} } = annotationsOf(memberSchema);
    if (typeof since === "string") members.push({ path, since });
    else if (typeof member === "string" && Object.hasOwn(since, member))
      members.push({ path, value: member, since: since[member] as string });
    return [];
  });
  return members;
}

/** Failures for words almost like one in the schema's list. The service may accept them, but they are probably misspelt. */
export function mistypedWords(schema: TSchema, value: unknown): Failure[] {
  return failuresWithin(schema, value, (memberSchema, member, path) => {
    const { known: words = [] } = annotationsOf(memberSchema);
    // A property with a pattern accepts further texts than the words that its schema lists, so such a text is not misspelt.
    const isWord = typeof member === "string" && memberSchema.pattern === undefined;
    const suggestion = isWord && !words.includes(member) ? nearest(member, words) : undefined;
    return suggestion
      ? [{ path, message: `is not known to this version of pipestack; did you mean ${suggestion}?` }]
      : [];
  });
}

/**
 * Failures for list elements whose key an earlier element has. A key that is not a text is left out, since a preview does not
 * know it yet.
 */
export function repeatedEntries(keys: readonly unknown[], failureAt: (index: number) => Failure): Failure[] {
  return keys.flatMap((key, index) =>
    typeof key === "string" && keys.indexOf(key) < index ? [failureAt(index)] : [],
  );
}

export function isThereTwice(path: string, value: unknown): Failure {
  return { path, message: "is there twice", ...notText(String(value)) };
}
