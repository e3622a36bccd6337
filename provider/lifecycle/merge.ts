import { isDeepStrictEqual } from "node:util";
import { type Difference, differences, digest, equal, isAbsent, isEmpty, pathOf } from "../values/compare";
import { type Data, ownMember } from "../values/data";
import { counterpart, idOf, type Keys, Places, setAt, valueAt } from "../values/pairing";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";

/**
 * Records which value the service shows in place of a declared one, because it fills in defaults, reorders or
 * reformats. For each path of a value: the digests `answered/declared`.
 */
export type Records = { readonly [path: string]: string };

/** The judgements of earlier writes about declared values, as the state keeps them. */
export interface Judgements {
  /**
   * The records of declared values that the service keeps in another form. A value that the record still fits has not
   * drifted.
   */
  readonly normalized: Records;
  /**
   * The records of declared values that the service did not seem to take: after the write it showed the old value.
   * Where a refresh then took a live value into the inputs, the digest of the declared value that it replaced.
   */
  readonly doubted: Records;
}

/**
 * How a declared value, the live value, and the value that the service showed after the last write or refresh (the
 * base) compare. Equal values have no verdict.
 *
 * - `normalized`: the live value is the form in which the service keeps the declared value.
 * - `drifted`: the live value is neither the declared one nor the base; somebody has changed it. After a write that takes minutes: it
 *   was as declared before the write or during it, and is not any more.
 * - `unchanged`: after a write, the service still shows the old value; it may not have carried out the write, or not
 *   yet.
 * - `dropped`: after a write, the service shows no value.
 */
export type Verdict = "normalized" | "drifted" | "unchanged" | "dropped";

/** A declared value that differs from the live one. */
export interface Place extends Difference {
  readonly verdict: Verdict;
}

/** Compares declared values with the live ones. */
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

/** The declared values that somebody has changed in the service. */
export function driftIn(...versions: Parameters<typeof merge>): Place[] {
  return merge(...versions).filter(({ verdict }) => verdict === "drifted");
}

/**
 * Replaces declared values that have drifted by the live ones. The live values may come from a stale replica that has
 * not seen the last write, so the judgements keep the digests of the replaced declared values.
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

/** What was known of an object before a write. */
export interface Before extends Judgements {
  /** The object as reads before the write showed it, in the form in which answers show declared values. */
  readonly looks: readonly Data[];
  /** The last known state; entries of lists have their ids. */
  readonly state: Data;
  /** The body of the request. Entries of lists have their ids, and the positions of the declared entries. */
  readonly body: Data;
  /**
   * What the service answered before and during a write that takes minutes, since somebody else may change the object meanwhile. Absent
   * for writes that end at once.
   */
  readonly shown?: readonly Data[];
}

/** A declared value that the service shows in another form after a write. */
export interface WrittenPlace extends Place {
  /** Whether the service shows the value from before the write, or lacks the value as before. */
  readonly isAsBefore: boolean;
  /** The record to keep for the value in the state. */
  readonly record?: string;
}

/**
 * Compares declared values with those that the service shows after writing them. If the service shows the old value,
 * this is not recorded as its form of the new one: the record would hide for ever that the write was not carried out.
 * Only if the next write of the same value has the same answer, it is recorded. Otherwise each refresh would show drift
 * that no update can remove.
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
    // The previous write of the same value had the same answer, so this is the form in which the service keeps the
    // value.
    const isConfirmed = formerKeys !== undefined && recordAt(before?.doubted, formerKeys) === record;
    if (isAsBefore && !isConfirmed) return { ...place, verdict: "unchanged", isAsBefore, record: former };
    if (!isAsBefore && before?.shown?.some((shown) => isAsDeclared(schema, declared, place, shown)))
      return { ...place, verdict: "drifted", isAsBefore, record: former };
    return { ...place, verdict: isAbsent(place.right) ? "dropped" : "normalized", isAsBefore, record };
  });
}

/** The records to keep in the state after a write. */
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

/**
 * Whether the service showed exactly the declared value. Another value after that is then a change, and no form in which the service
 * keeps the declared one. Of a value inside a list, the whole list counts, since its entries may have been in another order.
 */
function isAsDeclared(schema: TSchema, declared: Data, { keys }: Difference, shown: Data): boolean {
  const whole = keys.slice(
    0,
    [...keys, 0].findIndex((key) => typeof key === "number"),
  );
  const [wanted, now] = [valueAt(declared, whole), valueAt(shown, whole)];
  return differences(whole.reduce(schemaAt, schema), wanted, now, "left").length === 0;
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
  // No read has confirmed the last write, so the service may have carried it out; a read since then may be from a stale
  // replica.
  const records = [before.normalized, before.doubted].map((record) => recordAt(record, formerKeys) ?? "");
  return records.join("/").split("/").includes(digest(schema, right));
}

/**
 * The place of a list entry that the write adds. The entry that was at this index before is a different one, so its
 * values are no values from before.
 */
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
  /** The declared values that answers of the service can show. */
  readonly declared: Data;
  /** The values in the state of the properties that the update writes. */
  readonly base: Data;
  /** The live values of these properties, in the form of the state. */
  readonly live: Data;
  readonly before: Before;
}

/**
 * Finds the values that somebody else has changed since the last update or refresh, and that the update would
 * overwrite. A value that the service kept in spite of the last update was changed by nobody.
 */
export function conflictsIn({ schema, declared, base, live, before }: Overwriting): Place[] {
  const differing = before.looks.flatMap((live) => differences(schema, declared, live, "left"));
  const written = new Places(differing.map(({ keys }) => keys));
  return driftIn(schema, base, before, live).filter((place) => {
    if (recordAt(before.doubted, place.keys) === recordOf(place)) return false;
    return isOverwritten(counterpart(place.keys, before.state, before.body), declared, written);
  });
}

/**
 * Whether an update writes another value at a place. Entries that the update removes, and values that it resets, are
 * overwritten, too.
 */
function isOverwritten(keys: Keys | undefined, declared: Data, written: Places): boolean {
  if (keys === undefined || !(String(keys[0]) in declared)) return true;
  return written.cover(keys) || written.areWithin(keys);
}

/**
 * The record of a place. A path may equal the name of a built-in member such as `constructor`, and users may edit
 * states by hand, so only own members that are texts count.
 */
function recordAt(records: Records | undefined, keys: Keys): string | undefined {
  const recorded = records && ownMember(records, pathOf(keys));
  return typeof recorded === "string" ? recorded : undefined;
}

/** The record for a place where the service shows the right value for the declared left one. */
function recordOf({ schema, left, right }: Difference): string {
  return `${digest(schema, right)}/${digest(schema, left)}`;
}
