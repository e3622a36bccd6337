import { type Difference, digest, isEmpty, pathOf } from "../values/compare";
import { ownMember } from "../values/data";
import type { Keys } from "../values/pairing";
import { annotationsOf } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";

/** For each declared value that the API keeps in another form, by its path: the digests `answered/declared`. */
export type Records = { readonly [path: string]: string };

/** Entries of lists without order by the paths of the lists. */
export type Entries = { readonly [path: string]: readonly unknown[] };

/**
 * The record for a declared value's path. A path may be the name of a built-in property such as `constructor`, and users edit
 * Pulumi states by hand, so only own properties that are texts count.
 */
export function recordAt(records: Records | undefined, keys: Keys): string | undefined {
  const recorded = records && ownMember(records, pathOf(keys));
  return typeof recorded === "string" ? recorded : undefined;
}

/**
 * The text by which the Pulumi state records which value the API shows for a declared value: the digest of the shown value,
 * then that of the declared one.
 */
export function recordOf({ schema, left, right }: Difference): string {
  return `${digest(schema, right)}/${digest(schema, left)}`;
}

/** The text by which the Pulumi state records what a failed update may have written: the digest of the new value, then of the former one. */
export function attemptRecord({ schema, left, right }: Omit<Difference, "keys">): string {
  return `${digestOfWritten(schema, right)}/${digest(schema, left)}`;
}

/**
 * The record of what any of several failed updates may have written: the digest of the value from before them stays the last.
 *
 * @param attempts the records, the latest first
 */
export function joinedAttempts(...attempts: readonly string[]): string {
  const written = attempts.flatMap((attempt) => attempt.split("/").slice(0, -1));
  return [...new Set(written), attempts.at(-1)?.split("/").at(-1)].join("/");
}

/** Whether an update that failed may have written a value at a path. */
export function mayHaveWritten(
  attempted: Records | undefined,
  path: string,
  schema: TSchema,
  value: unknown,
): boolean {
  const record = attempted && ownMember(attempted, path);
  const written = typeof record === "string" ? record.split("/").slice(0, -1) : [];
  return written.includes(digestOfWritten(schema, value));
}

/** The digest of a value that a write sends, or that the API shows after it: a service that is sent nothing shows its default. */
function digestOfWritten(schema: TSchema, value: unknown): string {
  return digest(schema, isEmpty(value) ? annotationsOf(schema).default : value);
}
