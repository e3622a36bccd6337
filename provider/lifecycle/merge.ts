import { isDeepStrictEqual } from "node:util";
import { type Difference, differences, digest, equal, isAbsent, isEmpty, pathOf } from "../values/compare";
import { type Data, ownMember } from "../values/data";
import { counterpart, idOf, type Keys, Places, setAt, valueAt } from "../values/pairing";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";

/**
 * Digests by path of the values that the service answered in place of declared ones (defaults filled in, another order,
 * another shape), each with that of the declared value: `answered/declared`.
 */
export type Records = { readonly [path: string]: string };

/** The judgements of earlier writes about the values that a state declares. */
export interface Judgements {
  /** Digests of the service's versions of declared values. A value that still has its digest has not drifted. */
  readonly normalized: Records;
  /**
   * Digests of values that the last write left as they were: it may not have been carried out. Of values that a refresh has
   * taken in since, digests of the declared ones in whose place it showed them.
   */
  readonly doubted: Records;
}

/**
 * How the three versions of a value stand to each other: the declared one, the one that the service showed after the last
 * write or refresh (the base), and the live one. Where declared and live are the same, there is nothing to say.
 *
 * - `normalized`: live is the form in which the service keeps the declared value.
 * - `drifted`: live is neither of the others; somebody has changed it.
 * - `unchanged`: after a write, live is the value from before it; the write may not have been carried out, or not yet.
 * - `dropped`: after a write, live has nothing.
 */
export type Verdict = "normalized" | "drifted" | "unchanged" | "dropped";

/** A declared value that the service shows in another form. */
export interface Place extends Difference {
  readonly verdict: Verdict;
}

/** Compares declared values with those that a look shows. */
export function merge(
  schema: TSchema,
  declared: Data,
  { normalized }: Pick<Judgements, "normalized">,
  live: Data,
): Place[] {
  return differences(schema, declared, live, "left").map((place) => ({
    ...place,
    verdict: recordAt(normalized, place.keys) === recordOf(place) ? "normalized" : "drifted",
  }));
}

/** The declared values that somebody has changed. */
export function driftIn(...versions: Parameters<typeof merge>): Place[] {
  return merge(...versions).filter(({ verdict }) => verdict === "drifted");
}

/**
 * The declared values as the service has them: those that drifted are the live ones. A look may be older than the last write:
 * then the service has the declared ones after all, so the judgements keep their digests.
 */
export function withDrift(
  schema: TSchema,
  declared: Data,
  judgements: Judgements,
  live: Data,
): { readonly declared: Data; readonly judgements: Judgements; readonly hasDrifted: boolean } {
  const result = structuredClone(declared);
  const drift = driftIn(schema, declared, judgements, live);
  for (const { keys, right } of drift) setAt(result, keys, right);
  const displaced = drift.map((place) => [pathOf(place.keys), digest(place.schema, place.left)] as const);
  return {
    declared: result,
    hasDrifted: drift.length > 0,
    judgements: { ...judgements, doubted: { ...Object.fromEntries(displaced), ...judgements.doubted } },
  };
}

/** The knowledge of an object from before a write. */
export interface Before extends Judgements {
  /** The object as looks showed it, in the form in which an answer shows declared values. */
  readonly looks: readonly Data[];
  /** The last known state; entries of lists have their ids. */
  readonly state: Data;
  /** The body that is sent; entries of lists have their ids, and the positions of the declared ones. */
  readonly body: Data;
}

/** A declared value that the service shows in another form after a write. */
export interface WrittenPlace extends Place {
  /** Whether live is the value from before the write, or absent as before. */
  readonly isAsBefore: boolean;
  /** The record of the value from now on. */
  readonly record?: string;
}

/**
 * Compares declared values with those that the service shows after they were written. A value from before the write is no
 * form of the new one, and gets no record: it would hide for ever that the write was not carried out. Only if the next
 * write of the same value has the same answer, that is the form in which the service keeps it: nothing else would ever
 * bring service and program together.
 *
 * @param before absent for an object that the write created
 */
export function mergeWritten(schema: TSchema, declared: Data, live: Data, before?: Before): WrittenPlace[] {
  return differences(schema, declared, live, "left").map((place) => {
    const record = recordOf(place);
    const formerKeys = before && counterpart(place.keys, before.body, before.state);
    const former = formerKeys && recordAt(before.normalized, formerKeys);
    const isAlone = isAbsent(place.right) && (isEmpty(place.left) || isUnshown(schema, place.keys));
    if (isAlone || former === record) return { ...place, verdict: "normalized", isAsBefore: false, record };
    const isAsBefore = before !== undefined && wasThere(place, live, before, formerKeys);
    // The previous write of the same value had the same answer.
    const isConfirmed = formerKeys !== undefined && recordAt(before?.doubted, formerKeys) === record;
    if (isAsBefore && !isConfirmed) return { ...place, verdict: "unchanged", isAsBefore, record: former };
    return { ...place, verdict: isAbsent(place.right) ? "dropped" : "normalized", isAsBefore, record };
  });
}

/** The records to keep of a write. */
export function judgementsOf(places: readonly WrittenPlace[]): Judgements {
  const normalized = places.flatMap(({ keys, record }) =>
    record === undefined ? [] : [[pathOf(keys), record] as const],
  );
  const unchanged = places.filter(({ verdict }) => verdict === "unchanged");
  return {
    normalized: Object.fromEntries(normalized),
    doubted: Object.fromEntries(unchanged.map((place) => [pathOf(place.keys), recordOf(place)])),
  };
}

function wasThere(
  { keys, schema, right }: Difference,
  live: Data,
  before: Before,
  formerKeys: Keys | undefined,
): boolean {
  const entry = newEntryIn(keys, before);
  const isLike = (look: Data) =>
    equal(schema, valueAt(look, keys), right) &&
    (entry === undefined || isDeepStrictEqual(valueAt(look, entry), valueAt(live, entry)));
  if (before.looks.some(isLike)) return true;
  if (!formerKeys) return false;
  if (equal(schema, valueAt(before.state, formerKeys), right)) return true;
  // A write that no look has shown may have been carried out, and a look since then may be older.
  const records = [before.normalized, before.doubted].map((record) => recordAt(record, formerKeys) ?? "");
  return records.join("/").split("/").includes(digest(schema, right));
}

/** The place of an entry that a write adds to a list with ids: the one in its position before is another entry. */
function newEntryIn(keys: Keys, { state, body }: Before): Keys | undefined {
  const at = keys.findIndex((key) => typeof key === "number");
  const hasIds = [body, state].some((object) => {
    const list = valueAt(object, keys.slice(0, at));
    return Array.isArray(list) && list.some(idOf);
  });
  const entry = keys.slice(0, at + 1);
  return at >= 0 && hasIds && idOf(valueAt(body, entry)) === undefined ? entry : undefined;
}

function isUnshown(schema: TSchema, keys: Keys): boolean {
  return annotationsOf(schemaAt(schema, keys[0] ?? "")).shown === "sometimes";
}

/** An update that is about to be sent. */
export interface Overwriting {
  readonly schema: TSchema;
  /** The declared values that the service knows. */
  readonly declared: Data;
  /** The state's values and records of the properties that the update writes. */
  readonly base: Data;
  /** The live values of these properties, in the form of the state. */
  readonly live: Data;
  readonly before: Before;
}

/**
 * The places of the state that somebody else has changed, and that an update overwrites with another value. A value that
 * the service kept in spite of the last update was changed by nobody.
 */
export function conflictsIn({ schema, declared, base, live, before }: Overwriting): Place[] {
  const differing = before.looks.flatMap((live) => differences(schema, declared, live, "left"));
  const written = new Places(differing.map(({ keys }) => keys));
  return driftIn(schema, base, before, live).filter((place) => {
    if (recordAt(before.doubted, place.keys) === recordOf(place)) return false;
    return isOverwritten(counterpart(place.keys, before.state, before.body), declared, written);
  });
}

/** Whether an update writes another value at a place; an entry that it does not have, or a reset one, is lost. */
function isOverwritten(keys: Keys | undefined, declared: Data, written: Places): boolean {
  if (keys === undefined || !(String(keys[0]) in declared)) return true;
  return written.cover(keys) || written.areWithin(keys);
}

/** The record of a place. Its path may be one that every object has, and a state may have been edited by hand. */
function recordAt(records: Records | undefined, keys: Keys): string | undefined {
  const recorded = records && ownMember(records, pathOf(keys));
  return typeof recorded === "string" ? recorded : undefined;
}

/** The record of a place where the service made the right value of the left one. */
function recordOf({ schema, left, right }: Difference): string {
  return `${digest(schema, right)}/${digest(schema, left)}`;
}
