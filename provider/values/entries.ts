import { digest, isAbsent } from "./compare";
import { isObject, ownMember } from "./data";
import { annotationsOf, schemaAt } from "./schema";
import type { TSchema } from "./schemaBuilders";

/** How the entries of two versions of a list without order correspond. */
export interface EntryPairs {
  /** For each entry of the left list, the position of the same entry in the right list; undefined if that list lacks it. */
  readonly partners: readonly (number | undefined)[];
  /** The positions in the right list of the entries that the left list lacks. */
  readonly gained: readonly number[];
}

/** A text that is the same for two entries of a list without order if they are the same entry, with the same or other values. */
export function entryKey(list: TSchema, entry: unknown): string {
  const schema = schemaAt(list, 0);
  const { identity = [] } = annotationsOf(schema);
  if (identity.length === 0 || !isObject(entry)) return digest(schema, entry);
  return identity.map((name) => digest(schemaAt(schema, name), ownMember(entry, name))).join();
}

/** The entries of a list that another one has, too, with the same or other values. */
export function entriesAmong<Entry>(
  list: TSchema,
  entries: readonly Entry[],
  others: readonly unknown[],
): readonly Entry[] {
  const keys = new Set(others.map((entry) => entryKey(list, entry)));
  return entries.filter((entry) => keys.has(entryKey(list, entry)));
}

/** The entries of a list that another one lacks. */
export function entriesBeside<Entry>(
  list: TSchema,
  entries: readonly Entry[],
  others: readonly unknown[],
): readonly Entry[] {
  const among = new Set(entriesAmong(list, entries, others));
  return entries.filter((entry) => !among.has(entry));
}

/**
 * Pairs the entries of two versions of a list without order: equal ones, then those with the same identity. A service may write
 * other entries in a form of its own, so those are paired in their order. Only ids and entries with an identity have no form.
 */
export function pairInSet(list: TSchema, left: readonly unknown[], right: readonly unknown[]): EntryPairs {
  const schema = schemaAt(list, 0);
  const { identity = [], comparison } = annotationsOf(schema);
  const digests = right.map((entry) => digest(schema, entry));
  const partners = left.map((entry) => digests.indexOf(digest(schema, entry)));
  const equal = new Set(partners.map((at) => digests[at]));
  const free = new Set([...right.keys()].filter((at) => !equal.has(digests[at])));
  const hasKey = identity.length > 0 || comparison === "id";
  const keyOf = (entry: unknown) => (hasKey ? entryKey(list, entry) : "");
  const keys = right.map(keyOf);
  for (const [at, entry] of left.entries()) {
    if (partners[at] !== -1) continue;
    const key = keyOf(entry);
    const partner = [...free].find((position) => keys[position] === key) ?? -1;
    partners[at] = partner;
    free.delete(partner);
  }
  return { partners: partners.map((at) => (at < 0 ? undefined : at)), gained: [...free] };
}

/** An entry of a list, with the schema of the list. */
export interface ListEntry {
  readonly list: TSchema;
  readonly value: unknown;
}

/** The entries by which declared lists without order and those in the service differ, at any depth. */
export interface Presence {
  /** Declared entries that the service lacks. */
  readonly missing: readonly ListEntry[];
  /** Entries that only the service has. */
  readonly foreign: readonly ListEntry[];
}

export function presenceIn(schema: TSchema, declared: unknown, live: unknown): Presence {
  const { comparison, otherForms } = annotationsOf(schema);
  if (isObject(declared)) {
    const members = Object.entries(declared).map(([name, value]) =>
      presenceIn(schemaAt(schema, name), value, isObject(live) ? ownMember(live, name) : undefined),
    );
    return joined(members);
  }
  const isShown = isAbsent(live) || Array.isArray(live);
  const isJudged = comparison === "set" && otherForms !== "any" && isShown;
  if (!isJudged || !Array.isArray(declared)) return { missing: [], foreign: [] };
  const entries = Array.isArray(live) ? live : [];
  const { partners, gained } = pairInSet(schema, declared, entries);
  const entriesOf = (values: readonly unknown[]) => values.map((value) => ({ list: schema, value }));
  const paired = declared.flatMap((value, at) => {
    const partner = partners[at];
    return partner === undefined ? [] : presenceIn(schemaAt(schema, 0), value, entries[partner]);
  });
  return joined([
    {
      missing: entriesOf(declared.filter((_, at) => partners[at] === undefined)),
      foreign: otherForms === "longer" ? [] : entriesOf(gained.map((at) => entries[at])),
    },
    ...paired,
  ]);
}

function joined(parts: readonly Presence[]): Presence {
  return {
    missing: parts.flatMap(({ missing }) => missing),
    foreign: parts.flatMap(({ foreign }) => foreign),
  };
}

/** The text by which messages name an entry of a list without order: the entry itself, or its identity; or none. */
export function entryName({ list, value }: ListEntry): string | undefined {
  const { identity = [] } = annotationsOf(schemaAt(list, 0));
  const parts = (isObject(value) ? identity.map((name) => ownMember(value, name)) : [value]).flat();
  const isPlain = parts.length > 0 && parts.every((part) => ["string", "number"].includes(typeof part));
  return isPlain ? parts.join(" ") : undefined;
}
