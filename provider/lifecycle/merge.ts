import { isDeepStrictEqual } from "node:util";
import { type Difference, differences, digest, equal, isAbsent, isEmpty, pathOf } from "../values/compare";
import type { PropertyMap } from "../values/data";
import { entriesAmong, type Presence, pairInSet, presenceIn } from "../values/entries";
import { counterpart, idOf, type Keys, Places, setAt, valueAt } from "../values/pairing";
import { annotationsOf, schemaAt, schemasAlong } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { type Entries, mayHaveWritten, type Records, recordAt, recordOf } from "./records";

/** The records in the Pulumi state of how the API's answers to earlier writes showed the declared values. */
export interface Judgements {
  /**
   * The declared values that the API keeps in another form, with the digests of both forms. While neither form changes, the
   * value has not drifted.
   */
  readonly normalized: Records;
  /**
   * Records of the declared values that the API did not seem to take: after the write, it still showed the old value. If a
   * refresh has then put the live value into the inputs, the record is the digest of the replaced declared value.
   */
  readonly doubted: Records;
  /** The entries that have left the program, and that the API still showed after the write that was to remove them. */
  readonly owed?: Entries;
}

/**
 * How a declared value compares with the live value and with the base (the value that the API showed after the last write or
 * refresh). Equal values have no verdict.
 *
 * - `normalized`: the live value is the form in which the API keeps the declared value.
 * - `drifted`: the live value is neither the declared one nor the base, so somebody has changed it. After a write that takes
 *   minutes: the API showed the declared value before or during the write, and shows another one after it.
 * - `unchanged`: after a write, the API still shows the old value; it may not have carried out the write, or not yet.
 * - `dropped`: after a write, the API shows no value.
 * - `incomplete`: after a write, a list without order lacks declared entries, or has entries that are not declared.
 */
export type Verdict = "normalized" | "drifted" | "unchanged" | "dropped" | "incomplete";

export interface Place extends Difference {
  readonly verdict: Verdict;
}

export function merge(
  schema: TSchema,
  declared: PropertyMap,
  { normalized }: Pick<Judgements, "normalized">,
  live: PropertyMap,
): Place[] {
  return differences(schema, declared, live, "left").map((place) => ({
    ...place,
    verdict:
      (isAbsent(place.right) && isUnshown(schema, place.keys)) ||
      (recordAt(normalized, place.keys) === recordOf(place) && isComplete(presenceAt(place)))
        ? "normalized"
        : "drifted",
  }));
}

/**
 * The entries by which the lists at a place differ. Their values may be in a form of the API, but a missing or a foreign entry
 * never is. A list that the API does not show at all has no entries to judge.
 */
function presenceAt({ schema, left, right }: Difference): Presence {
  return isAbsent(right) ? { missing: [], foreign: [] } : presenceIn(schema, left, right);
}

function isComplete({ missing, foreign }: Presence): boolean {
  return missing.length === 0 && foreign.length === 0;
}

/** The declared values that somebody has changed in the API. */
export function driftIn(...versions: Parameters<typeof merge>): Place[] {
  return merge(...versions).filter(({ verdict }) => verdict === "drifted");
}

/**
 * Replaces declared values that have drifted by the live ones. These may come from a stale replica that has not seen the last
 * write, so the records keep the digests of the replaced declared values.
 */
export function withDrift(
  schema: TSchema,
  declared: PropertyMap,
  judgements: Judgements,
  live: PropertyMap,
): { readonly declared: PropertyMap; readonly judgements: Judgements; readonly hasDrifted: boolean } {
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

export interface Before extends Judgements {
  /** The object's values in each read before the write, in the form in which the API's answers show declared values. */
  readonly looks: readonly PropertyMap[];
  /** The last known Pulumi state of the object; list entries have their ids. */
  readonly state: PropertyMap;
  /** The body of the update request. List entries have their ids, and the positions that the program declares. */
  readonly body: PropertyMap;
  /** Records of what an update that failed may have written: see `attemptRecord`. */
  readonly attempted?: Records | undefined;
  /** The object as the API showed it before and during a write that takes minutes, as somebody else may change it meanwhile. */
  readonly shown?: readonly PropertyMap[];
  /** Whether the answer proves that the write was carried out; absent for objects that have no such sign. */
  readonly isCarriedOut?: boolean;
}

export interface WrittenPlace extends Place {
  /** Whether the API still shows the value from before the write, or still shows none if there was none. */
  readonly isAsBefore: boolean;
  /** The digests of the shown and the declared value, to keep in the Pulumi state. */
  readonly record?: string;
  /** The entries that a list without order lacks, or has beyond the declared ones. */
  readonly presence: Presence;
  /** The entries of the list that have left the program. */
  readonly owed: readonly unknown[];
}

/**
 * Compares declared values with those that the API shows after a write. An old value that the API still shows is not recorded
 * as its form of the declared value: the record would hide for ever that the write was not carried out. Only if the next write
 * has the same answer is it recorded: otherwise each refresh would show drift that no update can remove.
 *
 * @param before the values from before the write; absent if the write created the object
 */
export function mergeWritten(
  schema: TSchema,
  declared: PropertyMap,
  live: PropertyMap,
  before?: Before,
): WrittenPlace[] {
  return differences(schema, declared, live, "left").map((difference) => {
    const presence = presenceAt(difference);
    const place = { ...difference, presence, owed: owedAt(difference, before) };
    const record = recordOf(place);
    const formerKeys = before && counterpart(place.keys, before.body, before.state);
    const former = formerKeys && recordAt(before.normalized, formerKeys);
    const isCarriedOut = before?.isCarriedOut;
    const isAsBefore = before !== undefined && !isCarriedOut && wasThere(place, live, before, formerKeys);
    if (!isComplete(presence)) {
      const isChanged = !isAsBefore && wasAsDeclared(schema, declared, place, before);
      return { ...place, verdict: isChanged ? "drifted" : "incomplete", isAsBefore };
    }
    const isAlone = isAbsent(place.right) && (isEmpty(place.left) || isUnshown(schema, place.keys));
    if (isAlone || former === record) return { ...place, verdict: "normalized", isAsBefore: false, record };
    // The API has answered the previous write of this declared value in the same way, so it keeps the value in the shown form.
    const isConfirmed =
      before?.isCarriedOut ?? (formerKeys !== undefined && recordAt(before?.doubted, formerKeys) === record);
    if (isAsBefore && !isConfirmed) return { ...place, verdict: "unchanged", isAsBefore, record: former };
    if (!isAsBefore && wasAsDeclared(schema, declared, place, before))
      return { ...place, verdict: "drifted", isAsBefore, record: former };
    return { ...place, verdict: isAbsent(place.right) ? "dropped" : "normalized", isAsBefore, record };
  });
}

/** The entries of the list at a place that the program declared before, and that the API still shows. */
function owedAt({ keys, schema, left, right }: Difference, before: Before | undefined): readonly unknown[] {
  const isSet = annotationsOf(schema).comparison === "set";
  if (!before || !isSet || !Array.isArray(left) || !Array.isArray(right)) return [];
  const former = valueAt(before.state, keys);
  const foreign = pairInSet(schema, left, right).gained.map((at) => right[at]);
  const owed = before.owed?.[pathOf(keys)] ?? [];
  return entriesAmong(schema, foreign, [...(Array.isArray(former) ? former : []), ...owed]);
}

/** The records about declared values to keep in the Pulumi state after a write. */
export function judgementsOf(places: readonly WrittenPlace[]): Judgements {
  const normalized = places.flatMap(({ keys, record }) =>
    record === undefined ? [] : [[pathOf(keys), record] as const],
  );
  const doubted = places.filter(({ verdict }) => verdict === "unchanged" || verdict === "incomplete");
  const owed = places.filter((place) => place.owed.length > 0);
  return {
    normalized: Object.fromEntries(normalized),
    doubted: Object.fromEntries(doubted.map((place) => [pathOf(place.keys), recordOf(place)])),
    ...(owed.length > 0 && {
      owed: Object.fromEntries(owed.map((place) => [pathOf(place.keys), place.owed])),
    }),
  };
}

/**
 * Whether the API showed exactly the declared value during a write. If it shows another value afterwards, somebody has changed
 * the value; the other value is not just the API's form of the declared one. A value inside a list is compared with its whole
 * list, whose entries may have been in another order.
 */
function wasAsDeclared(
  schema: TSchema,
  declared: PropertyMap,
  { keys }: Difference,
  before: Before | undefined,
): boolean {
  const whole = keys.slice(
    0,
    [...keys, 0].findIndex((key) => typeof key === "number"),
  );
  const isAsDeclared = (shown: PropertyMap) =>
    differences(whole.reduce(schemaAt, schema), valueAt(declared, whole), valueAt(shown, whole), "left")
      .length === 0;
  return before?.shown?.some(isAsDeclared) === true;
}

function wasThere(
  { keys, schema, right }: Difference,
  live: PropertyMap,
  before: Before,
  formerKeys: Keys | undefined,
): boolean {
  const entry = newEntryIn(keys, before);
  const isLike = (look: PropertyMap) =>
    equal(schema, valueAt(look, keys), right) &&
    (entry === undefined || isDeepStrictEqual(valueAt(look, entry), valueAt(live, entry)));
  if (before.looks.some(isLike)) return true;
  if (!formerKeys) return false;
  if (equal(schema, valueAt(before.state, formerKeys), right)) return true;
  // If no read has confirmed the previous write, only the digests in its records tell what the API showed after it. So the live
  // value is compared with these digests, too.
  const records = [before.normalized, before.doubted].map((record) => recordAt(record, formerKeys) ?? "");
  return records.join("/").split("/").includes(digest(schema, right));
}

/**
 * The path of a list entry that the write adds; undefined for a value outside of such an entry. Another entry had this index
 * before the write, and its values are no former values of the new entry.
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
  return schemasAlong(schema, keys).some((at) => annotationsOf(at).shown === "sometimes");
}

/** An update request that is about to be sent, and may overwrite values that somebody else has changed. */
export interface Overwriting {
  readonly schema: TSchema;
  readonly declared: PropertyMap;
  /** The values in the Pulumi state of the properties that the update writes. */
  readonly base: PropertyMap;
  /** The live values of the properties that the update writes, in the form of the Pulumi state. */
  readonly live: PropertyMap;
  readonly before: Before;
}

/**
 * Finds the values that somebody else has changed since the last update or refresh, and that the update would overwrite. A
 * value that the API kept in spite of the last update is nobody's change, nor is one that an update which failed has written.
 */
export function conflictsIn({ schema, declared, base, live, before }: Overwriting): Place[] {
  const differing = before.looks.flatMap((live) => differences(schema, declared, live, "left"));
  const written = new Places(differing.map(({ keys }) => keys));
  return driftIn(schema, base, before, live).filter((place) => {
    if (recordAt(before.doubted, place.keys) === recordOf(place)) return false;
    if (mayHaveWritten(before.attempted, pathOf(place.keys), place.schema, place.right)) return false;
    return isOverwritten(counterpart(place.keys, before.state, before.body), declared, written);
  });
}

/** Whether an update writes another value at a path. Removed entries and reset values are overwritten, too. */
function isOverwritten(keys: Keys | undefined, declared: PropertyMap, written: Places): boolean {
  if (keys === undefined || !(String(keys[0]) in declared)) return true;
  return written.cover(keys) || written.areWithin(keys);
}
