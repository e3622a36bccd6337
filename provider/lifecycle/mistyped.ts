import { nearest } from "../values/nearest";
import { annotationsOf } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { failuresWithin } from "./memberFailures";
import type { Failure } from "./validate";

/** Words that a service may know, but that differ in a letter or two from one that is known: valid, and probably mistyped. */
export function mistypedWords(schema: TSchema, value: unknown): Failure[] {
  return failuresWithin(schema, value, (own, member, path) => {
    const { known = [] } = annotationsOf(own);
    // A form tells more than the words that have it.
    const isWord = typeof member === "string" && own.pattern === undefined;
    const meant = isWord && !known.includes(member) ? nearest(member, known) : undefined;
    return meant ? [{ path, message: `is not known to this version; did you mean ${meant}?` }] : [];
  });
}
