import { setTimeout as pause } from "node:timers/promises";
import {
  type ApiError,
  MalformedResponse,
  mayHappenYet,
  mayHaveHappened,
  PossiblyCreated,
} from "../api/errors";
import type { Data } from "./data";
import { type Collection, deleteObject } from "./objects";
import type { Context } from "./resource";

/** An object that is to be created. */
export interface Creation {
  readonly collection: Collection;
  readonly body: Data;
  /** What it is called in a message: `an alert named "Slow queries" on service 7b0f…`. */
  readonly description: string;
  /** Whether an object of the collection may be what the request creates. */
  isLike(object: Data): boolean;
  /** The object in the answer. Default: the answer is the object. */
  objectIn?(answer: Data): Data;
  /** What is shown only in the answer and makes the object useless where it is missing. */
  readonly shownOnce?: string;
}

/** A created object, as the answer to its creation shows it or, if that was lost, a list. */
export interface Created {
  readonly id: string;
  readonly object: Data;
}

/** A request whose connection broke may be under way for a while; doubled with each repetition, up to the longest. */
const settlingMilliseconds = 500;
const longestSettlingMilliseconds = 8000;

/**
 * Creates an object exactly once. If a failure leaves open whether the object was created, looks for it: takes it if it
 * is certainly ours, and repeats the request only if nothing was created. An object that is useless without the lost
 * answer is deleted and created again.
 *
 * Certainly ours is an object that was not listed before, has the content that was sent, and is the only one of its
 * kind, as long as nothing shows that somebody else creates objects in the collection at the same time.
 *
 * @throws PossiblyCreated where that cannot be told; the message says what to look for
 */
export async function createExactlyOnce(creation: Creation, context: Context): Promise<Created> {
  const { collection, body, shownOnce } = creation;
  const { session, scope } = context;
  const { operations } = collection;
  const ledger = ledgerOf(collection, context);
  await ledger.before;
  let isInDoubt = false;
  for (let repetition = 0; ; repetition++) {
    const attempt = new Attempt(creation, session.call(operations.create, scope, body) as Promise<Data>);
    ledger.open.add(attempt);
    try {
      const answer = await attempt.answer;
      const object = creation.objectIn?.(answer) ?? answer;
      const problem =
        shownOnce && !answer[shownOnce] ? `has no ${shownOnce}` : await ledger.problemOf(object);
      if (problem) throw new MalformedResponse(session.siteOf(operations.create), `the answer ${problem}`);
      const id = ledger.claim(object);
      if (isInDoubt) await warnOfDouble(attempt, ledger, id, context);
      return { id, object };
    } catch (error) {
      if (!mayHaveHappened(error)) throw error;
      attempt.isUnderWay = false;
      await pause(Math.min(settlingMilliseconds * 2 ** repetition, longestSettlingMilliseconds));
      const found = await search(attempt, ledger, error, context);
      if (found && !shownOnce) {
        session.inform(
          `${collection.noun} ${found.id} was created although the answer was lost; it is now in the state`,
        );
        return { id: found.id as string, object: found };
      }
      if (found) await revoke(creation, found, error, context);
      else isInDoubt = true;
      if (repetition >= session.settings.maxRetries) throw error;
    } finally {
      ledger.open.delete(attempt);
    }
  }
}

/** The object that an attempt created; undefined if it certainly created none. */
async function search(
  attempt: Attempt,
  ledger: Ledger,
  error: ApiError,
  { session, scope }: Context,
): Promise<Data | undefined> {
  const { collection, description, shownOnce } = attempt.creation;
  const remedy = shownOnce
    ? `delete it, since its ${shownOnce} is lost`
    : "adopt it with adoptId or delete it";
  const unclear = (reason: string) => new PossiblyCreated(`${error.message}\nThe request may ${reason}`);
  const lookYourself = `look for ${description} that no program declares, then ${remedy}.`;

  const before = await ledger.before;
  if (!before) throw unclear(`have been carried out: ${lookYourself}`);
  let recent: readonly Data[];
  let candidates: readonly Data[];
  let rivals: readonly Attempt[];
  let underWay: readonly Attempt[];
  do {
    const objects = await session.call(collection.operations.list, scope).catch(() => {
      throw unclear(`have been carried out, and the list cannot be read: ${lookYourself}`);
    });
    recent = await ledger.recentIn(objects);
    candidates = recent.filter((object) => attempt.creation.isLike(object));
    rivals = ledger.rivalsOf(attempt, candidates);
    // The answers to these tell which of the objects is theirs.
    underWay = rivals.filter(({ isUnderWay }) => isUnderWay);
    await Promise.allSettled(underWay.map(({ answer }) => answer));
  } while (underWay.length > 0);

  const areOurs = recent.every((object) => [...ledger.open].some(({ creation }) => creation.isLike(object)));
  const areAlike = rivals.every((rival) => rival.isTwinOf(attempt));
  if (!areOurs || !areAlike || candidates.length > 1 + rivals.length) {
    const others = "have been carried out, but somebody else is creating the same kind of object";
    if (candidates.length === 0) throw unclear(`${others}: ${lookYourself}`);
    throw unclear(`${others}. If one of these is yours, ${remedy}: ${listed(candidates)}`);
  }
  if (candidates.length === 0 && mayHappenYet(error)) {
    throw unclear(`still be carried out: before you run the update again, ${lookYourself}`);
  }
  const [found] = candidates;
  if (found) ledger.claim(found);
  return found;
}

/** Ids for a message: the first five, and how many more. */
function listed(objects: readonly Data[]): string {
  const ids = objects.slice(0, 5).map(({ id }) => id);
  const left = objects.length - ids.length;
  return `${ids.join(", ")}${left > 0 ? ` and ${left} more` : ""}`;
}

/** A request that broke off may be carried out after all while it is repeated. */
async function warnOfDouble(
  attempt: Attempt,
  ledger: Ledger,
  id: string,
  { session, scope }: Context,
): Promise<void> {
  const { collection, isLike } = attempt.creation;
  const objects = await session.call(collection.operations.list, scope).catch(() => []);
  const doubles = (await ledger.recentIn(objects)).filter(isLike);
  if (doubles.length === 0 || ledger.rivalsOf(attempt, doubles).length > 0) return;
  session.warnOnce(
    `${collection.noun} ${id} may have been created twice, because its first request failed. Unless it belongs to somebody else, delete ${listed(doubles)}`,
  );
}

/** Deletes an object that is useless without the answer that was lost. */
async function revoke({ collection }: Creation, found: Data, error: ApiError, context: Context) {
  const id = String(found.id);
  await deleteObject(collection, id, context).catch((failure: Error) => {
    throw new PossiblyCreated(
      `${error.message}\nThe ${collection.noun} ${id} that it created is unusable and could not be deleted: ${failure.message}`,
    );
  });
  context.session.inform(`${collection.noun} ${id} was deleted, because its secret was lost with the answer`);
}

/** One request that creates an object. */
class Attempt {
  isUnderWay = true;

  constructor(
    readonly creation: Creation,
    readonly answer: Promise<Data>,
  ) {}

  /** Whether both create the same, so that it does not matter whose an object is. */
  isTwinOf(other: Attempt): boolean {
    return JSON.stringify(this.creation.body) === JSON.stringify(other.creation.body);
  }
}

/** What one process knows of a collection while it creates objects in it. */
class Ledger {
  /** Ids of the objects from before the first creation; undefined where they cannot be listed. */
  readonly before: Promise<ReadonlySet<unknown> | undefined>;
  /** Ids of what this process has created. */
  readonly own = new Set<unknown>();
  /** Attempts whose result is not known yet. */
  readonly open = new Set<Attempt>();

  constructor({ operations: { list } }: Collection, { session, scope }: Context) {
    this.before = session.allows(list)
      ? session.list(list, scope).then(
          (objects) => new Set(objects.map(({ id }) => id)),
          () => undefined,
        )
      : Promise.resolve(undefined);
  }

  /** Why an object in an answer cannot be the one that was just created. */
  async problemOf({ id }: Data): Promise<string | undefined> {
    const isKnown = this.own.has(id) || (await this.before)?.has(id);
    return isKnown ? `is about ${id}, which already existed` : undefined;
  }

  claim({ id }: Data): string {
    this.own.add(id);
    return id as string;
  }

  /** Those of the objects that are new since then and not known to be of this process. */
  async recentIn(objects: readonly Data[]): Promise<Data[]> {
    const before = await this.before;
    return objects.filter(({ id }) => !before?.has(id) && !this.own.has(id));
  }

  /** The other attempts of this process that may have created one of the objects. */
  rivalsOf(attempt: Attempt, objects: readonly Data[]): Attempt[] {
    return [...this.open].filter(
      (other) => other !== attempt && objects.some((object) => other.creation.isLike(object)),
    );
  }
}

/** All creations of a session in one collection know of each other. */
function ledgerOf(collection: Collection, context: Context): Ledger {
  const key = JSON.stringify(["creations", collection.operations.list, context.scope]);
  return context.session.shared(key, () => new Ledger(collection, context));
}
