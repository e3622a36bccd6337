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
  /** Its description in a message: `an alert named "Slow queries" on service 7b0f…`. */
  readonly description: string;
  /** Whether the request may have created an object of the collection. */
  isLike(object: Data): boolean;
  /** Whether such an object lacks something that was sent: lists may leave it out, and it may be another's. */
  lacksSent(object: Data): boolean;
  /** The member that only the answer to a create shows, and without which the object is useless. */
  readonly shownOnce?: string;
}

/** One request that creates an object. */
export interface Attempt {
  readonly creation: Creation;
  readonly answer: Promise<Data>;
  isUnderWay: boolean;
  /** When it was sent, by the clock of this machine. */
  sentAt: number;
  /** How many lists of the collection had been read before. */
  lists: number;
  /** Whether one of them shows all that was there. */
  isListed: boolean;
  /** Whether that one shows the objects from right before. */
  isFresh: boolean;
}

/** The collection as a list shows it. */
interface Listing {
  readonly objects: readonly Data[];
  /** Whether they are surely all. */
  readonly isWhole: boolean;
}

/** A list that was requested earlier than this, in milliseconds, lacks too many of the objects from before a request. */
const longestFreshness = 1000;

/** So many latest objects of this process have to agree on how much the service's clock differs. */
const fewestDated = 5;

/** By so many milliseconds they may differ: times may be whole seconds, and some requests take longer. */
const longestDisagreement = 2000;

/** An id that survives any proxy as a part of a path, and is not the text of a missing value. */
const safeId = /^(?!(\.+|undefined|null|nil|none|nan|true|false)$)[\w.~:=@+-]{1,200}$/i;

/** Formats of ids, ObjectId and UUID: a service uses the same one for all objects of a collection. */
const idForms = [/^[0-9a-f]{24}$/i, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i];

/** The knowledge of one process about a collection while it creates objects in it. */
export class Ledger {
  /** Attempts whose result is not known yet. */
  readonly open = new Set<Attempt>();
  /** Creations that have failed, and may yet have an object that nobody knows of. */
  readonly unresolved = new Set<Creation>();
  /** Whether an attempt has failed: from then on a list is worth its request. */
  hasFailed = false;
  /** Whether the service has answered a create with other content than was sent. */
  isRewriting = false;
  /** Why the collection could not be listed before the first creation. */
  unlisted: unknown;
  /** How many lists lacked, and how many showed, all that this process had created before. */
  readonly #ownShown = { lacking: 0, whole: 0 };
  #first: Promise<readonly Data[]> | undefined;
  /** Ids of the objects that this process has created. */
  readonly #created = new Set<unknown>();
  /** Which list, counted from 1, showed an object first. */
  readonly #firstShown = new Map<unknown, number>();
  /** The forms that all known ids have. */
  #forms = idForms;
  /** How much later than it was sent the service dates each object of this process, in milliseconds. */
  readonly #datedLater: number[] = [];
  #lists = 0;
  #isListed = false;
  /** When the latest whole list was asked for. */
  #listedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly collection: Collection,
    private readonly context: Context,
  ) {}

  /**
   * The objects from before the first creation of this process, as far as a list shows them: none if it could not be read.
   * The list serves the creations, too.
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
   * Lists the objects before an attempt: once as long as none has failed, then whenever the list is too old. Where objects tell
   * when they were made, no further list is needed: of a set it would be one for each entry.
   */
  async prepare(): Promise<void> {
    await this.objectsBefore();
    // Without this list, an object that an attempt has created after all is named instead of taken.
    if (this.hasFailed && !this.#isFresh && !this.#isDated) await this.list().catch(() => undefined);
  }

  /** Notes the answer to an attempt: it tells by how much the service's clock is ahead of this machine's. */
  noteAnswer(object: Data, { sentAt }: Attempt): void {
    const time = creationTimeOf(object);
    if (time !== undefined) this.#datedLater.push(time - sentAt);
  }

  get #isDated(): boolean {
    return this.#ahead !== undefined;
  }

  /**
   * The estimated milliseconds by which the service's clock is ahead of this machine's, from the creation times of the latest
   * objects that this process created. Undefined where these contradict each other: one of the clocks was set anew meanwhile, or
   * the service answered a create with another object.
   */
  get #ahead(): number | undefined {
    const latest = this.#datedLater.slice(-fewestDated).sort((a, b) => a - b);
    const [least = 0] = latest;
    const agree = latest.length === fewestDated && (latest.at(-1) ?? 0) - least <= longestDisagreement;
    return agree ? latest[fewestDated >> 1] : undefined;
  }

  /** Whether an object tells that it was not there before an attempt: as sure as a list from right before that. */
  isDatedAfter(object: Data, { sentAt }: Attempt): boolean {
    const time = creationTimeOf(object);
    const ahead = this.#ahead;
    return time !== undefined && ahead !== undefined && time - ahead >= sentAt - longestFreshness;
  }

  /** Whether a list has lacked an object of this process: then an object that is new in a list may be old. */
  get isLate(): boolean {
    return this.#ownShown.lacking > 0;
  }

  /** Whether lists have shown each object of this process at once: only then does it tell anything that they lack one. */
  get isTimely(): boolean {
    return this.#ownShown.whole > 0 && !this.isLate;
  }

  get #isFresh(): boolean {
    return performance.now() - this.#listedAt <= longestFreshness;
  }

  /** The objects of the collection as they are now. All who ask at the same time share one request. */
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

  /** A listed object as the service shows it by itself, where the list shows a part of it. */
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

  /** Sends a request. Objects from before count from the moment at which it leaves: it may have to wait. */
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

  /** Whether the service may have given an id: a path can hold it, and it has the form of all others. */
  mayGive(id: unknown): boolean {
    const isFirst = this.#created.size === 0 && this.#firstShown.size === 0;
    const hasForm = isFirst || this.#forms.every((form) => form.test(String(id)));
    return isSafeId(id) && hasForm;
  }

  #learnForm(id: unknown): void {
    this.#forms = this.#forms.filter((form) => form.test(String(id)));
  }

  /** Whether a list showed an object before an attempt. */
  wasShownBefore(id: unknown, { lists }: Attempt): boolean {
    return (this.#firstShown.get(idText(id)) ?? Number.POSITIVE_INFINITY) <= lists;
  }

  /** Takes an object as one of this process. */
  claim({ id }: Data, creation: Creation): string {
    this.#created.add(idText(id));
    noteCreated(this.collection, String(id), this.context.session);
    this.unresolved.delete(creation);
    this.#learnForm(id);
    return id as string;
  }

  /** Those of the listed objects that no list showed before the attempt, and that no resource is known to have. */
  recentIn(objects: readonly Data[], attempt: Attempt): Data[] {
    return objects.filter(({ id }) => !this.wasShownBefore(id, attempt) && !this.isHeld(id));
  }

  /** Whether a resource has an object: of the state, or one for which a process of this update has created it. */
  isHeld(id: unknown): boolean {
    return this.#created.has(idText(id)) || isHeld(this.collection, String(id), this.context.session);
  }

  /** Whether a creation of this process, open or unresolved, may have made an object. */
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

/** All creations of a session in one collection know of each other. */
export function ledgerOf(collection: Collection, context: Context): Ledger {
  const key = JSON.stringify([collection.operations.list, context.scope]);
  const ledgers = ledgersOf(context.session);
  const ledger = ledgers.get(key) ?? new Ledger(collection, context);
  ledgers.set(key, ledger);
  return ledger;
}
