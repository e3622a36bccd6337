import { type Data, momentIn } from "./data";
import type { Collection, Context } from "./resource";
import type { Session } from "./session";

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

/** For so many milliseconds a request whose connection broke may be under way before a look can tell what came of it. */
export const settlingMilliseconds = 500;

/** A list that is older than this, in milliseconds, shows too little of what was there right before a request. */
const longestFreshness = 1000;

/** The shortest time between two looks for what came of doubtful attempts, in milliseconds. */
const shortestBetweenLooks = 5000;

/** What has not come of a request in so many milliseconds never will. */
const longestDoubt = 120_000;

/** For so many milliseconds a list may lack what was created before. */
const longestLag = 60_000;

/** By how much the time in an object may be wrong: ids and some servers show whole seconds. */
const tolerance = 2000;

/** As long as the clock of the service is not known, that of this machine may be wrong by so many milliseconds. */
const day = 24 * 60 * 60_000;

/** One request that creates an object. */
export class Attempt {
  isUnderWay = true;
  /** Id of the object that a repetition created. */
  outcome: string | undefined;
  /** When it began, by the clock of this machine. */
  begunAt = 0;
  /** How many lists of the collection had been read before. */
  lists = 0;
  /** Whether the last of them was read right before. */
  isFresh = false;
  readonly answer: Promise<Data>;

  /**
   * @param send sends the request, and says when: it may have to wait
   * @param begin notes what was there before
   */
  constructor(
    readonly creation: Creation,
    send: (onSend: () => void) => Promise<Data>,
    begin: (attempt: Attempt) => void,
  ) {
    begin(this);
    this.answer = send(() => begin(this));
  }

  /** Whether both create the same, so that it does not matter whose an object is. */
  isTwinOf(other: Attempt): boolean {
    return JSON.stringify(this.creation.body) === JSON.stringify(other.creation.body);
  }
}

/** What one process knows of a collection while it creates objects in it. */
export class Ledger {
  /** Attempts whose result is not known yet. */
  readonly open = new Set<Attempt>();
  /** Failed attempts that may be carried out yet, although nothing has been found of them. */
  readonly doubts = new Set<Attempt>();
  /** Ids of the objects that a message has named as what a failed attempt may have created: one attempt made each. */
  readonly named = new Set<unknown>();
  /** Ids, in small letters, of the objects that lists have shown to be what a failed attempt created. */
  readonly taken = new Set<string>();
  /** Why the collection could not be listed before the first creation; undefined if it was. */
  readonly unlisted: Promise<Error | undefined>;
  /** When this process created what, by id. */
  readonly #own = new Map<unknown, number>();
  /** Which list, counted from 1, showed an object first. */
  readonly #firstShown = new Map<unknown, number>();
  #lists = 0;
  #isLagging = false;
  #listedAt = Number.NEGATIVE_INFINITY;
  /** By how many milliseconds the service's clock is ahead of that of this machine, at least and at most. */
  #clockAhead: { readonly least: number; readonly most: number } | undefined;
  /** The same by the latest object of this process alone. */
  #latestAhead = Number.NaN;
  /** When to look next for what came of doubtful attempts. */
  #nextLook = 0;

  constructor(
    private readonly collection: Collection,
    private readonly context: Context,
  ) {
    this.unlisted = this.list().then(
      () => undefined,
      (error: Error) => error,
    );
  }

  /** The objects of the collection as they are now. All who ask at the same time share one request. */
  async list(): Promise<readonly Data[]> {
    const { session, scope } = this.context;
    const own = [...this.#own.keys()];
    const objects: readonly Data[] = await session.freshList(this.collection.operations.list, scope);
    this.#lists++;
    this.#listedAt = performance.now();
    const shown = new Set(objects.map(({ id }) => id));
    this.#isLagging ||= own.some((id) => !shown.has(id));
    for (const { id } of objects) if (!this.#firstShown.has(id)) this.#firstShown.set(id, this.#lists);
    return objects;
  }

  /** Whether a list lacked what this process had created before: lists may lack what a failed request created, too. */
  get isLagging(): boolean {
    return this.#isLagging;
  }

  /** Begins an attempt, and once more when its request is sent: what is created while it waits is another's. */
  begin(creation: Creation, send: (onSend: () => void) => Promise<Data>): Attempt {
    const attempt = new Attempt(creation, send, (begun) => {
      begun.begunAt = Date.now();
      begun.lists = this.#lists;
      begun.isFresh = performance.now() - this.#listedAt <= longestFreshness;
    });
    this.open.add(attempt);
    return attempt;
  }

  /** Whether it is time to look for what came of doubtful attempts: at once for a new one, then now and again. */
  isLookDue(): boolean {
    if (this.doubts.size === 0 || performance.now() < this.#nextLook) return false;
    this.#nextLook = performance.now() + shortestBetweenLooks;
    return true;
  }

  /** Whether nothing more can come of an attempt. */
  isSettled({ begunAt }: Attempt): boolean {
    return Date.now() - begunAt > longestDoubt;
  }

  /** Takes an attempt for one that may be carried out yet. */
  doubt(attempt: Attempt): void {
    this.doubts.add(attempt);
    this.#nextLook = 0;
  }

  /** Why an object in the answer to an attempt cannot be the one that was just created. */
  problemOf(object: Data, attempt: Attempt): string | undefined {
    const { id } = object;
    const existed =
      this.#own.has(id) || this.#wasShownBefore(id, attempt) || this.#isAnother(object, attempt);
    return existed ? `is about ${id}, which already existed` : undefined;
  }

  /**
   * Whether an object is older than an attempt, although no list showed it: the list may have failed, or lagged. Time alone
   * is not enough: clocks may be wrong. Nor is content: the service may have made its own of what was sent.
   */
  #isAnother(object: Data, attempt: Attempt): boolean {
    if (attempt.creation.isLike(object)) return false;
    const { createdAt } = object;
    const isOld = typeof createdAt === "string" && momentIn(createdAt) < attempt.begunAt - day;
    return isOld || this.isOlder(object, attempt);
  }

  #wasShownBefore(id: unknown, { lists }: Attempt): boolean {
    return (this.#firstShown.get(id) ?? Number.POSITIVE_INFINITY) <= lists;
  }

  /** Takes an object as one of this process. */
  claim({ id }: Data): string {
    this.#own.set(id, performance.now());
    return id as string;
  }

  /** Whether this process has created an object so recently that a list may not show it yet. */
  hasJustCreated(id: string): boolean {
    return performance.now() - (this.#own.get(id) ?? Number.NEGATIVE_INFINITY) < longestLag;
  }

  /** Learns the service's clock from an object that was created just now: between the attempt's request and its answer. */
  learnClock(object: Data, { begunAt }: Attempt): void {
    const time = creationTimeOf(object);
    if (time === undefined) return;
    const least = time - Date.now();
    // An id may look like an ObjectId and hold no time: then no two of them tell the same clock.
    const isCertain =
      typeof object.createdAt === "string" || Math.abs(least - this.#latestAhead) <= tolerance;
    this.#clockAhead = isCertain ? { least, most: time - begunAt } : undefined;
    this.#latestAhead = least;
  }

  /** Those of the listed objects that no list showed before the attempt, and that are not known to be of another one. */
  recentIn(objects: readonly Data[], attempt: Attempt): Data[] {
    const isKnown = (id: unknown) => this.#own.has(id) || this.named.has(id);
    return objects.filter(({ id }) => !isKnown(id) && !this.#wasShownBefore(id, attempt));
  }

  /** Whether an object, or its id, says that it was created before the attempt. */
  isOlder(object: Data, { begunAt }: Attempt): boolean {
    const latest = this.#createdAt(object, "least");
    return latest !== undefined && latest < begunAt - tolerance;
  }

  /** Whether a recent object was surely not there before the attempt. */
  isSurelyOf(object: Data, attempt: Attempt): boolean {
    if (this.isOlder(object, attempt)) return false;
    const earliest = this.#createdAt(object, "most");
    return attempt.isFresh || (earliest !== undefined && earliest >= attempt.begunAt - tolerance);
  }

  /** By the clock of this machine, if the service's is ahead by the least or the most that it may be. */
  #createdAt(object: Data, ahead: "least" | "most"): number | undefined {
    const time = creationTimeOf(object);
    return time === undefined || this.#clockAhead === undefined ? undefined : time - this.#clockAhead[ahead];
  }

  /** The other attempts of this process that may have created one of the objects. */
  rivalsOf(attempt: Attempt, objects: readonly Data[]): Attempt[] {
    return [...this.open].filter(
      (other) => other !== attempt && objects.some((object) => other.creation.isLike(object)),
    );
  }
}

/** By the service's clock: what the object says, else what its id holds, if that is an ObjectId (its first 4 bytes are seconds). */
export function creationTimeOf({ createdAt, id }: Data): number | undefined {
  if (typeof createdAt === "string") {
    const time = momentIn(createdAt);
    return Number.isNaN(time) ? undefined : time;
  }
  return /^[0-9a-f]{24}$/i.test(String(id)) ? Number.parseInt(String(id).slice(0, 8), 16) * 1000 : undefined;
}

/** All creations of a session in one collection know of each other. */
export function ledgerOf(collection: Collection, context: Context): Ledger {
  const key = JSON.stringify(["creations", collection.operations.list, context.scope]);
  return context.session.shared(key, () => {
    const ledger = new Ledger(collection, context);
    ledgersOf(context.session).add(ledger);
    return ledger;
  });
}

/** The ledgers of a session. */
export function ledgersOf(session: Session): Set<Ledger> {
  return session.shared("ledgers", () => new Set<Ledger>());
}

/** Whether this session has created an object so recently that a list may not show it yet. */
export function hasJustCreated(session: Session, id: string): boolean {
  return [...ledgersOf(session)].some((ledger) => ledger.hasJustCreated(id));
}

/** Whether this session has taken an object for what a failed attempt of its own created. */
export function hasTaken(session: Session, id: string): boolean {
  return [...ledgersOf(session)].some(({ taken }) => taken.has(id.toLowerCase()));
}
