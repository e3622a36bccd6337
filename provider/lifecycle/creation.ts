import {
  ApiError,
  ForeignRefusal,
  MalformedResponse,
  mayBeSentAgain,
  mayHappenYet,
  mayHaveHappened,
  PossiblyCreated,
  RefusedRequest,
} from "../api/errors";
import { creationTimeOf } from "../values/age";
import { type Data, isSameId } from "../values/data";
import { listedIds, plural, quoted } from "../values/wording";
import { type Attempt, type Creation, isSafeId, type Ledger, ledgerOf } from "./ledger";
import { isWhole } from "./observe";
import type { CreatedObject } from "./resource";
import type { Context } from "./scope";

/**
 * Milliseconds to wait before looking for the object of a failed create: the service may still be working on a request
 * whose connection broke.
 */
const settlingMilliseconds = 500;

/**
 * Longest wait, in milliseconds, before looking for the object of a failed create. The wait doubles with each
 * repetition.
 */
const longestSettlingMilliseconds = 8000;

/**
 * Milliseconds by which an object's time of creation may be wrong: some servers show whole seconds, and clocks differ.
 */
const tolerance = 2000;

/** Milliseconds beyond which a difference between two clocks says nothing: one of the clocks is wrong. */
const day = 24 * 60 * 60_000;

/**
 * Creates an object exactly once. Where a request fails so that the service may have created the object all the same, a
 * list of the collection decides:
 * - An object that is certainly the one of this request becomes the result.
 * - If the list has no new object and the failure was temporary, the request is repeated.
 * - Otherwise it fails with an error that names the objects in question. It also names, and never deletes, an object
 *   that is useless without the lost answer (a key without its secret): somebody else may have made the object.
 *
 * An object is certainly the one of this request if it is new (by a list from right before the request, or by its own
 * time of creation), has the content that was sent, and is the only such object. Nothing may suggest that somebody else
 * creates objects in the collection at the same time.
 *
 * @throws PossiblyCreated if this cannot be decided; the message describes the possible object
 */
export async function createExactlyOnce(creation: Creation, context: Context): Promise<CreatedObject> {
  const { collection, description } = creation;
  const { session } = context;
  const ledger = ledgerOf(collection, context);
  await ledger.prepare();
  let first: Attempt | undefined;
  for (let repetition = 0; ; repetition++) {
    const attempt = ledger.begin(creation);
    first ??= attempt;
    try {
      const object = await objectIn(await attempt.answer, attempt, ledger, context);
      ledger.noteAnswer(object, attempt);
      return { id: ledger.claim(object, creation), object };
    } catch (error) {
      // After a repetition even a refusal is in doubt: the service may refuse the name because the first request
      // created the object.
      const isOpen = mayHaveHappened(error) || (repetition > 0 && error instanceof ApiError);
      if (!isOpen) throw await namingTaken(error, creation, ledger);
      if (await wasTakenBefore(error, first, ledger)) {
        ledger.unresolved.delete(creation);
        throw await namingTaken(error, creation, ledger);
      }
      attempt.isUnderWay = false;
      ledger.hasFailed = true;
      ledger.unresolved.add(creation);
      const settling = Math.min(settlingMilliseconds * 2 ** repetition, longestSettlingMilliseconds);
      await session.interruption.pause(settling);
      const object = await search(attempt, ledger, error);
      if (object) {
        const id = String(object.id);
        session.inform(
          `${collection.noun} ${id} was created although the answer was lost; it is now in the state`,
        );
        return { id, object, taken: true };
      }
      if (!mayBeSentAgain(error)) throw error;
      session.warnOnce(
        `a failed request may have created ${description}, or may still do so; after the update, npx pipestack orphans lists it`,
      );
      if (repetition >= session.settings.maxRetries) throw error;
    } finally {
      ledger.open.delete(attempt);
    }
  }
}

/**
 * Whether the next create of this type finds the object of a failed create by itself: objects that take minutes to
 * start are billed, so their creates list the collection first, and refuse if a recent object has the same name.
 */
const isFoundByNext = ({ waiting }: Creation["collection"]): boolean => waiting !== undefined;

/**
 * The answer to a create has an id that this service cannot have given, so it does not tell which object was created.
 */
class StrangeId extends MalformedResponse {}

/**
 * The object in the answer to a create request.
 *
 * @throws MalformedResponse if the answer is about another object
 */
async function objectIn(object: Data, attempt: Attempt, ledger: Ledger, { session }: Context): Promise<Data> {
  const { collection, shownOnce } = attempt.creation;
  const site = session.siteOf(collection.operations.create);
  const { id } = object;
  if (!ledger.mayGive(id))
    throw new StrangeId(site, `the answer has the id ${quoted(id)}, which is no id of this service`);
  if (shownOnce && !object[shownOnce]) throw new MalformedResponse(site, `the answer has no ${shownOnce}`);
  if (existed(object, attempt, ledger))
    throw new MalformedResponse(site, `the answer is about ${id}, which already existed`);
  if (await isOfAnother(object, attempt, ledger))
    throw new MalformedResponse(site, `the answer is about ${id}, which another request created`);
  return object;
}

/**
 * Whether the answer to a create is about an object that existed before, as a broken proxy or cache may answer. It is
 * if a resource has the object, or a list showed it before the request. Otherwise the object has to differ from the
 * request, and to be old by its own time of creation; one of these signs is not enough, since clocks may be wrong and
 * the service may rewrite sent values. Without a list from before, other content is enough, unless the object is new by
 * its own time. An answer that has only an id proves nothing.
 */
function existed(object: Data, attempt: Attempt, ledger: Ledger): boolean {
  const { creation, isListed, sentAt } = attempt;
  if (ledger.isHeld(object.id) || ledger.wasShownBefore(object.id, attempt)) return true;
  if (Object.keys(object).length === 1 || creation.isLike(object)) return false;
  if (isListed) return (creationTimeOf({ createdAt: object.createdAt }) ?? sentAt) < sentAt - day;
  return !(Math.abs((creationTimeOf(object) ?? Number.NaN) - sentAt) < day);
}

/**
 * Whether an answer whose content differs from the request is about the object of another create. It is if another
 * create of this process sent that content and got the same answer or none, or if a list shows a second new object,
 * with exactly the content of this request.
 */
async function isOfAnother(answered: Data, attempt: Attempt, ledger: Ledger): Promise<boolean> {
  const { collection, isLike, lacksSent } = attempt.creation;
  const isAnswered = ({ id }: Data) => isSameId(id, answered.id);
  if (!isWhole(answered, collection.sureMember) || isLike(answered)) return false;
  const rivals = [...ledger.open].filter(({ creation }) => creation.isLike(answered));
  const answers = await Promise.allSettled(rivals.map(({ answer }) => answer));
  const isRival = (outcome: (typeof answers)[number]) =>
    outcome.status === "rejected" ? mayHaveHappened(outcome.reason) : isAnswered(outcome.value);
  const inDoubt = [...ledger.unresolved].some((creation) => creation.isLike(answered));
  if (inDoubt || answers.some(isRival)) return true;
  // This service is known to rewrite values, so further answers with other content need no list request.
  if (ledger.isRewriting) return false;
  const objects = await listedIn(ledger);
  const isOther = ledger
    .recentIn(objects, attempt)
    .some((object) => !isAnswered(object) && isLike(object) && !lacksSent(object));
  ledger.isRewriting = !isOther && objects.some(isAnswered);
  return isOther;
}

/**
 * Finds the object that a failed create request has certainly made. Undefined if it has made none, and may be sent
 * again.
 *
 * @throws PossiblyCreated if this is uncertain
 */
async function search(attempt: Attempt, ledger: Ledger, error: ApiError): Promise<Data | undefined> {
  const { body, collection, description, isLike, shownOnce } = attempt.creation;
  const doubt = (inQuestion: readonly Data[], changed: readonly Data[] = []) => {
    const remedy = shownOnce
      ? `delete it, since its ${shownOnce} is lost`
      : "adopt it with adoptId or delete it";
    const perhaps =
      changed.length > 0 ? `. The service may have turned it into one of these: ${listedIds(changed)}` : "";
    const unseen = isFoundByNext(collection)
      ? `the next update looks for ${description}, and names it if it is there`
      : `before you run the update again, run npx pipestack orphans; if it lists ${description}, ${remedy}`;
    const advice =
      inQuestion.length > 0
        ? `. If one of these ${plural(collection.noun)} is yours, ${remedy}: ${listedIds(inQuestion)}. Yours may be none of these: ${unseen}`
        : `, or may still be: ${unseen}${perhaps}`;
    const idsOf = (objects: readonly Data[]) => objects.map(({ id }) => String(id));
    return new PossiblyCreated(`${error.message}\nThe request may have been carried out${advice}`, {
      reason: error.message,
      description,
      candidates: idsOf(inQuestion),
      changed: idsOf(changed),
    });
  };
  if (attempt.lists === 0) throw isSameWall(error, ledger.unlisted) ? error : doubt([]);

  let recent: readonly Data[];
  let candidates: readonly Data[];
  let rivals: readonly Attempt[];
  let underWay: readonly Attempt[];
  let isWhole: boolean;
  do {
    const listing = await ledger.list().catch(() => {
      throw doubt([]);
    });
    isWhole = listing.isWhole;
    const newest = ledger.recentIn(listing.objects, attempt);
    // A list may show only a part of each object: reading the object itself tells whether it has the sent content.
    const whole = newest.map((object) => (isLike(object) ? ledger.wholeOf(object) : object));
    recent = await Promise.all(whole).catch(() => {
      throw doubt(newest.filter(isLike));
    });
    candidates = recent.filter(isLike);
    rivals = [...ledger.open].filter(
      (attempted) => attempted !== attempt && candidates.some((object) => attempted.creation.isLike(object)),
    );
    // The answers to other creates that are under way tell which of the new objects are theirs.
    underWay = rivals.filter(({ isUnderWay }) => isUnderWay);
    await Promise.allSettled(underWay.map(({ answer }) => answer));
  } while (underWay.length > 0);
  // Other creates may have taken some of the listed objects in the meantime.
  recent = recent.filter(({ id }) => !ledger.isHeld(id));
  candidates = candidates.filter(({ id }) => !ledger.isHeld(id));

  // The service may change sent values, such as blanks around a name, so a new object with other content may be ours,
  // too.
  const strangers = recent.filter((object) => !ledger.mayHaveMade(object));
  // Where all creates send the same body, each of them may take any of the new objects.
  const areAlike = rivals.every(({ creation }) => JSON.stringify(creation.body) === JSON.stringify(body));
  const isClear = isWhole && strangers.length === 0 && areAlike && candidates.length <= 1 + rivals.length;
  if (!isClear) throw doubt(candidates, strangers);
  const [candidate] = candidates;
  // The service may have accepted the request. A second request could create, and bill, a second object, so the next
  // update looks first.
  if (!candidate && (isFoundByNext(collection) || mayComeYet(error, ledger))) throw doubt([]);
  if (candidate && (shownOnce || ledger.isLate || !isSurelyOf(candidate, attempt, ledger)))
    throw doubt(candidates);
  if (candidate) ledger.claim(candidate, attempt.creation);
  return candidate;
}

/**
 * Whether a recent object did certainly not exist before the request: a list from right before the request lacks the
 * object, or the object's time of creation is later. Since lists may lag, an earlier time of creation overrules the
 * list.
 */
function isSurelyOf(object: Data, attempt: Attempt, ledger: Ledger): boolean {
  const { creation, isFresh, sentAt } = attempt;
  const age = sentAt - (creationTimeOf(object) ?? Number.NaN);
  const isOlder = age > tolerance && age < day;
  const isProven = isFresh || ledger.isDatedAfter(object, attempt);
  return isProven && isSafeId(object.id) && !isOlder && !creation.lacksSent(object);
}

/** Whether the object of a failed create may exist, or appear later, although the list does not show it. */
function mayComeYet(error: ApiError, { isTimely }: Ledger): boolean {
  if (mayHappenYet(error) || error instanceof StrangeId) return true;
  // If the API refuses a body that it did not refuse before, the object of the first request may have taken its name.
  const { status } = error.site;
  const isRefused = !mayHaveHappened(error) && status !== undefined;
  return isRefused || (!isTimely && !mayBeSentAgain(error));
}

/** Whether a proxy in front of the API refuses every request alike, so that the create has not reached the API. */
function isSameWall({ site }: ApiError, unlisted: unknown): boolean {
  return unlisted instanceof ForeignRefusal && site.status === unlisted.site.status;
}

/**
 * Whether the API refused the create because an object that is older than all its requests has the same name. Then none
 * of the requests created an object.
 */
async function wasTakenBefore(error: unknown, first: Attempt, ledger: Ledger): Promise<boolean> {
  if (!(error instanceof RefusedRequest) || !saysTaken.test(error.reason)) return false;
  const { body } = first.creation;
  const words = new Set(error.reason.split(/\W/));
  const names = Object.keys(body).filter((member) => words.has(member));
  const objects = await listedIn(ledger);
  const hasAll = (object: Data) =>
    names.length > 0 && names.every((member) => object[member] === body[member]);
  return objects.some((object) => hasAll(object) && ledger.wasShownBefore(object.id, first));
}

const saysTaken = /\balready\s(exists?|in use|taken)\b|\bduplicate\b/i;

/**
 * The error of a create that was refused because the name is taken: it says how to take over the existing object. Every
 * other error stays as it is.
 */
async function namingTaken(
  error: unknown,
  { body, collection, isLike }: Creation,
  ledger: Ledger,
): Promise<unknown> {
  if (!(error instanceof RefusedRequest) || !saysTaken.test(error.reason)) return error;
  const objects = await listedIn(ledger);
  const namesakes = objects.filter(({ name }) => name !== undefined && name === body.name);
  const ids = listedIds(namesakes);
  const advice = `to take over the ${collection.noun} that exists, declare its id as adoptId, or import it`;
  const renamed = "if the program has renamed the resource, give it its former name by the option aliases";
  // The object may come from an update that was killed, if it has all the content that was sent.
  const recovered = namesakes.some(isLike)
    ? "; if an update that was killed created it, run npx pipestack orphans --recover"
    : "";
  return new RefusedRequest(
    error.site,
    `${error.reason}; ${advice}${ids ? `: ${ids}` : ""}${recovered}; ${renamed}`,
  );
}

/** The objects that a list shows; none if the list request fails. */
async function listedIn(ledger: Ledger): Promise<readonly Data[]> {
  const { objects } = await ledger.list().catch(() => ({ objects: [] }));
  return objects;
}
