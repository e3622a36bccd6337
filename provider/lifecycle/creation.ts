import { setTimeout as pause } from "node:timers/promises";
import { type ApiError, MalformedResponse, mayHaveHappened, PossiblyCreated, TimedOut } from "../api/errors";
import type { PathParameters } from "../api/operations";
import type { Data } from "./data";
import { type Collection, remove } from "./objects";
import type { Session } from "./session";

/** An object that is to be created. */
export interface Creation {
  readonly collection: Collection;
  readonly parameters: PathParameters;
  readonly body: Data;
  /** What it is called in a message: `an alert named "Slow queries" on service 7b0f…`. */
  readonly description: string;
  /** Whether an object of the collection has the content that is sent. */
  isSame(object: Data): boolean;
  /** The object in the answer. Default: the answer is the object. */
  objectIn?(answer: Data): Data;
  /** What is shown only in the answer and makes the object useless where it is missing. */
  readonly shownOnce?: string;
}

/** A created object with the answer to its creation, or found again after that was lost. */
export interface Created {
  readonly id: string;
  readonly object: Data;
  /** Empty if it was lost. */
  readonly answer: Data;
}

/** A request whose connection broke may be under way for a while; doubled with each repetition. */
const settlingMilliseconds = 500;

/**
 * Creates an object once. After a failure that leaves open whether it was created, it is looked for: it is taken for
 * the result if it surely is, and the request is repeated only where nothing was created. What is useless without the
 * lost answer is deleted and created anew.
 *
 * Surely the result is an object that a list from before lacks, that has the content that was sent, and is the only one
 * of that kind, as long as nothing shows that others create objects in the collection at the same time.
 *
 * @throws PossiblyCreated where that cannot be told; the message says what to look for
 */
export async function createOnce(session: Session, creation: Creation): Promise<Created> {
  const { collection, parameters, body, shownOnce } = creation;
  const ledger = ledgerOf(session, collection, parameters);
  await ledger.before;
  for (let repetition = 0; ; repetition++) {
    const attempt = new Attempt(creation, session.call(collection.create, parameters, body));
    ledger.open.add(attempt);
    try {
      const answer = await attempt.answer;
      const object = creation.objectIn?.(answer) ?? answer;
      const problem =
        shownOnce && !answer[shownOnce] ? `has no ${shownOnce}` : await ledger.problemOf(object);
      if (problem) throw new MalformedResponse(session.siteOf(collection.create), `the answer ${problem}`);
      return { id: ledger.claim(object), object, answer };
    } catch (error) {
      if (!mayHaveHappened(error)) throw error;
      attempt.isUnderWay = false;
      await pause(settlingMilliseconds * 2 ** repetition);
      const found = await search(session, attempt, ledger, error);
      if (found && !shownOnce) {
        session.inform(
          `${collection.noun} ${found.id} was found again after the answer to its creation was lost`,
        );
        return { id: ledger.claim(found), object: found, answer: {} };
      }
      if (found) await revoke(session, creation, found, error);
      if (repetition >= session.settings.maxRetries) throw error;
    } finally {
      ledger.open.delete(attempt);
    }
  }
}

/** What an attempt has created, or undefined if surely nothing. */
async function search(
  session: Session,
  attempt: Attempt,
  ledger: Ledger,
  error: ApiError,
): Promise<Data | undefined> {
  const { collection, parameters, description, shownOnce } = attempt.creation;
  const remedy = shownOnce
    ? `delete it; its ${shownOnce} is lost.`
    : "take it over with adoptId, or delete it.";
  const unclear = (reason: string) => new PossiblyCreated(`${error.message}\nThe request may ${reason}`);
  const lookYourself = `look for ${description} that no program declares; ${remedy}`;

  const before = await ledger.before;
  if (!before) throw unclear(`have been carried out: ${lookYourself}`);
  let objects: readonly Data[];
  do {
    // Where a program declares the same object twice, the answer to the other request tells the two apart.
    await Promise.allSettled(ledger.twinsOf(attempt).map(({ answer }) => answer));
    objects = await session.call(collection.list, parameters).catch(() => {
      throw unclear(`have been carried out, and no list of all can be had: ${lookYourself}`);
    });
  } while (ledger.twinsOf(attempt).some(({ isUnderWay }) => isUnderWay));

  const recent = objects.filter((object) => !before.has(object.id) && !ledger.own.has(object.id));
  const candidates = recent.filter((object) => attempt.creation.isSame(object));
  const areOurs = recent.every((object) => [...ledger.open].some(({ creation }) => creation.isSame(object)));
  if (!areOurs || candidates.length > 1 + ledger.twinsOf(attempt).length) {
    const ids = (candidates.length > 0 ? candidates : recent).map(({ id }) => id).join(", ");
    throw unclear(
      `have been carried out, but others create such objects at the same time. If the ${collection.noun} ${ids} is not theirs, ${remedy}`,
    );
  }
  if (candidates.length === 0 && (error instanceof TimedOut || error.site.status === 504)) {
    throw unclear(
      `still be carried out, though nothing has come of it yet: before you run the update again, ${lookYourself}`,
    );
  }
  return candidates[0];
}

/** Deletes an object that is useless without the answer that was lost. */
async function revoke(session: Session, { collection, parameters }: Creation, found: Data, error: ApiError) {
  const id = String(found.id);
  await remove(session, collection, parameters, id).catch((failure: Error) => {
    throw new PossiblyCreated(
      `${error.message}\nThe ${collection.noun} ${id} that it created is useless and could not be deleted again: ${failure.message}`,
    );
  });
  session.inform(`${collection.noun} ${id} was deleted again, as the answer to its creation was lost`);
}

/** One request that creates an object. */
class Attempt {
  isUnderWay = true;

  constructor(
    readonly creation: Creation,
    readonly answer: Promise<Data>,
  ) {}
}

/** What one process knows of a collection while it creates objects in it. */
class Ledger {
  /** Ids of the objects from before the first creation; undefined where they cannot be listed. */
  readonly before: Promise<ReadonlySet<unknown> | undefined>;
  /** Ids of what this process has created. */
  readonly own = new Set<unknown>();
  /** Attempts whose result is not known yet. */
  readonly open = new Set<Attempt>();

  constructor(session: Session, { list }: Collection, parameters: PathParameters) {
    this.before = session.allows(list)
      ? session.list(list, parameters).then(
          (objects) => new Set(objects.map(({ id }) => id)),
          () => undefined,
        )
      : Promise.resolve(undefined);
  }

  /** Why an object in an answer cannot be the one that was just created. */
  async problemOf({ id }: Data): Promise<string | undefined> {
    const isKnown = this.own.has(id) || (await this.before)?.has(id);
    return isKnown ? `is about ${id}, which was there before` : undefined;
  }

  claim({ id }: Data): string {
    this.own.add(id);
    return id as string;
  }

  /** The other attempts to create the same. */
  twinsOf(attempt: Attempt): Attempt[] {
    const body = JSON.stringify(attempt.creation.body);
    return [...this.open].filter(
      (other) => other !== attempt && JSON.stringify(other.creation.body) === body,
    );
  }
}

const ledgers = new WeakMap<Session, Map<string, Ledger>>();

function ledgerOf(session: Session, collection: Collection, parameters: PathParameters): Ledger {
  const ofSession = ledgers.get(session) ?? new Map<string, Ledger>();
  ledgers.set(session, ofSession);
  const key = JSON.stringify([collection.list, parameters]);
  const ledger = ofSession.get(key) ?? new Ledger(session, collection, parameters);
  ofSession.set(key, ledger);
  return ledger;
}
