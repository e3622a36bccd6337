import type { Client } from "../api/client";
import { dialects, pathIn } from "../api/dialect";
import { type CallSite, IncompleteList, Interrupted } from "../api/errors";
import { Interruption } from "../api/interruption";
import {
  type Answer,
  isWrite,
  type ListOperation,
  type ObservabilityVia,
  type Operation,
  type OperationName,
  operationOn,
  type PathParameters,
} from "../api/operations";
import { apiOf, observabilityViaOf } from "../api/settings";
import type { Settings } from "../api/settingsSchema";
import type { Data } from "../values/data";
import { printableMessage } from "../values/printable";
import { SecretTexts } from "../values/redact";

/** Receives messages for the user outside of errors. */
export interface Log {
  warn(message: string): void;
  info(message: string): void;
}

/** A list that may be cut is read so often while objects come or go: a whole one soon has another length. */
const mostLooks = 3;

/** The wait between these looks, in milliseconds. */
const betweenLooks = 500;

/** A fetched list. */
interface List {
  readonly objects: Promise<Data[]>;
  readonly index: Promise<Index>;
}

/** The objects of a list by their ids in lower case. */
interface Index {
  readonly byId: ReadonlyMap<string, Data>;
  /** Why the list may lack objects that exist. */
  readonly incomplete?: IncompleteList;
}

/** The requests for a list that has to be fresh: at most one is under way, and at most one waits for its end. */
interface FreshLists {
  underWay?: Promise<unknown>;
  next?: List;
}

function listOf(objects: Promise<Data[]>): List {
  const index = objects.then(
    (entries): Index => ({ byId: byIdOf(entries) }),
    (error): Index => {
      if (!(error instanceof IncompleteList)) throw error;
      return { byId: byIdOf(error.entries as Data[]), incomplete: error };
    },
  );
  // Whoever only lists sees the failure there.
  index.catch(() => {});
  return { objects, index };
}

function byIdOf(objects: readonly Data[]): ReadonlyMap<string, Data> {
  return new Map(objects.map((object) => [String(object.id).toLowerCase(), object]));
}

/** @throws IncompleteList if the list lacks the object, and may lack existing objects */
async function objectIn({ index }: List, id: string): Promise<Data | undefined> {
  const { byId, incomplete } = await index;
  const object = byId.get(id.toLowerCase());
  if (!object && incomplete) throw incomplete;
  return object;
}

/**
 * Shared by the resources of one provider instance in one process: settings, one client, the lists already fetched and
 * the warnings already given.
 */
export class Session {
  #settings: Settings | undefined;
  #client: Client | undefined;
  readonly #lists = new Map<string, List>();
  readonly #freshLists = new Map<string, FreshLists>();
  readonly #warned = new Set<string>();
  #serverVersion: Promise<string | undefined> | undefined;
  readonly #listsBeforeDeletions = new Map<string, List>();
  #hasWritten = false;
  /** How many requests that create or delete an object are under way. */
  #changing = 0;
  /** What the program keeps secret, as far as the host knows it. */
  readonly secrets = new SecretTexts();
  /** Ends the work of this session early. */
  readonly interruption = new Interruption();

  /**
   * @param resolve reads the settings; called when the first one is needed, so that a mistake is an error of the
   *   resource that needs it
   */
  constructor(
    private readonly resolve: () => Settings,
    private readonly log: Log,
  ) {}

  get settings(): Settings {
    this.#settings ??= this.resolve();
    return this.#settings;
  }

  /** Whether something was written, which no preview does. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** The API of dashboards, alerts, sources and webhooks. */
  get observabilityVia(): ObservabilityVia {
    return observabilityViaOf(this.settings);
  }

  #operation(name: OperationName): Operation {
    return operationOn(this.observabilityVia, name);
  }

  /** The API that an operation is called on. */
  apiOf(name: OperationName): Operation["api"] {
    return apiOf(name, this.settings);
  }

  /** Whether an operation clears the members that its body omits. */
  replaces(name: OperationName): boolean {
    return this.#operation(name).replaces ?? false;
  }

  /** The call site of an operation, for an error about its answer. */
  siteOf(name: OperationName): CallSite {
    const { method, path } = this.#operation(name);
    return { operation: name, method, path: pathIn(dialects[this.settings.dialect], path) };
  }

  /**
   * Calls one operation. A write makes every list that was fetched before stale.
   *
   * @param onSend called when the request is sent, and again when it is repeated
   */
  async call<Name extends OperationName>(
    name: Name,
    parameters: PathParameters,
    body?: unknown,
    onSend?: () => void,
  ): Promise<Answer<Name>> {
    const client = this.#clientOfSession();
    const operation = this.#operation(name);
    if (!isWrite(operation)) return client.call(name, parameters, body, onSend);
    this.#hasWritten = true;
    const change = ["POST", "DELETE"].includes(operation.method) ? 1 : 0;
    this.#changing += change;
    try {
      return await client.call(name, parameters, body, onSend);
    } finally {
      this.#changing -= change;
      this.#lists.clear();
      if (operation.method !== "DELETE") this.#listsBeforeDeletions.clear();
    }
  }

  /**
   * The answer of a list operation, fetched once for all that read it: refreshing a thousand objects costs one
   * request. A failure is shared too, so that a thousand reads do not repeat a thousand failing requests. Where only its
   * length suggests that a list goes on, it counts, with a warning.
   */
  list<Name extends ListOperation>(name: Name, parameters: PathParameters): Promise<Answer<Name>> {
    return this.#entriesOf(name, this.#list(name, parameters));
  }

  /** The same, save that a list which only seems to go on is a failure, too: an `IncompleteList` with its entries. */
  wholeList<Name extends ListOperation>(name: Name, parameters: PathParameters): Promise<Answer<Name>> {
    return this.until(name, this.#list(name, parameters).objects) as Promise<Answer<Name>>;
  }

  /** The same as {@link list}, save that deletions make no list stale: it shows objects deleted since. */
  listBeforeDeletions<Name extends ListOperation>(
    name: Name,
    parameters: PathParameters,
  ): Promise<Answer<Name>> {
    const key = JSON.stringify([name, parameters]);
    const list = this.#listsBeforeDeletions.get(key) ?? this.#list(name, parameters);
    this.#listsBeforeDeletions.set(key, list);
    return this.#entriesOf(name, list);
  }

  async #entriesOf<Name extends ListOperation>(name: Name, { objects }: List): Promise<Answer<Name>> {
    try {
      return (await this.until(name, objects)) as Answer<Name>;
    } catch (error) {
      if (!(error instanceof IncompleteList && error.isGuess)) throw error;
      this.warnOnce(`more objects may exist: ${error.message}`);
      return error.entries as Answer<Name>;
    }
  }

  /**
   * One object of a list, found without reading the whole list again for each of a thousand reads.
   *
   * @returns undefined if a complete list lacks it
   * @throws IncompleteList if a part of a list lacks it
   */
  find(name: ListOperation, parameters: PathParameters, id: string): Promise<Data | undefined> {
    return this.until(name, objectIn(this.#list(name, parameters), id));
  }

  #list(name: ListOperation, parameters: PathParameters): List {
    const key = JSON.stringify([name, parameters]);
    const cached = this.#lists.get(key);
    if (cached) return cached;
    const list = listOf(this.interruption.forAll(() => this.#entries(name, parameters)));
    this.#lists.set(key, list);
    return list;
  }

  /** The entries of a list. One that may be cut is read again while objects come or go. */
  async #entries(name: ListOperation, parameters: PathParameters, onSend?: () => void): Promise<Data[]> {
    for (let looks = 1; ; looks++) {
      const changing = this.#changing;
      try {
        return await this.call(name, parameters, undefined, onSend);
      } catch (error) {
        const isChanging = changing > 0 || this.#changing > 0;
        if (!(error instanceof IncompleteList && isChanging) || looks === mostLooks) throw error;
      }
      await this.interruption.pause(betweenLooks);
    }
  }

  /**
   * The answer of a list operation whose request begins after this call, so that it shows the objects of that
   * moment. All who ask before it begins share it, and it begins once the one before it has ended: however many
   * wait at the same time, it is one request for all of them.
   *
   * @param onSend called when that request is sent, unless somebody else has asked for it
   */
  freshList<Name extends ListOperation>(
    name: Name,
    parameters: PathParameters,
    onSend?: () => void,
  ): Promise<Answer<Name>> {
    return this.until(name, this.#freshList(name, parameters, onSend).objects) as Promise<Answer<Name>>;
  }

  /** One object of a fresh list, as {@link find} answers it. */
  findFresh(name: ListOperation, parameters: PathParameters, id: string): Promise<Data | undefined> {
    return this.freshFinder(name, parameters)(id);
  }

  /** Finds the objects of one fresh list, as {@link find} answers them. */
  freshFinder(name: ListOperation, parameters: PathParameters): (id: string) => Promise<Data | undefined> {
    const list = this.#freshList(name, parameters);
    return (id) => this.until(name, objectIn(list, id));
  }

  /**
   * Waits for a list that others wait for too.
   *
   * @throws Interrupted if the caller has to end before
   */
  until<Result>(name: ListOperation, shared: Promise<Result>): Promise<Result> {
    const failure = (reason: string) =>
      new Interrupted(this.siteOf(name), `${reason} before the answer arrived`);
    return this.interruption.until(shared, failure);
  }

  #freshList(name: ListOperation, parameters: PathParameters, onSend?: () => void): List {
    const key = JSON.stringify([name, parameters]);
    const lists = this.#freshLists.get(key) ?? {};
    this.#freshLists.set(key, lists);
    if (lists.next) return lists.next;
    const begin = (): Promise<Data[]> => {
      delete lists.next;
      const request = this.#entries(name, parameters, onSend);
      lists.underWay = request;
      return request;
    };
    const previous = Promise.resolve(lists.underWay);
    lists.next = listOf(this.interruption.forAll(() => previous.then(begin, begin)));
    return lists.next;
  }

  /**
   * The version of ClickStack of the server that has dashboards and alerts, such as `2.46.0`, asked for once. Undefined where
   * it is not known: ClickHouse Cloud tells none.
   */
  serverVersion(): Promise<string | undefined> {
    const isServer = this.settings.dialect === "clickhouse" && this.observabilityVia === "observability";
    this.#serverVersion ??= isServer ? this.#clientOfSession().serverVersion() : Promise.resolve(undefined);
    return this.#serverVersion;
  }

  /** Warns once per session, even if many resources give the same warning. */
  warnOnce(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.log.warn(printableMessage(this.secrets.hide(message)));
  }

  /** Tells the user about something that the provider did unasked. */
  inform(message: string): void {
    this.log.info(printableMessage(this.secrets.hide(message)));
  }

  /** Loaded on the first call, which a program that declares resources and calls no function never makes. */
  #clientOfSession(): Client {
    if (!this.#client) {
      const { Client } = require("../api/client") as typeof import("../api/client");
      const notice = (text: string) => this.log.info(printableMessage(text));
      this.#client = new Client(this.settings, notice, this.interruption, this.secrets.hideInAnswer);
    }
    return this.#client;
  }
}

/** A value that the calls of a session share, made when the first one asks for it. */
export function perSession<Value>(make: () => Value): (session: Session) => Value {
  const values = new WeakMap<Session, Value>();
  return (session) => {
    const value = values.get(session) ?? make();
    values.set(session, value);
    return value;
  };
}
