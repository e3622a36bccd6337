import { IncompleteList } from "../api/errors";
import { creationTimeOf } from "../values/age";
import { idText, type PropertyMap } from "../values/data";
import type { Collection, Through } from "./definition";
import { aboutObject, isWhole } from "./observe";
import { knownId } from "./run";
import type { Context } from "./scope";
import { perSession } from "./session";

/** An object of the API that a resource is about to create. */
export interface Creation {
  readonly collection: Collection;
  readonly body: PropertyMap;
  /** The object's description in a message, such as `an alert named "Slow queries" on service 7b0f…`. */
  readonly description: string;
  /** Whether an object that the API lists has the content that the create sends, and so may come from this create. */
  isLike(object: PropertyMap): boolean;
  /** Whether a listed object lacks a value that the create sent: the list omits the value, or the object is somebody else's. */
  lacksSent(object: PropertyMap): boolean;
  /** The name of a property that only the answer to a create shows, such as a key's secret: without it the key is useless. */
  readonly shownOnce?: string;
  /**
   * Milliseconds for which the object is looked for in lists after a lost answer, since a second one would be billed. Default: 0,
   * that is, in one list.
   */
  readonly longestSearch?: number;
  /** The request that makes the object of another one. Default: that of the collection. */
  readonly through?: Through;
}

export interface Attempt {
  readonly creation: Creation;
  readonly answer: Promise<PropertyMap>;
  isUnderWay: boolean;
  /** The time at which the create request was sent, by the clock of this machine. */
  sentAt: number;
  /** How many lists of the objects of this type had been read when the create request was sent. */
  lists: number;
  /** Whether a complete list of the objects of this type had been read when the create request was sent. */
  isListed: boolean;
  /** Whether the latest complete list of the objects was read at most a second before the create request was sent. */
  isFresh: boolean;
  /** The objects in the latest complete list when the create request was sent; undefined without one, or if lists lag. */
  others: readonly PropertyMap[] | undefined;
}

/** All objects of one type and owner, as the answer to one list request shows them. */
interface Listing {
  readonly objects: readonly PropertyMap[];
  readonly isWhole: boolean;
  /**
   * Whether the list may be incomplete by its length alone, as one of exactly 1,000, and shows everything that this process has
   * created or that an earlier list has shown. So what it shows besides counts, but not what it lacks.
   */
  readonly isLikelyWhole: boolean;
}

/**
 * Longest time, in milliseconds, between a list request and a create request, so that the list proves which objects existed
 * before the create.
 */
const longestFreshness = 1000;

/** How many of this process's latest objects must agree on how far the API's clock is ahead of this machine's. */
const fewestDated = 5;

/**
 * Maximum difference, in milliseconds, between measurements of the API's clock that still agree: some servers show whole
 * seconds, and some requests are slow.
 */
const longestDisagreement = 2000;

/** Matches object ids that proxies leave intact in a request path, except for words such as `undefined`, which are no ids. */
const safeId = /^(?!(\.+|undefined|null|nil|none|nan|true|false)$)[\w.~:=@+-]{1,200}$/i;

/** The formats of object ids, ObjectId and UUID. An API uses one format for all objects of a type. */
const idForms = [/^[0-9a-f]{24}$/i, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i];

/** Keeps what a process learns about one type's objects while it creates some: lists, open requests, unknown outcomes. */
export class CreateTracker {
  readonly open = new Set<Attempt>();
  /** Failed creates whose object may nevertheless exist, though no list has shown it, each with its first failed attempt. */
  readonly unresolved = new Map<Creation, Attempt>();
  /** Whether a create request of this process has failed. From then on each create first lists the existing objects. */
  hasFailed = false;
  /** Whether the API is known to answer creates with other content than was sent. */
  isRewriting = false;
  /** The failure of the latest request for the objects before this process's first create; undefined once one has succeeded. */
  unlisted: unknown;
  /**
   * How many lists lacked at least one object that this process had created before, and how many showed all of them: this tells
   * whether the API's lists lag.
   */
  readonly #ownShown = { lacking: 0, whole: 0 };
  #first: Promise<readonly PropertyMap[]> | undefined;
  readonly #created = new Set<unknown>();
  /** For each object id, the number of the list (counted from 1) that showed the object first. */
  readonly #firstShown = new Map<unknown, number>();
  #forms = idForms;
  /** For each object that this process created: the milliseconds from the create request to the creation time in its answer. */
  readonly #datedLater: number[] = [];
  #lists = 0;
  #isListed = false;
  #latest: readonly PropertyMap[] | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly collection: Collection,
    private readonly context: Context,
  ) {}

  /**
   * The objects before this process's first create, from one list that all creates share. If its request fails, those who wait for
   * it get none, and the next create requests the list again.
   */
  async objectsBefore(): Promise<readonly PropertyMap[]> {
    const { session } = this.context;
    const { list } = this.collection.operations;
    this.#first ??= session.interruption
      .forAll(() => this.list())
      .then(
        ({ objects }) => {
          this.unlisted = undefined;
          return objects;
        },
        (error) => {
          this.unlisted = error;
          this.#first = undefined;
          return [];
        },
      );
    return session.lists.until(list, this.#first);
  }

  /**
   * Lists the existing objects before a create request. One list serves all creates until a create fails. From then on, a list
   * that is too old is requested again, unless the objects' creation times can be trusted. This exception spares an AlertSet
   * one list for each of its entries.
   */
  async prepare(): Promise<void> {
    await this.objectsBefore();
    // If this list request fails, the create request is sent nevertheless. If that fails, too, the provider takes no existing
    // object as its result, since it cannot tell which objects are new.
    if (this.hasFailed && !this.#isFresh && !this.#isDated) await this.list().catch(() => undefined);
  }

  /** Notes the creation time in the answer to a create, to learn how far the API's clock is ahead of this machine's. */
  noteAnswer(object: PropertyMap, { sentAt }: Attempt): void {
    const time = creationTimeOf(object);
    if (time !== undefined) this.#datedLater.push(time - sentAt);
  }

  get #isDated(): boolean {
    return this.#ahead !== undefined;
  }

  /**
   * The estimated milliseconds by which the API's clock is ahead of this machine's. Undefined if the creation times of this
   * process's latest objects contradict each other: a clock was changed, or the API answered a create with another object.
   */
  get #ahead(): number | undefined {
    const latest = this.#datedLater.slice(-fewestDated).sort((a, b) => a - b);
    const [least = 0] = latest;
    const agree = latest.length === fewestDated && (latest.at(-1) ?? 0) - least <= longestDisagreement;
    return agree ? latest[fewestDated >> 1] : undefined;
  }

  /** Whether an object's creation time proves, as well as a list would, that it did not exist before a create request. */
  isDatedAfter(object: PropertyMap, { sentAt }: Attempt): boolean {
    const time = creationTimeOf(object);
    const ahead = this.#ahead;
    return time !== undefined && ahead !== undefined && time - ahead >= sentAt - longestFreshness;
  }

  /**
   * Whether a list has lacked an object that this process had created before. If so, an object that a later list shows for the
   * first time may be old.
   */
  get isLate(): boolean {
    return this.#ownShown.lacking > 0;
  }

  /** Whether lists have always shown new objects at once: only then does an object's absence from a list prove anything. */
  get isTimely(): boolean {
    return this.#ownShown.whole > 0 && !this.isLate;
  }

  get #isFresh(): boolean {
    return performance.now() - this.#listedAt <= longestFreshness;
  }

  /** Lists the objects of this type. All creates that wait for the list at the same time share one request. */
  async list(): Promise<Listing> {
    const { session, scope } = this.context;
    const ownIds = [...this.#created];
    let askedAt: number | undefined;
    const onSend = () => {
      askedAt = performance.now();
    };
    const { objects, isWhole, isGuess } = await session.lists
      .read(this.collection.operations.list, scope, { asOf: "now", onSend })
      .then(
        (entries: readonly PropertyMap[]) => ({ objects: entries, isWhole: true, isGuess: false }),
        partOf,
      );
    this.#lists++;
    const listed = new Set<unknown>(objects.map(({ id }) => idText(id)));
    const isLikelyWhole = isGuess && [...ownIds, ...this.#firstShown.keys()].every((id) => listed.has(id));
    if (isWhole) {
      this.#isListed = true;
      this.#latest = objects;
      this.#listedAt = Math.max(this.#listedAt, askedAt ?? this.#listedAt);
      if (ownIds.length > 0) this.#ownShown[ownIds.every((id) => listed.has(id)) ? "whole" : "lacking"]++;
    }
    for (const { id } of objects) {
      const key = idText(id);
      if (!this.#firstShown.has(key)) this.#firstShown.set(key, this.#lists);
      this.#learnForm(id);
    }
    return { objects, isWhole, isLikelyWhole };
  }

  /** Reads an object by its id, if the list shows only a part of it. */
  async wholeOf(object: PropertyMap): Promise<PropertyMap> {
    const { session, scope } = this.context;
    const { operations, completenessField } = this.collection;
    if (isWhole(object, completenessField) || !operations.get) return object;
    const id = String(object.id);
    return aboutObject(await session.call(operations.get, { ...scope, id }), operations.get, id, session);
  }

  /** Sends a create request, and notes what existed when it is really sent, since requests wait for the rate limiter. */
  begin(creation: Creation): Attempt {
    const { session, scope } = this.context;
    const { through = { operation: this.collection.operations.create, parameters: {} } } = creation;
    const before = () => ({
      sentAt: Date.now(),
      lists: this.#lists,
      isListed: this.#isListed,
      isFresh: this.#isFresh,
      others: this.isLate ? undefined : this.#latest,
    });
    const onSend = () => void Object.assign(attempt, before());
    const attempt: Attempt = {
      creation,
      isUnderWay: true,
      ...before(),
      answer: session.call(through.operation, { ...scope, ...through.parameters }, creation.body, onSend),
    };
    this.open.add(attempt);
    return attempt;
  }

  /**
   * Whether the API may have given an object the given id: the id is safe in a path, and has the format of all ids seen so far.
   */
  mayGive(id: unknown): boolean {
    const isFirst = this.#created.size === 0 && this.#firstShown.size === 0;
    const hasForm = isFirst || this.#forms.every((form) => form.test(String(id)));
    return isSafeId(id) && hasForm;
  }

  #learnForm(id: unknown): void {
    this.#forms = this.#forms.filter((form) => form.test(String(id)));
  }

  wasShownBefore(id: unknown, { lists }: Attempt): boolean {
    return (this.#firstShown.get(idText(id)) ?? Number.POSITIVE_INFINITY) <= lists;
  }

  /** Takes an object as the result of a create of this process, so that no other create takes it. */
  claim({ id }: PropertyMap, creation: Creation): string {
    this.#created.add(idText(id));
    this.context.session.run.noteCreated(this.collection, this.#knownId(id));
    this.unresolved.delete(creation);
    this.#learnForm(id);
    return id as string;
  }

  /** The listed objects that no list showed before a create request, and that no resource is known to have. */
  recentIn(objects: readonly PropertyMap[], attempt: Attempt): PropertyMap[] {
    return objects.filter(({ id }) => !this.wasShownBefore(id, attempt) && !this.isHeld(id));
  }

  /** Whether a resource has the object: it is in the Pulumi state, or a provider process of this update has created it. */
  isHeld(id: unknown): boolean {
    const { run } = this.context.session;
    const known = this.#knownId(id);
    return (
      this.#created.has(idText(id)) ||
      run.isHeld(this.collection, known) ||
      run.wasRead(this.collection, known)
    );
  }

  #knownId(id: unknown): string {
    return knownId(this.collection, String(id), this.context.scope);
  }

  /** Whether a create of this process, with an outcome that is open or unknown, may have made the object. */
  mayHaveMade(object: PropertyMap): boolean {
    const creations = [...[...this.open].map(({ creation }) => creation), ...this.unresolved.keys()];
    return creations.some((creation) => creation.isLike(object));
  }
}

function partOf(error: unknown) {
  if (error instanceof IncompleteList)
    return { objects: error.entries as PropertyMap[], isWhole: false, isGuess: error.isGuess };
  throw error;
}

export function isSafeId(id: unknown): boolean {
  return typeof id === "string" && safeId.test(id);
}

const trackersOf = perSession(() => new Map<string, CreateTracker>());

/**
 * Returns the tracker for the objects of one type in one organization or service. All creates of a session share it. It records
 * which objects the list requests returned, and which creates were sent, so that a create whose answer is lost can tell which
 * object it has made.
 */
export function createTrackerOf(collection: Collection, context: Context): CreateTracker {
  const key = JSON.stringify([collection.operations.list, context.scope]);
  const trackers = trackersOf(context.session);
  const tracker = trackers.get(key) ?? new CreateTracker(collection, context);
  trackers.set(key, tracker);
  return tracker;
}
