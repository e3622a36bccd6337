import { IncompleteList } from "../api/errors";
import { creationTimeOf } from "../values/age";
import { type Data, idText } from "../values/data";
import { isHeld, noteCreated } from "./holdings";
import { aboutObject, isWhole } from "./observe";
import type { Collection } from "./resource";
import type { Context } from "./scope";
import { perSession } from "./session";

/** An object that is to be created. */
export interface Creation {
  readonly collection: Collection;
  readonly body: Data;
  /** The object's description in a message: `an alert named "Slow queries" on service 7b0f…`. */
  readonly description: string;
  /** Whether an object of the collection has the content that the create sends, and so may come from this create. */
  isLike(object: Data): boolean;
  /**
   * Whether a listed object lacks a value that was sent. Either the list leaves the value out, or the object is
   * somebody else's.
   */
  lacksSent(object: Data): boolean;
  /**
   * The member that only the answer to a create shows, and without which the object is useless, such as a key's secret.
   */
  readonly shownOnce?: string;
}

/** One request that creates an object. */
export interface Attempt {
  readonly creation: Creation;
  readonly answer: Promise<Data>;
  isUnderWay: boolean;
  /** The time at which the request was sent, by the clock of this machine. */
  sentAt: number;
  /** How many lists of the collection had been read when the request was sent. */
  lists: number;
  /** Whether a complete list of the collection had been read when the request was sent. */
  isListed: boolean;
  /** Whether the latest complete list was read at most a second before the request was sent. */
  isFresh: boolean;
}

/** The objects of a collection, as one list request shows them. */
interface Listing {
  readonly objects: readonly Data[];
  /** Whether the list is certainly complete. */
  readonly isWhole: boolean;
}

/**
 * Longest time, in milliseconds, between a list and a create request for the list to tell which objects existed before
 * the request.
 */
const longestFreshness = 1000;

/**
 * How many of the latest objects of this process have to agree on the difference between the service's clock and this
 * machine's.
 */
const fewestDated = 5;

/**
 * Milliseconds by which these differences may differ from each other: some servers show whole seconds, and some
 * requests take longer.
 */
const longestDisagreement = 2000;

/**
 * Matches ids that proxies leave intact in a path, and that are not the text of a missing value, such as `undefined`.
 */
const safeId = /^(?!(\.+|undefined|null|nil|none|nan|true|false)$)[\w.~:=@+-]{1,200}$/i;

/** The formats of ids, ObjectId and UUID. A service uses one format for all objects of a collection. */
const idForms = [/^[0-9a-f]{24}$/i, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i];

/**
 * Keeps what a process knows about a collection while it creates objects there: lists, open requests, and doubtful
 * outcomes.
 */
export class Ledger {
  /** Create requests whose outcome is not known yet. */
  readonly open = new Set<Attempt>();
  /** Failed creates whose object may exist all the same, though nobody has found it. */
  readonly unresolved = new Set<Creation>();
  /** Whether a create request of this process has failed. From then on each create first lists the collection. */
  hasFailed = false;
  /** Whether the service is known to answer creates with other content than was sent. */
  isRewriting = false;
  /** The error of the list request before the first create; undefined if it succeeded. */
  unlisted: unknown;
  /**
   * How many lists lacked at least one object that this process had created before, and how many showed all of them.
   */
  readonly #ownShown = { lacking: 0, whole: 0 };
  #first: Promise<readonly Data[]> | undefined;
  /** Ids of the objects that this process has created. */
  readonly #created = new Set<unknown>();
  /** For each id, the number of the list (counted from 1) that showed the object first. */
  readonly #firstShown = new Map<unknown, number>();
  /** The formats that all ids seen so far have. */
  #forms = idForms;
  /**
   * For each object of this process, the milliseconds between sending its request and the creation time in the answer.
   */
  readonly #datedLater: number[] = [];
  #lists = 0;
  #isListed = false;
  /** The time at which the latest complete list was requested. */
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly collection: Collection,
    private readonly context: Context,
  ) {}

  /**
   * The objects from before the first create of this process, from one list that all creates share. Empty if the list
   * request failed.
   */
  async objectsBefore(): Promise<readonly Data[]> {
    const { session } = this.context;
    const { list } = this.collection.operations;
    this.#first ??= session.interruption
      .forAll(() => this.list())
      .then(
        ({ objects }) => objects,
        (error) => {
          this.unlisted = error;
          return [];
        },
      );
    return session.lists.until(list, this.#first);
  }

  /**
   * Lists the collection before a create request. One list serves all creates as long as none fails; after a failure
   * the list is repeated if it is too old. If the objects' own creation times can be trusted, no list is repeated: a
   * set would need one for each entry.
   */
  async prepare(): Promise<void> {
    await this.objectsBefore();
    // If this list request fails, the create still goes on: should it fail too, its object is named in the error
    // instead of taken.
    if (this.hasFailed && !this.#isFresh && !this.#isDated) await this.list().catch(() => undefined);
  }

  /**
   * Notes the creation time in the answer to a create, to learn how far the service's clock is ahead of this machine's.
   */
  noteAnswer(object: Data, { sentAt }: Attempt): void {
    const time = creationTimeOf(object);
    if (time !== undefined) this.#datedLater.push(time - sentAt);
  }

  get #isDated(): boolean {
    return this.#ahead !== undefined;
  }

  /**
   * The estimated milliseconds by which the service's clock is ahead of this machine's, from the creation times of the
   * latest objects of this process. Undefined where these times contradict each other: one of the clocks was changed,
   * or the service answered a create with another object.
   */
  get #ahead(): number | undefined {
    const latest = this.#datedLater.slice(-fewestDated).sort((a, b) => a - b);
    const [least = 0] = latest;
    const agree = latest.length === fewestDated && (latest.at(-1) ?? 0) - least <= longestDisagreement;
    return agree ? latest[fewestDated >> 1] : undefined;
  }

  /**
   * Whether an object's own creation time proves that it did not exist before a create request. This is as good as a
   * list from right before the request.
   */
  isDatedAfter(object: Data, { sentAt }: Attempt): boolean {
    const time = creationTimeOf(object);
    const ahead = this.#ahead;
    return time !== undefined && ahead !== undefined && time - ahead >= sentAt - longestFreshness;
  }

  /**
   * Whether a list has lacked an object of this process. If so, an object that first shows in a later list may be old.
   */
  get isLate(): boolean {
    return this.#ownShown.lacking > 0;
  }

  /**
   * Whether lists have always shown the objects of this process at once. Only then does the absence of an object from a
   * list mean something.
   */
  get isTimely(): boolean {
    return this.#ownShown.whole > 0 && !this.isLate;
  }

  get #isFresh(): boolean {
    return performance.now() - this.#listedAt <= longestFreshness;
  }

  /** Lists the objects of the collection now. All callers that wait at the same time share one request. */
  async list(): Promise<Listing> {
    const { session, scope } = this.context;
    const ownIds = [...this.#created];
    let askedAt: number | undefined;
    const onSend = () => {
      askedAt = performance.now();
    };
    const { objects, isWhole } = await session.lists
      .read(this.collection.operations.list, scope, { asOf: "now", onSend })
      .then((entries: readonly Data[]) => ({ objects: entries, isWhole: true }), partOf);
    this.#lists++;
    if (isWhole) {
      this.#isListed = true;
      this.#listedAt = Math.max(this.#listedAt, askedAt ?? this.#listedAt);
      const ids = new Set<unknown>(objects.map(({ id }) => idText(id)));
      if (ownIds.length > 0) this.#ownShown[ownIds.every((id) => ids.has(id)) ? "whole" : "lacking"]++;
    }
    for (const { id } of objects) {
      const key = idText(id);
      if (!this.#firstShown.has(key)) this.#firstShown.set(key, this.#lists);
      this.#learnForm(id);
    }
    return { objects, isWhole };
  }

  /** Reads an object by itself, if the list shows only a part of it. */
  async wholeOf(object: Data): Promise<Data> {
    const { session, scope } = this.context;
    const { operations, sureMember } = this.collection;
    if (isWhole(object, sureMember) || !operations.get) return object;
    const id = String(object.id);
    return aboutObject(
      (await session.call(operations.get, { ...scope, id })) as Data,
      operations.get,
      id,
      session,
    );
  }

  /**
   * Sends a create request. Objects count as older than the request if they existed when it was really sent, which may
   * be later than this call: requests wait for the rate limiter.
   */
  begin(creation: Creation): Attempt {
    const { session, scope } = this.context;
    const before = () => ({
      sentAt: Date.now(),
      lists: this.#lists,
      isListed: this.#isListed,
      isFresh: this.#isFresh,
    });
    const onSend = () => void Object.assign(attempt, before());
    const attempt: Attempt = {
      creation,
      isUnderWay: true,
      ...before(),
      answer: session.call(this.collection.operations.create, scope, creation.body, onSend) as Promise<Data>,
    };
    this.open.add(attempt);
    return attempt;
  }

  /** Whether the service may have given this id: it fits into a path, and it has the format of all ids seen so far. */
  mayGive(id: unknown): boolean {
    const isFirst = this.#created.size === 0 && this.#firstShown.size === 0;
    const hasForm = isFirst || this.#forms.every((form) => form.test(String(id)));
    return isSafeId(id) && hasForm;
  }

  #learnForm(id: unknown): void {
    this.#forms = this.#forms.filter((form) => form.test(String(id)));
  }

  /** Whether a list showed the object before this create request was sent. */
  wasShownBefore(id: unknown, { lists }: Attempt): boolean {
    return (this.#firstShown.get(idText(id)) ?? Number.POSITIVE_INFINITY) <= lists;
  }

  /** Takes an object as the result of a create of this process, so that no other create takes it. */
  claim({ id }: Data, creation: Creation): string {
    this.#created.add(idText(id));
    noteCreated(this.collection, String(id), this.context.session);
    this.unresolved.delete(creation);
    this.#learnForm(id);
    return id as string;
  }

  /** The listed objects that no list showed before the create request, and that no resource is known to have. */
  recentIn(objects: readonly Data[], attempt: Attempt): Data[] {
    return objects.filter(({ id }) => !this.wasShownBefore(id, attempt) && !this.isHeld(id));
  }

  /** Whether a resource has the object: it is in the state, or a process of this update has created it. */
  isHeld(id: unknown): boolean {
    return this.#created.has(idText(id)) || isHeld(this.collection, String(id), this.context.session);
  }

  /** Whether a create of this process whose outcome is open or doubtful may have made the object. */
  mayHaveMade(object: Data): boolean {
    const creations = [...[...this.open].map(({ creation }) => creation), ...this.unresolved];
    return creations.some((creation) => creation.isLike(object));
  }
}

function partOf(error: unknown): Listing {
  if (error instanceof IncompleteList) return { objects: error.entries as Data[], isWhole: false };
  throw error;
}

export function isSafeId(id: unknown): boolean {
  return typeof id === "string" && safeId.test(id);
}

/** The ledgers of a session, by collection. */
const ledgersOf = perSession(() => new Map<string, Ledger>());

/** The ledger of a collection. All creates of a session in one collection share it. */
export function ledgerOf(collection: Collection, context: Context): Ledger {
  const key = JSON.stringify([collection.operations.list, context.scope]);
  const ledgers = ledgersOf(context.session);
  const ledger = ledgers.get(key) ?? new Ledger(collection, context);
  ledgers.set(key, ledger);
  return ledger;
}
