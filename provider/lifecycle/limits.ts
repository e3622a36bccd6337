import { annotationsOf } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { failuresWithin } from "./memberFailures";
import type { Failure } from "./validate";

/** Texts that are longer, and lists that have more entries, than the schema says that servers take. */
export function beyondLimits(schema: TSchema, value: unknown, path: string): Failure[] {
  return failuresWithin(
    schema,
    value,
    (own, member, at) => {
      const { longest = Number.POSITIVE_INFINITY, most = Number.POSITIVE_INFINITY } = annotationsOf(own);
      if (typeof member === "string" && member.length > longest)
        return [{ path: at, message: `must be a string of at most ${longest} characters` }];
      if (Array.isArray(member) && member.length > most)
        return [{ path: at, message: `must be a list of at most ${most} entries` }];
      return [];
    },
    path,
  );
}
