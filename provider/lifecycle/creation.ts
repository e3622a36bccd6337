import {
  ApiError,
  ForeignRefusal,
  IncompleteList,
  MalformedResponse,
  mayBeSentAgain,
  mayHappenYet,
  mayHaveHappened,
  PossiblyCreated,
} from "../api/errors";
import type { Data } from "./data";
import { type Attempt, type Creation, type Ledger, ledgerOf, settlingMilliseconds } from "./ledger";
import { listedIds } from "./nouns";
import type { Context } from "./resource";
import { namingTaken } from "./takenName";

/** A created object, as the answer to its creation shows it or, if that was lost, a list. */
export interface Created {
  readonly id: string;
  readonly object: Data;
}

/** The wait before a look, which doubles with each repetition, grows up to this. */
const longestSettlingMilliseconds = 8000;

/** How often a list is read again whose length alone looks like that of a page. */
const mostSecondLooks = 3;

/**
 * Creates an object exactly once. If a failure leaves open whether the object was created, looks for it: takes it if it
 * is certainly ours, and repeats the request only if nothing was created and the failure may pass. An object that is
 * useless without the lost answer is named: no list can prove that it is not somebody else's, so it is never deleted.
 *
 * Certainly ours is an object that was not there before this attempt, has the content that was sent, and is the only one
 * of its kind, as long as nothing shows that somebody else creates objects in the collection at the same time.
 *
 * "Before" is one attempt. The look after a failure is the list right before the next attempt, so only the first attempt
 * could need one more, and a list for each creation would double the requests of an update in which nothing fails. One
 * list serves the first attempts of a collection instead. It counts as right before those that begin within a second;
 * for a later one, an object must also say by `createdAt` that it is not older. The clock of the service is known by then
 * from the objects that this process has created. What does not say when it was created is in doubt, and named.
 *
 * @throws PossiblyCreated where that cannot be told; the message says what to look for
 */
export async function createExactlyOnce(creation: Creation, context: Context): Promise<Created> {
  const ledger = ledgerOf(creation.collection, context);
  await context.session.until(creation.collection.operations.list, ledger.unlisted);
  return create(creation, ledger, context);
}

async function create(creation: Creation, ledger: Ledger, context: Context): Promise<Created> {
  const { collection, body, shownOnce } = creation;
  const { session, scope } = context;
  const { operations } = collection;
  const doubtful: Attempt[] = [];
  for (let repetition = 0; ; repetition++) {
    const send = (onSend: () => void) =>
      session.call(operations.create, scope, body, onSend) as Promise<Data>;
    const attempt = ledger.begin(creation, send);
    try {
      const answer = await attempt.answer;
      const object = creation.objectIn?.(answer) ?? answer;
      const problem =
        shownOnce && !answer[shownOnce] ? `has no ${shownOnce}` : ledger.problemOf(object, attempt);
      if (problem) throw new MalformedResponse(session.siteOf(operations.create), `the answer ${problem}`);
      ledger.learnClock(object, attempt);
      const id = ledger.claim(object);
      for (const failed of doubtful) failed.outcome = id;
      return { id, object };
    } catch (error) {
      // A refusal may be of what an earlier request has created by now, such as a name that is taken.
      const isOpen = mayHaveHappened(error) || (doubtful.length > 0 && error instanceof ApiError);
      if (!isOpen) throw await namingTaken(error, creation, () => ledger.list());
      attempt.isUnderWay = false;
      const settling = Math.min(settlingMilliseconds * 2 ** repetition, longestSettlingMilliseconds);
      await session.interruption.pause(settling);
      const found = await search(attempt, ledger, error, context);
      if (found) {
        session.inform(
          `${collection.noun} ${found.id} was created although the answer was lost; it is now in the state`,
        );
        return { id: found.id as string, object: found };
      }
      if (!mayBeSentAgain(error)) throw error;
      doubtful.push(attempt);
      ledger.doubt(attempt);
      if (repetition >= session.settings.maxRetries) throw error;
    } finally {
      ledger.open.delete(attempt);
    }
  }
}

/** The object that an attempt created; undefined if it has created none so far. */
async function search(
  attempt: Attempt,
  ledger: Ledger,
  error: ApiError,
  context: Context,
): Promise<Data | undefined> {
  const { description, shownOnce, collection } = attempt.creation;
  const remedy = shownOnce
    ? `delete it, since its ${shownOnce} is lost`
    : "adopt it with adoptId or delete it";
  const unclear = (reason: string) => new PossiblyCreated(`${error.message}\nThe request may ${reason}`);
  const lookYourself = `look for ${description} that no program declares, then ${remedy}.`;

  const unlisted = await ledger.unlisted;
  if (unlisted) {
    if (isSameWall(error, unlisted)) throw error;
    throw unclear(`have been carried out: ${lookYourself}`);
  }
  let recent: readonly Data[];
  let candidates: readonly Data[];
  let rivals: readonly Attempt[];
  let underWay: readonly Attempt[];
  do {
    const objects = await listedNow(ledger, context).catch((failure) => {
      const problem = failure instanceof IncompleteList ? "may lack it" : "cannot be read";
      throw unclear(`have been carried out, and the list ${problem}: ${lookYourself}`);
    });
    recent = ledger.recentIn(objects, attempt);
    candidates = recent.filter((object) => attempt.creation.isLike(object));
    rivals = ledger.rivalsOf(attempt, candidates);
    // The answers to these tell which of the objects is theirs.
    underWay = rivals.filter(({ isUnderWay }) => isUnderWay);
    await Promise.allSettled(underWay.map(({ answer }) => answer));
  } while (underWay.length > 0);

  const areOurs = recent.every(
    (object) =>
      [...ledger.open].some(({ creation }) => creation.isLike(object)) || ledger.isOlder(object, attempt),
  );
  const areAlike = rivals.every((rival) => rival.isTwinOf(attempt));
  const others = "have been carried out, but somebody else is creating the same kind of object";
  if (!areOurs || !areAlike || candidates.length > 1 + rivals.length) {
    if (candidates.length === 0) throw unclear(`${others}: ${lookYourself}`);
    throw unclear(`${others}. If one of these is yours, ${remedy}: ${listedIds(candidates)}`);
  }
  if (candidates.length === 0 && mayHappenYet(error)) {
    throw unclear(`still be carried out: before you run the update again, ${lookYourself}`);
  }
  const [found] = candidates;
  if (!found) {
    // What the API refuses now it took before, perhaps: a name that is taken is refused because of that very object.
    const { status } = error.site;
    if (!mayHaveHappened(error) && status !== undefined && status !== 429)
      throw unclear(`have been carried out when it was sent before: ${lookYourself}`);
    if (ledger.isLagging && !mayBeSentAgain(error))
      throw unclear(`have been carried out, and lists show late what this run has created: ${lookYourself}`);
    return undefined;
  }
  if (shownOnce) {
    const lost = `have created ${collection.noun} ${found.id}, whose ${shownOnce} is lost`;
    throw unclear(`${lost}: unless it belongs to somebody else, delete it`);
  }
  if (!ledger.isSurelyOf(found, attempt)) {
    const doubt = "have been carried out, or somebody else has created the same";
    throw unclear(`${doubt}. If it is yours, ${remedy}: ${listedIds(candidates)}`);
  }
  ledger.taken.add(ledger.claim(found).toLowerCase());
  return found;
}

/** A list that may be cut by its length alone is read again while others are created: they change its length. */
async function listedNow(ledger: Ledger, { session }: Context): Promise<readonly Data[]> {
  for (let looks = 0; ; looks++) {
    try {
      return await ledger.list();
    } catch (error) {
      const isGuess = error instanceof IncompleteList && error.isGuess;
      if (!isGuess || ledger.open.size < 2 || looks === mostSecondLooks) throw error;
      await session.interruption.pause(settlingMilliseconds);
    }
  }
}

/** Whether something in front of the API refuses every request alike, so that none has reached it. */
function isSameWall(error: ApiError, unlisted: Error): boolean {
  return (
    error instanceof ForeignRefusal &&
    unlisted instanceof ForeignRefusal &&
    error.site.status === unlisted.site.status
  );
}
