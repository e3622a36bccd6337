import type { Client, OnSend } from "../api/client";
import { dialects, pathIn } from "../api/dialect";
import type { CallSite } from "../api/errors";
import { Interruption } from "../api/interruption";
import { isWrite, type Operation } from "../api/operation";
import {
  type Answer,
  type ObservabilityVia,
  type OperationName,
  operationOn,
  type PathParameters,
} from "../api/operations";
import { apiOf, observabilityViaOf } from "../api/settings";
import type { Settings } from "../api/settingsSchema";
import { printableMessage } from "../values/printable";
import { SecretTexts } from "../values/redact";
import { Lists } from "./lists";
import { Run } from "./run";

/** Receives the provider's warnings and information for the user, such as Pulumi's log. */
export interface Log {
  warn(message: string): void;
  info(message: string): void;
}

/** What all resources of one provider instance share: settings, API client, fetched lists, and the warnings already given. */
export class Session {
  #settings: Settings | undefined;
  #client: Client | undefined;
  readonly #warned = new Set<string>();
  #serverVersion: Promise<string | undefined> | undefined;
  #hasWritten = false;
  /** The texts that the program keeps secret, as far as the provider knows them. No message may repeat them. */
  readonly secrets = new SecretTexts();
  /** Ends the API requests and waits of this session early when the engine cancels the operation. */
  readonly interruption = new Interruption();
  /** What this Pulumi run knows of the objects of its resources. */
  readonly run = new Run(this.interruption);
  /** The lists of API objects of this session, each fetched as seldom as its callers allow. */
  readonly lists = new Lists(this);

  /**
   * @param resolve reads the settings once a resource needs them, so that a wrong setting is an error of that resource, and tells
   *   what they assume
   * @param isOffline whether checks send no request, since the preview is only for drawing the program's dashboards
   */
  constructor(
    private readonly resolve: (tell: (assumption: string) => void) => Settings,
    private readonly log: Log,
    readonly isOffline = false,
  ) {}

  get settings(): Settings {
    this.#settings ??= this.resolve((assumption) => {
      if (!this.isOffline) this.inform(assumption);
    });
    return this.#settings;
  }

  /** Whether this Pulumi run has sent a write, which no preview does. */
  get hasWritten(): boolean {
    return this.#hasWritten;
  }

  /** The API of dashboards, alerts, sources and webhooks under the session's settings: management or observability. */
  get observabilityVia(): ObservabilityVia {
    return observabilityViaOf(this.settings);
  }

  #operation(name: OperationName): Operation {
    return operationOn(this.observabilityVia, name);
  }

  /** The API that an operation is called on: the management or the observability API. */
  apiOf(name: OperationName): Operation["api"] {
    return apiOf(name, this.settings);
  }

  /** Whether an update operation replaces the whole object, and so clears the properties that its body omits. */
  replaces(name: OperationName): boolean {
    return this.#operation(name).replaces ?? false;
  }

  /** The call site of an API operation (its name, method and path), for an error about its answer. */
  siteOf(name: OperationName): CallSite {
    const { method, path } = this.#operation(name);
    return { operation: name, method, path: pathIn(dialects[this.settings.dialect], path) };
  }

  /**
   * Calls one operation of the API. A write makes every list that was fetched before it stale.
   * @param onSend called before each sending of the request, with whether an earlier one may have been carried out; if it throws, the
   * request is not sent
   */
  async call<Name extends OperationName>(
    name: Name,
    parameters: PathParameters,
    body?: unknown,
    onSend?: OnSend,
  ): Promise<Answer<Name>> {
    const client = this.#clientOfSession();
    const operation = this.#operation(name);
    if (!isWrite(operation)) return client.call(name, parameters, body, onSend);
    this.#hasWritten = true;
    return this.lists.whileWriting(operation.method, () => client.call(name, parameters, body, onSend));
  }

  /** Puts a file at an address that the service has given for it. */
  upload(address: string, file: Buffer): Promise<void> {
    return this.#clientOfSession().upload(address, file);
  }

  /**
   * The ClickStack version of the server, such as `2.46.0`, asked once; undefined for ClickHouse Cloud, which does not tell it.
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

  /** Tells the user about something that the provider did without being asked. */
  inform(message: string): void {
    this.log.info(printableMessage(this.secrets.hide(message)));
  }

  /** Loads the API client's code on the first request: programs that only declare resources send none, and start faster. */
  #clientOfSession(): Client {
    if (!this.#client) {
      const { Client } = require("../api/client") as typeof import("../api/client");
      const notice = (text: string) => this.inform(text);
      this.#client = new Client(this.settings, notice, this.interruption, this.secrets.hideInAnswer);
    }
    return this.#client;
  }
}

/** Makes a function that returns one value per session, made when a caller first asks for it. */
export function perSession<Value>(make: () => Value): (session: Session) => Value {
  const values = new WeakMap<Session, Value>();
  return (session) => {
    const value = values.get(session) ?? make();
    values.set(session, value);
    return value;
  };
}
