import { isDeepStrictEqual } from "node:util";
import { type Difference, differences, equal, isAbsent, isEmpty, pathOf } from "../values/compare";
import type { Data } from "../values/data";
import { annotationsOf, schemaAt } from "../values/schema";
import type { TSchema } from "../values/schemaBuilders";
import { type Normalized, normalizationOf, recordAt, wasAnswered } from "./drift";
import { counterpart, idOf, type Keys, valueAt } from "./listEntries";

/** What is known of an object from before a write. */
export interface Before {
  /** What looks showed, in the form in which an answer shows what is declared. */
  readonly shown: readonly Data[];
  /** The last known state; entries of lists have their ids. */
  readonly state: Data;
  /** Digests of what the service made of the values that the state declares. */
  readonly normalized: Normalized;
  /** The same of values that the write before this one left as they had been. */
  readonly doubted: Normalized;
  /** What is sent; entries of lists have their ids, and the positions of what is declared. */
  readonly sent: Data;
}

/** What a write did with the declared values that the service shows in another form. */
export interface Effect {
  /** Digests of what the service made of them. */
  readonly normalized: Normalized;
  /** Digests of what it shows where that was there before. */
  readonly doubted: Normalized;
  /** Where it shows what was there before, or nothing as before. */
  readonly asBefore: readonly Difference[];
  /** Those of them that were not answered to the write before this one, too: it was not carried out, or not yet. */
  readonly unchanged: readonly Difference[];
  /** Where it shows nothing for another reason. */
  readonly dropped: readonly Difference[];
}

/**
 * Judges what the service shows after a write. An answer equal to what was there before the write is nothing that the
 * service made of the new value, and gets no digest: it would hide for ever that the write was not carried out. Only if
 * the next write of the same value has the same answer, that is what the service makes of it: nothing else would ever
 * bring service and program together.
 *
 * @param before absent for an object that the write created
 */
export function effectOf(schema: TSchema, declared: Data, shown: Data, before?: Before): Effect {
  const places = differences(schema, declared, shown, "left");
  const doubtful = places.filter((place) => !isExpected(schema, place, before));
  const asBefore = doubtful.filter((place) => before && wasThere(place, shown, before));
  const unchanged = asBefore.filter((place) => before && !isConfirmed(place, before));
  const records = places.flatMap((place) => {
    const record = unchanged.includes(place) ? recordOf(place, before) : normalizationOf(place);
    return record === undefined ? [] : [[pathOf(place.keys), record] as const];
  });
  return {
    normalized: Object.fromEntries(records),
    doubted: Object.fromEntries(unchanged.map((place) => [pathOf(place.keys), normalizationOf(place)])),
    asBefore,
    unchanged,
    dropped: doubtful.filter((place) => isAbsent(place.right) && !unchanged.includes(place)),
  };
}

/** Whether the service is known to show this value so: it did before, or it shows no empty values, or not this one. */
function isExpected(schema: TSchema, place: Difference, before?: Before): boolean {
  const { keys, left, right } = place;
  if (isAbsent(right) && (isEmpty(left) || isUnshown(schema, keys))) return true;
  const known = before && counterpart(keys, before.sent, before.state);
  if (!known) return false;
  return recordAt(before.normalized, known) === normalizationOf(place);
}

/** What is known of a value from before: it stays true, and tells nothing of the new value. */
function recordOf({ keys }: Difference, before?: Before): string | undefined {
  const known = before && counterpart(keys, before.sent, before.state);
  return known && recordAt(before.normalized, known);
}

function wasThere({ keys, schema, right }: Difference, answered: Data, before: Before): boolean {
  const { shown, state, normalized, sent } = before;
  const entry = newEntryIn(keys, before);
  const isLike = (look: Data) =>
    equal(schema, valueAt(look, keys), right) &&
    (entry === undefined || isDeepStrictEqual(valueAt(look, entry), valueAt(answered, entry)));
  if (shown.some(isLike)) return true;
  const known = counterpart(keys, sent, state);
  if (!known) return false;
  if (equal(schema, valueAt(state, known), right)) return true;
  return wasAnswered(schema, right, recordAt(normalized, known));
}

/** The place of an entry that a write adds, where others have ids: what was there before is another entry. */
function newEntryIn(keys: Keys, { state, sent }: Before): Keys | undefined {
  const at = keys.findIndex((key) => typeof key === "number");
  const hasIds = [sent, state].some((object) => {
    const list = valueAt(object, keys.slice(0, at));
    return Array.isArray(list) && list.some(idOf);
  });
  const entry = keys.slice(0, at + 1);
  return at >= 0 && hasIds && idOf(valueAt(sent, entry)) === undefined ? entry : undefined;
}

/** Whether the write before this one of the same value had the same answer. */
function isConfirmed(place: Difference, { doubted, state, sent }: Before): boolean {
  const known = counterpart(place.keys, sent, state);
  return known !== undefined && doubted[pathOf(known)] === normalizationOf(place);
}

function isUnshown(schema: TSchema, keys: Difference["keys"]): boolean {
  return annotationsOf(schemaAt(schema, keys[0] ?? "")).unshown === true;
}
