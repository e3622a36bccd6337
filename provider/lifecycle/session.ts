import type { Client } from "../api/client";
import { dialects, pathIn } from "../api/dialect";
import { type CallSite, SettingsError } from "../api/errors";
import {
  type Answer,
  type ObservabilityVia,
  type Operation,
  type OperationName,
  operationOn,
  type PathParameters,
} from "../api/operations";
import { printableMessage } from "../api/printable";
import { observabilityViaOf, requireSetting, type Settings } from "../api/settings";

/** Where messages for the user go while there is no error to carry them. */
export interface Log {
  warn(message: string): void;
  info(message: string): void;
}

/** Why something is not done under `operations: documented`: "it takes " and this. */
export const undocumentedOperation =
  'an operation that the API document does not show, which "operations: documented" rules out';

/**
 * What the resources of one provider instance share in one process: settings, one client, the lists already fetched
 * and the warnings already given.
 */
export class Session {
  #settings: Settings | undefined;
  #client: Client | undefined;
  readonly #lists = new Map<string, Promise<unknown>>();
  readonly #warned = new Set<string>();
  /** Types and ids of the objects that the program names, as far as it does: those to take over, and those of a service. */
  readonly declared = new Set<string>();

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

  /** The organization that the inputs name, or the one of the settings. */
  organizationOf(inputs: { readonly organizationId?: unknown }): string {
    return (inputs.organizationId as string | undefined) ?? requireSetting(this.settings, "organizationId");
  }

  /** The service that the inputs name, or the one of the settings. */
  serviceOf(inputs: { readonly serviceId?: unknown }): string {
    return (inputs.serviceId as string | undefined) ?? requireSetting(this.settings, "serviceId");
  }

  /** Whether the settings let the provider call the operation. */
  allows(name: OperationName): boolean {
    return this.#operation(name).documented || this.settings.operations === "all";
  }

  /** Which API serves dashboards, alerts, sources and webhooks. */
  get observabilityVia(): ObservabilityVia {
    return observabilityViaOf(this.settings);
  }

  #operation(name: OperationName): Operation {
    return operationOn(this.observabilityVia, name);
  }

  /** Where an operation is called, for an error about its answer. */
  siteOf(name: OperationName): CallSite {
    const { method, path } = this.#operation(name);
    return { operation: name, method, path: pathIn(dialects[this.settings.dialect], path) };
  }

  /** Calls one operation. A write makes every list that was fetched before stale. */
  async call<Name extends OperationName>(
    name: Name,
    parameters: PathParameters,
    body?: unknown,
  ): Promise<Answer<Name>> {
    // What can be done without is asked for by `allows` beforehand; this is for the rest.
    if (!this.allows(name)) throw new SettingsError(`${name} takes ${undocumentedOperation}`);
    const client = this.#clientOfSession();
    const { method, asksForData } = this.#operation(name);
    if (method === "GET" || asksForData) return client.call(name, parameters, body);
    try {
      return await client.call(name, parameters, body);
    } finally {
      this.#lists.clear();
    }
  }

  /**
   * The answer of a list operation, fetched once for all that read it: refreshing a thousand objects costs one
   * request. A failure is shared too, so that a thousand reads do not repeat a thousand failing requests.
   */
  list<Name extends OperationName>(name: Name, parameters: PathParameters): Promise<Answer<Name>> {
    const key = JSON.stringify([name, parameters]);
    const list = this.#lists.get(key) ?? this.call(name, parameters);
    this.#lists.set(key, list);
    return list as Promise<Answer<Name>>;
  }

  /** Warns once per process, however many resources have the same to say. */
  warnOnce(message: string): void {
    if (this.#warned.has(message)) return;
    this.#warned.add(message);
    this.log.warn(printableMessage(message));
  }

  /** Tells the user what was done that nobody asked for. */
  inform(message: string): void {
    this.log.info(printableMessage(message));
  }

  /** The client's module loads axios and ajv, which is not for programs that call nothing. */
  #clientOfSession(): Client {
    if (!this.#client) {
      const { Client } = require("../api/client") as typeof import("../api/client");
      this.#client = new Client(this.settings, (text) => this.log.info(printableMessage(text)));
    }
    return this.#client;
  }
}
