import { ApiError, MalformedResponse, mayBeSentAgain, mayHaveHappened, RefusedRequest } from "../api/errors";
import { creationTimeOf } from "../values/age";
import { isSameId, type PropertyMap } from "../values/data";
import { listedIds, quoted } from "../values/wording";
import { type Attempt, type CreateTracker, type Creation, createTrackerOf } from "./createTracker";
import type { CreatedObject } from "./definition";
import { isWhole } from "./observe";
import type { Context } from "./scope";
import {
  day,
  longestSettlingMilliseconds,
  orphansOf,
  StrangeId,
  search,
  settlingMilliseconds,
} from "./search";

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
  const tracker = createTrackerOf(collection, context);
  await tracker.prepare();
  let first: Attempt | undefined;
  for (let repetition = 0; ; repetition++) {
    const attempt = tracker.begin(creation);
    first ??= attempt;
    try {
      const object = await objectIn(await attempt.answer, attempt, tracker, context);
      tracker.noteAnswer(object, attempt);
      return { id: tracker.claim(object, creation), object };
    } catch (error) {
      // A refusal of a repeated create proves nothing: the first request may have created the object, which now has the name.
      const isOpen = mayHaveHappened(error) || (repetition > 0 && error instanceof ApiError);
      if (!isOpen) throw await namingTaken(error, creation, tracker);
      if (await wasTakenBefore(error, first, tracker)) {
        tracker.unresolved.delete(creation);
        throw await namingTaken(error, creation, tracker);
      }
      attempt.isUnderWay = false;
      tracker.hasFailed = true;
      tracker.unresolved.set(creation, first);
      const settling = Math.min(settlingMilliseconds * 2 ** repetition, longestSettlingMilliseconds);
      await session.interruption.pause(settling);
      const object = await search(attempt, tracker, error, context);
      if (object) {
        const id = String(object.id);
        session.inform(
          `${collection.noun} ${id} was created although the answer was lost; it is now in the state`,
        );
        return { id, object, taken: true };
      }
      if (!mayBeSentAgain(error)) throw error;
      session.warnOnce(
        `a failed request may have created ${description}, or may still do so; after the update, ${orphansOf(collection)} lists it`,
      );
      if (repetition >= session.settings.maxRetries) throw error;
    } finally {
      tracker.open.delete(attempt);
    }
  }
}

/** @throws MalformedResponse if the answer to the create request is about another object */
async function objectIn(
  object: PropertyMap,
  attempt: Attempt,
  tracker: CreateTracker,
  { session }: Context,
): Promise<PropertyMap> {
  const { collection, shownOnce } = attempt.creation;
  const site = session.siteOf(collection.operations.create);
  const { id } = object;
  if (!tracker.mayGive(id))
    throw new StrangeId(site, `the answer has the id ${quoted(id)}, which is no id of this service`);
  if (shownOnce && !object[shownOnce]) throw new MalformedResponse(site, `the answer has no ${shownOnce}`);
  if (existed(object, attempt, tracker))
    throw new MalformedResponse(site, `the answer is about ${id}, which already existed`);
  if (await isOfAnother(object, attempt, tracker))
    throw new MalformedResponse(site, `the answer is about ${id}, which another request created`);
  return object;
}

/**
 * Whether the answer to a create request is about an object that existed before, as a broken proxy or cache may answer. This is
 * certain if a resource has the object, or a list showed it before the request. Otherwise two signs are needed, since clocks
 * may be wrong and the API may rewrite sent values: the object differs from the request, and is old by its own creation time.
 * If no list was read before the request, the first sign is enough, unless the object is new by its creation time.
 */
function existed(object: PropertyMap, attempt: Attempt, tracker: CreateTracker): boolean {
  const { creation, isListed, sentAt } = attempt;
  if (tracker.isHeld(object.id) || tracker.wasShownBefore(object.id, attempt)) return true;
  if (Object.keys(object).length === 1 || creation.isLike(object)) return false;
  if (isListed) return (creationTimeOf({ createdAt: object.createdAt }) ?? sentAt) < sentAt - day;
  return !(Math.abs((creationTimeOf(object) ?? Number.NaN) - sentAt) < day);
}

/**
 * Whether the answer to a create request, whose content differs from what was sent, is about the object of another create.
 * There are two signs: another create of this process sent that content, and got the same answer or none; or a list shows a
 * second new object with exactly the content of this request.
 */
async function isOfAnother(
  answered: PropertyMap,
  attempt: Attempt,
  tracker: CreateTracker,
): Promise<boolean> {
  const { collection, isLike, lacksSent } = attempt.creation;
  const isAnswered = ({ id }: PropertyMap) => isSameId(id, answered.id);
  if (!isWhole(answered, collection.completenessField) || isLike(answered)) return false;
  const rivals = [...tracker.open].filter(({ creation }) => creation.isLike(answered));
  const answers = await Promise.allSettled(rivals.map(({ answer }) => answer));
  const isRival = (outcome: (typeof answers)[number]) =>
    outcome.status === "rejected" ? mayHaveHappened(outcome.reason) : isAnswered(outcome.value);
  const inDoubt = [...tracker.unresolved.keys()].some((creation) => creation.isLike(answered));
  if (inDoubt || answers.some(isRival)) return true;
  // Once a list has shown that this API rewrites sent values, a created object with other content than was sent is accepted
  // without a list request.
  if (tracker.isRewriting) return false;
  const objects = await listedIn(tracker);
  const isOther = tracker
    .recentIn(objects, attempt)
    .some((object) => !isAnswered(object) && isLike(object) && !lacksSent(object));
  tracker.isRewriting = !isOther && objects.some(isAnswered);
  return isOther;
}

/**
 * Whether the API refused a create because its name is taken, by an object that is older than all requests of this create: then
 * none of these requests has created an object.
 */
async function wasTakenBefore(error: unknown, first: Attempt, tracker: CreateTracker): Promise<boolean> {
  if (!(error instanceof RefusedRequest) || !error.says(saysTaken)) return false;
  const { body } = first.creation;
  const names = Object.keys(body).filter((member) => error.says(new RegExp(`\\b${member}\\b`)));
  const objects = await listedIn(tracker);
  const hasAll = (object: PropertyMap) =>
    names.length > 0 && names.every((member) => object[member] === body[member]);
  return objects.some((object) => hasAll(object) && tracker.wasShownBefore(object.id, first));
}

const saysTaken = /\balready\s(exists?|in use|taken)\b|\bduplicate\b/i;

/** The error of a create that the API refused because the name is taken, with advice on taking over the existing object. */
async function namingTaken(
  error: unknown,
  { body, collection, isLike }: Creation,
  tracker: CreateTracker,
): Promise<unknown> {
  if (!(error instanceof RefusedRequest) || !error.says(saysTaken)) return error;
  const objects = await listedIn(tracker);
  const namesakes = objects.filter(({ name }) => name !== undefined && name === body.name);
  const ids = listedIds(namesakes);
  const advice = `to take over the ${collection.noun} that exists, declare its id as adoptId, or import it`;
  const renamed = "if the program has renamed the resource, give it its former name by the option aliases";
  // An existing object that has all the content of the refused create may come from an update that was killed, so the error
  // names the command that recovers it.
  const recovered = namesakes.some(isLike)
    ? "; if an update that was killed created it, run npx pipestack orphans --recover"
    : "";
  // The new object comes first where one replaces another: a webhook stays, for example, until its alerts have the new one.
  const other =
    body.name === undefined ? "" : "; to create a second one, or to replace it, choose another name";
  return new RefusedRequest(
    error.site,
    `${error.reason}; ${advice}${ids ? `: ${ids}` : ""}${recovered}; ${renamed}${other}`,
  );
}

async function listedIn(tracker: CreateTracker): Promise<readonly PropertyMap[]> {
  const { objects } = await tracker.list().catch(() => ({ objects: [] }));
  return objects;
}
