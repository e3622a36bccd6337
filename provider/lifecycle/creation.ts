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
import type { CreatedObject } from "./definition";
import { type Attempt, type Creation, isSafeId, type Ledger, ledgerOf } from "./ledger";
import { isWhole } from "./observe";
import type { Context } from "./scope";

/** Milliseconds to wait before looking for the object of a failed create: the API may still work on the broken request. */
const settlingMilliseconds = 500;

/** Longest wait, in milliseconds, before looking for the object of a failed create; each repetition doubles the wait. */
const longestSettlingMilliseconds = 8000;

/** Milliseconds by which an object's creation time may be wrong: some servers show whole seconds, and clocks differ. */
const tolerance = 2000;

/**
 * Greatest difference, in milliseconds, between the API's clock and this machine's. If they differ by more, one is wrong, and
 * creation times prove nothing.
 */
const day = 24 * 60 * 60_000;

/**
 * Creates an object of the API exactly once. If the request fails although the API may have created the object, a list of all
 * objects of this type decides:
 * - If the list shows an object that this request has certainly created, that object is the result.
 * - If the list has no new object and the failure was temporary, the request is repeated.
 * - Otherwise the create fails with an error that names the objects in question. It only names an object that is useless
 *   without the lost answer (a key without its secret), and does not delete it, since somebody else may have made it.
 *
 * This request has certainly created an object if the object is new (by a list from right before the request, or by its own
 * time of creation), has the content that was sent, and is the only such object. Besides, nothing may suggest that somebody
 * else creates objects of this type at the same time.
 *
 * @throws PossiblyCreated if the list cannot decide; the message describes the object that may exist
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
      // A refusal of a repeated create proves nothing: the first request may have created the object, which now has the name.
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
 * Whether the next create of this type finds the object of a failed create by itself: objects that take minutes to start are
 * billed, so their creates first list the existing objects, and refuse if a recent one has the same name.
 */
const isFoundByNext = ({ waiting }: Creation["collection"]): boolean => waiting !== undefined;

/** The failure of a create whose answer has an id that this API cannot have given: the created object is unknown. */
class StrangeId extends MalformedResponse {}

/** @throws MalformedResponse if the answer to the create request is about another object */
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
 * Whether the answer to a create request is about an object that existed before, as a broken proxy or cache may answer. This is
 * certain if a resource has the object, or a list showed it before the request. Otherwise two signs are needed, since clocks
 * may be wrong and the API may rewrite sent values: the object differs from the request, and is old by its own creation time.
 * If no list was read before the request, the first sign is enough, unless the object is new by its creation time.
 */
function existed(object: Data, attempt: Attempt, ledger: Ledger): boolean {
  const { creation, isListed, sentAt } = attempt;
  if (ledger.isHeld(object.id) || ledger.wasShownBefore(object.id, attempt)) return true;
  if (Object.keys(object).length === 1 || creation.isLike(object)) return false;
  if (isListed) return (creationTimeOf({ createdAt: object.createdAt }) ?? sentAt) < sentAt - day;
  return !(Math.abs((creationTimeOf(object) ?? Number.NaN) - sentAt) < day);
}

/**
 * Whether the answer to a create request, whose content differs from what was sent, is about the object of another create.
 * There are two signs: another create of this process sent that content, and got the same answer or none; or a list shows a
 * second new object with exactly the content of this request.
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
  // Once a list has shown that this API rewrites sent values, a created object with other content than was sent is accepted
  // without a list request.
  if (ledger.isRewriting) return false;
  const objects = await listedIn(ledger);
  const isOther = ledger
    .recentIn(objects, attempt)
    .some((object) => !isAnswered(object) && isLike(object) && !lacksSent(object));
  ledger.isRewriting = !isOther && objects.some(isAnswered);
  return isOther;
}

/**
 * Finds the object that a failed create has certainly made; undefined if the request has made none and may be sent again.
 * @throws PossiblyCreated if the object of the request cannot be told apart
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
    // A list may show only a part of each object, so the object itself is compared with the content that the create sent.
    const whole = newest.map((object) => (isLike(object) ? ledger.wholeOf(object) : object));
    recent = await Promise.all(whole).catch(() => {
      throw doubt(newest.filter(isLike));
    });
    candidates = recent.filter(isLike);
    rivals = [...ledger.open].filter(
      (attempted) => attempted !== attempt && candidates.some((object) => attempted.creation.isLike(object)),
    );
    // The answers to the creates under way tell which of the new objects are theirs, so the search waits for these answers.
    underWay = rivals.filter(({ isUnderWay }) => isUnderWay);
    await Promise.allSettled(underWay.map(({ answer }) => answer));
  } while (underWay.length > 0);
  // Other creates of this process may meanwhile have taken some of the listed objects as their results, so these are left out.
  recent = recent.filter(({ id }) => !ledger.isHeld(id));
  candidates = candidates.filter(({ id }) => !ledger.isHeld(id));

  // The API may change sent values, such as blanks around a name, so a new object with other content may come from this create.
  const strangers = recent.filter((object) => !ledger.mayHaveMade(object));
  // If all creates under way send the same body, their objects are interchangeable: each create may take any new one.
  const areAlike = rivals.every(({ creation }) => JSON.stringify(creation.body) === JSON.stringify(body));
  const isClear = isWhole && strangers.length === 0 && areAlike && candidates.length <= 1 + rivals.length;
  if (!isClear) throw doubt(candidates, strangers);
  const [candidate] = candidates;
  // The API may have accepted the request, and a second one could create, and bill, a second object. The next update looks
  // first.
  if (!candidate && (isFoundByNext(collection) || mayComeYet(error, ledger))) throw doubt([]);
  if (candidate && (shownOnce || ledger.isLate || !isSurelyOf(candidate, attempt, ledger)))
    throw doubt(candidates);
  if (candidate) ledger.claim(candidate, attempt.creation);
  return candidate;
}

/**
 * Whether a recent object certainly did not exist before the create request: a list from right before the request lacks it, or
 * its own creation time is later. Since lists may lag, an earlier creation time overrules the list.
 */
function isSurelyOf(object: Data, attempt: Attempt, ledger: Ledger): boolean {
  const { creation, isFresh, sentAt } = attempt;
  const age = sentAt - (creationTimeOf(object) ?? Number.NaN);
  const isOlder = age > tolerance && age < day;
  const isProven = isFresh || ledger.isDatedAfter(object, attempt);
  return isProven && isSafeId(object.id) && !isOlder && !creation.lacksSent(object);
}

/** Whether the object of a failed create may exist, or appear later, although the API's list does not show it. */
function mayComeYet(error: ApiError, { isTimely }: Ledger): boolean {
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

/**
 * Whether the API refused a create because its name is taken, by an object that is older than all requests of this create: then
 * none of these requests has created an object.
 */
async function wasTakenBefore(error: unknown, first: Attempt, ledger: Ledger): Promise<boolean> {
  if (!(error instanceof RefusedRequest) || !error.says(saysTaken)) return false;
  const { body } = first.creation;
  const names = Object.keys(body).filter((member) => error.says(new RegExp(`\\b${member}\\b`)));
  const objects = await listedIn(ledger);
  const hasAll = (object: Data) =>
    names.length > 0 && names.every((member) => object[member] === body[member]);
  return objects.some((object) => hasAll(object) && ledger.wasShownBefore(object.id, first));
}

const saysTaken = /\balready\s(exists?|in use|taken)\b|\bduplicate\b/i;

/** The error of a create that the API refused because the name is taken, with advice on taking over the existing object. */
async function namingTaken(
  error: unknown,
  { body, collection, isLike }: Creation,
  ledger: Ledger,
): Promise<unknown> {
  if (!(error instanceof RefusedRequest) || !error.says(saysTaken)) return error;
  const objects = await listedIn(ledger);
  const namesakes = objects.filter(({ name }) => name !== undefined && name === body.name);
  const ids = listedIds(namesakes);
  const advice = `to take over the ${collection.noun} that exists, declare its id as adoptId, or import it`;
  const renamed = "if the program has renamed the resource, give it its former name by the option aliases";
  // An existing object that has all the content of the refused create may come from an update that was killed, so the error
  // names the command that recovers it.
  const recovered = namesakes.some(isLike)
    ? "; if an update that was killed created it, run npx pipestack orphans --recover"
    : "";
  return new RefusedRequest(
    error.site,
    `${error.reason}; ${advice}${ids ? `: ${ids}` : ""}${recovered}; ${renamed}`,
  );
}

async function listedIn(ledger: Ledger): Promise<readonly Data[]> {
  const { objects } = await ledger.list().catch(() => ({ objects: [] }));
  return objects;
}
