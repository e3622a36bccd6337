import type { OnSend } from "../api/client";
import { type CallSite, IncompleteList, Interrupted } from "../api/errors";
import type { Interruption } from "../api/interruption";
import type { Operation } from "../api/operation";
import type { Answer, Listed, ListOperation, PathParameters } from "../api/operations";
import type { PropertyMap } from "../values/data";

/**
 * How fresh the list of objects that a caller asks for has to be:
 * - `run`: one list serves all reads until this Pulumi run writes something. Refreshing a thousand objects costs one request.
 * - `creation`: the list of `run`, kept until this Pulumi run creates or changes something. Deletions do not invalidate it,
 *   so callers have to know themselves which of its objects the run has deleted.
 * - `write`: one list serves the reads before the updates of this Pulumi run, for some seconds, and for each object until it is
 *   updated; who needs the whole list, until any object is. It is for what is read once for each write, too.
 * - `now`: the list request is sent after the call, once the previous request for this list has ended. All callers that wait
 *   for it share it.
 */
export type AsOf = "run" | "creation" | "write" | "now";

export interface Reading {
  /** Default: `run`. */
  readonly asOf?: AsOf;
  /** For `write`: the object that is to be updated. Default: any object of the list. */
  readonly id?: string | undefined;
  /**
   * Whether to fail with an `IncompleteList` if the length of the list suggests that the API cut it off. Otherwise it counts as
   * complete, with a warning. Default: fail only if `asOf` is `now`.
   */
  readonly isWhole?: boolean;
  /** Called when the list request for `asOf: "now"` is sent, but only for the first of the callers that share the request. */
  onSend?(): void;
}

export interface Requests {
  readonly interruption: Interruption;
  call<Name extends ListOperation>(
    name: Name,
    place: PathParameters,
    body: undefined,
    onSend?: OnSend,
  ): Promise<Answer<Name>>;
  siteOf(name: ListOperation): CallSite;
  warnOnce(message: string): void;
}

/**
 * Maximum number of times that a list which seems cut off is read, as long as the provider creates or deletes objects: a
 * complete list soon has another length.
 */
const mostLooks = 3;

/** Milliseconds between two reads of a list that seems cut off. */
const betweenLooks = 500;

/**
 * Milliseconds for which one list serves the reads before updates, so that many updates of objects of one type share a list: as many
 * for each hundred objects, since servers have pages of so many, and at most a minute. What somebody changes meanwhile, an update
 * overwrites in silence.
 */
const [servedForHundred, servedMost] = [10_000, 60_000];

interface List {
  readonly objects: Promise<PropertyMap[]>;
  readonly index: Promise<Index>;
  /** When the request was last sent, or that for its first page. Undefined while it waits for the rate limit. */
  sentAt?: number;
  /** How many objects the answer has. Undefined until it is there. */
  length?: number;
}

/** The objects of a list that the API returned, by their ids in lower case. */
interface Index {
  readonly byId: ReadonlyMap<string, PropertyMap>;
  /** The error of a list that may lack objects; undefined if the list is complete. */
  readonly incomplete?: IncompleteList;
}

/** The requests for a list that has to be fresh: at most one is under way, and at most one waits until that one has ended. */
interface FreshLists {
  underWay?: Promise<unknown>;
  next?: List;
}

interface ListBeforeWrites {
  readonly list: List;
  /** Ids of the objects that this Pulumi run has updated since the list was requested. */
  readonly written: Set<string>;
}

/**
 * Fetches the lists of objects of a session, each as seldom as callers allow. The failure of a request serves only those who wait
 * for it, since its reason may soon be over, as when the service wakes.
 */
export class Lists {
  readonly #kept = { run: new Map<string, List>(), creation: new Map<string, List>() };
  readonly #fresh = new Map<string, FreshLists>();
  readonly #beforeWrites = new Map<string, ListBeforeWrites>();
  /** The latest answer to the request for each list. */
  readonly #latest = new Map<string, readonly PropertyMap[]>();
  /** How many requests that create or delete an object are under way. */
  #changing = 0;

  constructor(private readonly requests: Requests) {}

  async read<Name extends ListOperation>(
    name: Name,
    place: PathParameters,
    { asOf = "run", id, isWhole = asOf === "now", onSend }: Reading = {},
  ): Promise<Answer<Name>> {
    try {
      return (await this.until(name, this.#list(name, place, asOf, { id, onSend }).objects)) as Answer<Name>;
    } catch (error) {
      if (isWhole || !(error instanceof IncompleteList && error.isGuess)) throw error;
      this.requests.warnOnce(`more objects may exist than the service has listed: ${error.message}`);
      return error.entries as Answer<Name>;
    }
  }

  /**
   * Finds one object in a list, by an index that all callers share.
   *
   * @returns undefined if a complete list lacks the object
   * @throws IncompleteList if the list lacks the object, and may be incomplete
   */
  find<Name extends ListOperation>(
    name: Name,
    place: PathParameters,
    id: string,
    asOf: AsOf = "run",
  ): Promise<Listed<Name> | undefined> {
    const list = this.#list(name, place, asOf, { id });
    return this.until(name, objectIn(list, id) as Promise<Listed<Name> | undefined>);
  }

  /**
   * Waits for a list request that several callers share.
   * @throws Interrupted if this caller's step is cancelled or times out first
   */
  until<Result>(name: ListOperation, shared: Promise<Result>): Promise<Result> {
    const failure = (reason: string) =>
      new Interrupted(this.requests.siteOf(name), `${reason} before the answer arrived`);
    return this.requests.interruption.until(shared, failure);
  }

  /** The list as this session has seen it last, without a request; undefined if it has not seen it. */
  latest(name: ListOperation, place: PathParameters): readonly PropertyMap[] | undefined {
    return this.#latest.get(keyOf(name, place));
  }

  /** Notes that an object may have been updated, so that the read before its next update needs a new list. */
  noteWrite(name: ListOperation, place: PathParameters, id: string): void {
    this.#beforeWrites.get(keyOf(name, place))?.written.add(id.toLowerCase());
  }

  /** Drops all lists: what they show, or that the service does not answer them, is over. */
  forget(): void {
    for (const lists of [this.#kept.run, this.#kept.creation, this.#beforeWrites]) lists.clear();
  }

  /** Sends a request that writes. Afterwards every earlier list is stale, and is fetched again when needed. */
  async whileWriting<Result>(method: Operation["method"], send: () => Promise<Result>): Promise<Result> {
    const change = ["POST", "DELETE"].includes(method) ? 1 : 0;
    this.#changing += change;
    try {
      return await send();
    } finally {
      this.#changing -= change;
      this.#kept.run.clear();
      if (method !== "DELETE") this.#kept.creation.clear();
    }
  }

  #list(
    name: ListOperation,
    place: PathParameters,
    asOf: AsOf,
    { id, onSend }: Pick<Reading, "id" | "onSend">,
  ): List {
    if (asOf === "now") return this.#freshList(name, place, onSend);
    if (asOf === "write") return this.#listBeforeWrite(name, place, id);
    const key = keyOf(name, place);
    const { run, creation } = this.#kept;
    let list = (asOf === "creation" ? creation.get(key) : undefined) ?? run.get(key);
    if (!list) {
      list = listOf(this.requests.interruption.forAll(() => this.#entries(name, place)));
      keep(run, key, list, list);
    }
    if (asOf === "creation" && creation.get(key) !== list) keep(creation, key, list, list);
    return list;
  }

  #freshList(name: ListOperation, place: PathParameters, onSend?: () => void): List {
    const key = keyOf(name, place);
    const lists = this.#fresh.get(key) ?? {};
    this.#fresh.set(key, lists);
    if (lists.next) return lists.next;
    const begin = (): Promise<PropertyMap[]> => {
      delete lists.next;
      const request = this.#entries(name, place, (_isRepeated, isFurtherPage) => {
        if (!isFurtherPage) list.sentAt = Date.now();
        onSend?.();
      });
      lists.underWay = request;
      return request;
    };
    const previous = Promise.resolve(lists.underWay);
    const list = listOf(this.requests.interruption.forAll(() => previous.then(begin, begin)));
    lists.next = list;
    return list;
  }

  #listBeforeWrite(name: ListOperation, place: PathParameters, id?: string): List {
    const key = keyOf(name, place);
    const cached = this.#beforeWrites.get(key);
    const isWritten = id === undefined ? cached?.written.size : cached?.written.has(id.toLowerCase());
    if (cached && isServed(cached.list) && !isWritten) return cached.list;
    const list = this.#freshList(name, place);
    keep(this.#beforeWrites, key, { list, written: new Set() }, list);
    return list;
  }

  /** All objects of a list. One that seems cut off is read again if the provider created or deleted objects meanwhile. */
  async #entries(name: ListOperation, place: PathParameters, onSend?: OnSend): Promise<PropertyMap[]> {
    for (let looks = 1; ; looks++) {
      const changing = this.#changing;
      try {
        const objects: PropertyMap[] = await this.requests.call(name, place, undefined, onSend);
        this.#latest.set(keyOf(name, place), objects);
        return objects;
      } catch (error) {
        const isChanging = changing > 0 || this.#changing > 0;
        if (!(error instanceof IncompleteList && isChanging) || looks === mostLooks) throw error;
      }
      await this.requests.interruption.pause(betweenLooks);
    }
  }
}

function keyOf(name: ListOperation, place: PathParameters): string {
  return JSON.stringify([name, place]);
}

/** Whether a list is fresh enough for the reads before updates. One without an answer is: the next request would wait for that. */
function isServed({ sentAt = Date.now(), length }: List): boolean {
  if (length === undefined) return true;
  return Date.now() - sentAt <= Math.min(servedForHundred * Math.max(1, Math.ceil(length / 100)), servedMost);
}

/** Keeps a list for later callers until its request fails. A list that may lack objects is no failure. */
function keep<Entry>(kept: Map<string, Entry>, key: string, entry: Entry, { index }: List): void {
  kept.set(key, entry);
  index.catch(() => {
    if (kept.get(key) === entry) kept.delete(key);
  });
}

function listOf(objects: Promise<PropertyMap[]>): List {
  const index = objects.then(
    (entries) => indexOf(entries),
    (error) => {
      if (!(error instanceof IncompleteList)) throw error;
      return indexOf(error.entries as PropertyMap[], error);
    },
  );
  // `read` reports a failed list request. Without this handler Node would exit, since often nobody awaits the index of the
  // list.
  index.catch(() => {});
  const list: List = { objects, index };
  return list;

  function indexOf(entries: readonly PropertyMap[], incomplete?: IncompleteList): Index {
    list.length = entries.length;
    const byId = new Map(entries.map((object) => [String(object.id).toLowerCase(), object]));
    return { byId, ...(incomplete && { incomplete }) };
  }
}

/** @throws IncompleteList if the list lacks the object, and the API may have cut the list off */
async function objectIn({ index }: List, id: string): Promise<PropertyMap | undefined> {
  const { byId, incomplete } = await index;
  const object = byId.get(id.toLowerCase());
  if (!object && incomplete) throw incomplete;
  return object;
}
