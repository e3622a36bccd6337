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

/** A request whose connection broke may be under way for some milliseconds: the wait before the first look. */
const settlingMilliseconds = 500;

/** Limit of that wait, which doubles with each repetition. */
const longestSettlingMilliseconds = 8000;

/** Tolerance for the time in an object: ids and some servers show whole seconds, and clocks differ. */
const tolerance = 2000;

/** A clock that is wrong by more milliseconds tells nothing. */
const day = 24 * 60 * 60_000;

/**
 * Creates an object exactly once. After a failure that leaves open whether the object was created, a list decides: an
 * object that is certainly ours becomes the result; if nothing new is there and the failure may pass, the request is
 * repeated; everything in doubt is named. An object that is useless without the lost answer is named as well and never
 * deleted, since no list can prove that it is not somebody else's.
 *
 * Certainly ours is an object that is new since a list right before the attempt, or by its own time, has the content that was sent, and is the
 * only one, as long as nothing shows that somebody else creates objects in the collection at the same time.
 *
 * @throws PossiblyCreated if that cannot be told; the message describes the possible object
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
      // A refusal may be about an object of an earlier request, such as a name that is taken by now.
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

/** Whether each create of a type first lists its objects, and refuses if there is a recent one of the same name: these are billed. */
const isFoundByNext = ({ waiting }: Creation["collection"]): boolean => waiting !== undefined;

/** An answer with an id that the service cannot have given: nothing tells which object it has created. */
class StrangeId extends MalformedResponse {}

/** The created object in the answer to an attempt. */
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
 * Whether the object in the answer to an attempt cannot be the one that was just created: a resource has it, or a list showed
 * it before. Where no list showed it, it has to say that it is old, and to have other content: clocks may be wrong, and the
 * service may rewrite sent values. Where no list could be read, other content is enough, unless the object says that it is
 * new. A mere receipt has none.
 */
function existed(object: Data, attempt: Attempt, ledger: Ledger): boolean {
  const { creation, isListed, sentAt } = attempt;
  if (ledger.isHeld(object.id) || ledger.wasShownBefore(object.id, attempt)) return true;
  if (Object.keys(object).length === 1 || creation.isLike(object)) return false;
  if (isListed) return (creationTimeOf({ createdAt: object.createdAt }) ?? sentAt) < sentAt - day;
  return !(Math.abs((creationTimeOf(object) ?? Number.NaN) - sentAt) < day);
}

/**
 * Whether an answer with other content than was sent is about the object of another create: one of this process sent that content
 * and got the same answer, or none; or a list shows another new object with all that was sent.
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
  // The next such answers of a service that rewrites cost no list.
  if (ledger.isRewriting) return false;
  const objects = await listedIn(ledger);
  const isOther = ledger
    .recentIn(objects, attempt)
    .some((object) => !isAnswered(object) && isLike(object) && !lacksSent(object));
  ledger.isRewriting = !isOther && objects.some(isAnswered);
  return isOther;
}

/** Takes the object that an attempt has certainly created; undefined if it has created none, and may be sent again. */
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
    // A part of an object says too little of whose it is.
    const whole = newest.map((object) => (isLike(object) ? ledger.wholeOf(object) : object));
    recent = await Promise.all(whole).catch(() => {
      throw doubt(newest.filter(isLike));
    });
    candidates = recent.filter(isLike);
    rivals = [...ledger.open].filter(
      (attempted) => attempted !== attempt && candidates.some((object) => attempted.creation.isLike(object)),
    );
    // The answers to these tell which of the objects is theirs.
    underWay = rivals.filter(({ isUnderWay }) => isUnderWay);
    await Promise.allSettled(underWay.map(({ answer }) => answer));
  } while (underWay.length > 0);
  // Others may have taken some meanwhile, from the same list.
  recent = recent.filter(({ id }) => !ledger.isHeld(id));
  candidates = candidates.filter(({ id }) => !ledger.isHeld(id));

  // A service may change sent values, such as a name with blanks around it.
  const strangers = recent.filter((object) => !ledger.mayHaveMade(object));
  // It does not matter whose an object is where all create the same.
  const areAlike = rivals.every(({ creation }) => JSON.stringify(creation.body) === JSON.stringify(body));
  const isClear = isWhole && strangers.length === 0 && areAlike && candidates.length <= 1 + rivals.length;
  if (!isClear) throw doubt(candidates, strangers);
  const [candidate] = candidates;
  // The create may have been carried out, and a second one would make, and bill, another object. The next update looks first.
  if (!candidate && (isFoundByNext(collection) || mayComeYet(error, ledger))) throw doubt([]);
  if (candidate && (shownOnce || ledger.isLate || !isSurelyOf(candidate, attempt, ledger)))
    throw doubt(candidates);
  if (candidate) ledger.claim(candidate, attempt.creation);
  return candidate;
}

/**
 * Whether a recent object was surely not there before the attempt: a list from right before it lacked the object, or the
 * object tells so itself. Even a fresh list may lag, so its time may refute it.
 */
function isSurelyOf(object: Data, attempt: Attempt, ledger: Ledger): boolean {
  const { creation, isFresh, sentAt } = attempt;
  const age = sentAt - (creationTimeOf(object) ?? Number.NaN);
  const isOlder = age > tolerance && age < day;
  const isProven = isFresh || ledger.isDatedAfter(object, attempt);
  return isProven && isSafeId(object.id) && !isOlder && !creation.lacksSent(object);
}

/** Whether an object may exist, or come to be, that a list does not show. */
function mayComeYet(error: ApiError, { isTimely }: Ledger): boolean {
  if (mayHappenYet(error) || error instanceof StrangeId) return true;
  // The API may refuse a body that it accepted before: that very object has taken its name.
  const { status } = error.site;
  const isRefused = !mayHaveHappened(error) && status !== undefined;
  return isRefused || (!isTimely && !mayBeSentAgain(error));
}

/** Whether something in front of the API refuses every request alike, so that none has reached it. */
function isSameWall({ site }: ApiError, unlisted: unknown): boolean {
  return unlisted instanceof ForeignRefusal && site.status === unlisted.site.status;
}

/** Whether the value that a refusal calls taken belongs to an object older than all attempts, none of which then created one. */
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

/** The error of a create, which says how to take over the object that has the name already, if that is why it was refused. */
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
  // What a killed update has created shows all that was sent.
  const recovered = namesakes.some(isLike)
    ? "; if an update that was killed created it, run npx pipestack orphans --recover"
    : "";
  return new RefusedRequest(
    error.site,
    `${error.reason}; ${advice}${ids ? `: ${ids}` : ""}${recovered}; ${renamed}`,
  );
}

/** The objects that a list shows: none if it cannot be read. */
async function listedIn(ledger: Ledger): Promise<readonly Data[]> {
  const { objects } = await ledger.list().catch(() => ({ objects: [] }));
  return objects;
}
