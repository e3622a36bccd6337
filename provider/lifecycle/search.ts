import {
  type ApiError,
  ForeignRefusal,
  MalformedResponse,
  mayBeSentAgain,
  mayHappenYet,
  mayHaveHappened,
  PossiblyCreated,
} from "../api/errors";
import { creationTimeOf } from "../values/age";
import type { PropertyMap } from "../values/data";
import { listedIds, plural } from "../values/wording";
import { type Attempt, type CreateTracker, type Creation, isSafeId } from "./createTracker";
import type { Context } from "./scope";

/** Milliseconds to wait before looking for the object of a failed create: the API may still work on the broken request. */
export const settlingMilliseconds = 500;

/** Longest wait, in milliseconds, before looking for the object of a failed create; each repetition doubles the wait. */
export const longestSettlingMilliseconds = 8000;

/** Milliseconds by which an object's creation time may be wrong: some servers show whole seconds, and clocks differ. */
export const tolerance = 2000;

/**
 * Greatest difference, in milliseconds, between the API's clock and this machine's. If they differ by more, one is wrong, and
 * creation times prove nothing.
 */
export const day = 24 * 60 * 60_000;

/**
 * Whether the next create of this type finds the object of a failed create by itself: objects that take minutes to start are
 * billed, so their creates first list the existing objects, and refuse if a recent one has the same name.
 */
const isFoundByNext = ({ waiting }: Creation["collection"]): boolean => waiting !== undefined;

/** The command that lists an object which no state holds. */
export const orphansOf = ({ type, isNoOrphan }: Creation["collection"]): string =>
  `npx pipestack orphans${isNoOrphan === "unlessNamed" ? ` --only ${type}` : ""}`;

/** The failure of a create whose answer has an id that this API cannot have given: the created object is unknown. */
export class StrangeId extends MalformedResponse {}

/**
 * Finds the object that a failed create has certainly made; undefined if the request has made none and may be sent again. An object
 * that is billed is looked for as long as lists may lag.
 *
 * @throws PossiblyCreated if the object of the request cannot be told apart
 */
export async function search(
  attempt: Attempt,
  tracker: CreateTracker,
  error: ApiError,
  { session }: Context,
): Promise<PropertyMap | undefined> {
  const { body, collection, description, isLike, longestSearch = 0, shownOnce } = attempt.creation;
  const doubt = (inQuestion: readonly PropertyMap[], changed: readonly PropertyMap[] = []) => {
    const remedy = shownOnce
      ? `delete it, since its ${shownOnce} is lost`
      : "adopt it with adoptId or delete it";
    const perhaps =
      changed.length > 0 ? `. The service may have turned it into one of these: ${listedIds(changed)}` : "";
    const unseen = isFoundByNext(collection)
      ? `the next update looks for ${description}, and names it if it is there`
      : `before you run the update again, run ${orphansOf(collection)}; if it lists ${description}, ${remedy}`;
    const advice =
      inQuestion.length > 0
        ? `. If one of these ${plural(collection.noun)} is yours, ${remedy}: ${listedIds(inQuestion)}. Yours may be none of these: ${unseen}`
        : `, or may still be: ${unseen}${perhaps}`;
    const idsOf = (objects: readonly PropertyMap[]) => objects.map(({ id }) => String(id));
    return new PossiblyCreated(`${error.message}\nThe request may have been carried out${advice}`, {
      reason: error.message,
      description,
      candidates: idsOf(inQuestion),
      changed: idsOf(changed),
    });
  };
  if (attempt.lists === 0) throw isSameWall(error, tracker.unlisted) ? error : doubt([]);

  const until = Date.now() + longestSearch;
  let recent: readonly PropertyMap[];
  let candidates: readonly PropertyMap[];
  let rivals: readonly Attempt[];
  let underWay: readonly Attempt[];
  let isEnough: boolean;
  let wait = settlingMilliseconds;
  for (;;) {
    const listing = await tracker.list().catch(() => undefined);
    const isLast = Date.now() >= until || session.interruption.reason() !== undefined;
    if (!listing && isLast) throw doubt([]);
    const { objects = [] } = listing ?? {};
    const newest = tracker.recentIn(objects, attempt);
    // A list may show only a part of each object, so the object itself is compared with the content that the create sent.
    const whole = newest.map((object) => (isLike(object) ? tracker.wholeOf(object) : object));
    recent = await Promise.all(whole).catch(() => {
      throw doubt(newest.filter(isLike));
    });
    candidates = recent.filter(isLike);
    isEnough = listing?.isWhole || (candidates.length > 0 && listing?.isLikelyWhole) || false;
    rivals = [...tracker.open].filter(
      (attempted) => attempted !== attempt && candidates.some((object) => attempted.creation.isLike(object)),
    );
    // The answers to the creates under way tell which of the new objects are theirs, so the search waits for these answers.
    underWay = rivals.filter(({ isUnderWay }) => isUnderWay);
    await Promise.allSettled(underWay.map(({ answer }) => answer));
    if (underWay.length > 0) continue;
    if (candidates.length > 0 || isLast) break;
    wait = Math.min(2 * wait, longestSettlingMilliseconds, until - Date.now());
    await session.interruption.pause(wait);
  }
  // Other creates of this process may meanwhile have taken some of the listed objects as their results, so these are left out.
  recent = recent.filter(({ id }) => !tracker.isHeld(id));
  candidates = candidates.filter(({ id }) => !tracker.isHeld(id));

  // The API may change sent values, such as blanks around a name, so a new object with other content may come from this create.
  const strangers = recent.filter((object) => !tracker.mayHaveMade(object));
  // If all creates under way send the same body, their objects are interchangeable: each create may take any new one.
  const areAlike = rivals.every(({ creation }) => JSON.stringify(creation.body) === JSON.stringify(body));
  const isClear = isEnough && strangers.length === 0 && areAlike && candidates.length <= 1 + rivals.length;
  if (!isClear) throw doubt(candidates, strangers);
  const [candidate] = candidates;
  // The API may have accepted the request, and a second one could create, and bill, a second object. The next update looks
  // first.
  if (!candidate && (isFoundByNext(collection) || mayComeYet(error, tracker))) throw doubt([]);
  if (candidate && (shownOnce || tracker.isLate || !isSurelyOf(candidate, attempt, tracker)))
    throw doubt(candidates);
  if (candidate) tracker.claim(candidate, attempt.creation);
  return candidate;
}

/**
 * Whether a recent object certainly did not exist before the create request: a list from right before the request lacks it, or
 * its own creation time is later. Since lists may lag, an earlier creation time overrules the list.
 */
function isSurelyOf(object: PropertyMap, attempt: Attempt, tracker: CreateTracker): boolean {
  const { creation, isFresh, sentAt } = attempt;
  const age = sentAt - (creationTimeOf(object) ?? Number.NaN);
  const isOlder = age > tolerance && age < day;
  const isProven = isFresh || tracker.isDatedAfter(object, attempt);
  return isProven && isSafeId(object.id) && !isOlder && !creation.lacksSent(object);
}

/** Whether the object of a failed create may exist, or appear later, although the API's list does not show it. */
function mayComeYet(error: ApiError, { isTimely }: CreateTracker): boolean {
  if (mayHappenYet(error) || error instanceof StrangeId) return true;
  // A refusal of a repeated create may mean that the first request has created the object, which now has the name.
  const { status } = error.site;
  const isRefused = !mayHaveHappened(error) && status !== undefined;
  return isRefused || (!isTimely && !mayBeSentAgain(error));
}

/** Whether a proxy in front of the API refuses every request alike, so that the create request has not reached the API. */
function isSameWall({ site }: ApiError, unlisted: unknown): boolean {
  return unlisted instanceof ForeignRefusal && site.status === unlisted.site.status;
}
