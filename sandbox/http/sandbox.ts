import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { type Credentials, seededCredentials } from "../core/credentials";
import type { Faults } from "../core/faults/script";
import type { JournalEntry } from "../core/journal";
import type { Judge } from "../core/judge";
import { Model } from "../core/model";
import type { Rewrite } from "../core/rewrites";
import type { Store } from "../core/store";
import { createApiServer } from "./apiServer";
import { createCertificate } from "./certificate";
import { createConsoleServer } from "./console/server";
import { checkOptions, type SandboxOptions } from "./options";
import { type Certificates, Port } from "./port";
import { StateFile } from "./stateFile";
import { Timer } from "./timer";
import { type Watcher, Watchers } from "./watchers";

/** A running sandbox, which serves its APIs and, on request, a console. */
export interface Sandbox {
  /** Address of the sandbox's management API, such as `http://127.0.0.1:40123`; empty if it is not served. */
  readonly baseUrl: string;
  /** Address of the sandbox's observability API; empty if it is not served. */
  readonly obsBaseUrl: string;
  /** Address of the sandbox's console, a page that shows and changes the records; empty without `consolePort`. */
  readonly consoleUrl: string;
  /** The ids of the organization and services of a new sandbox, its admin key and its access token. */
  readonly credentials: Readonly<Credentials>;
  /** The requests that the sandbox has answered, oldest first, without secrets. `requests.length = 0` removes them. */
  readonly requests: JournalEntry[];
  /** The records behind both APIs of the sandbox. A test may read them, and change them behind a client's back. */
  readonly store: Store;
  /** The active rewrites of responses. May be changed at any time; `reset` keeps them. */
  readonly rewrites: Set<Rewrite>;
  /** The faults that are set in the sandbox. May be changed at any time; `reset` keeps them and starts counting again. */
  readonly faults: Faults;
  /**
   * Certificates that a client has to trust (PEM, for `NODE_EXTRA_CA_CERTS`): the sandbox's own, and the one for another host,
   * which a fault of kind `certificate` sends. Absent without TLS.
   */
  readonly certificate?: string;
  /**
   * Calls a function when the sandbox has received, carried out and answered a request; the request waits for it. If the client
   * has closed the connection by the end of the first call, the request is not carried out.
   *
   * @returns a function that ends the calls
   */
  watch(watcher: Watcher): () => void;
  /** Restores the first records of the sandbox, empties the journal of requests and resets rate limits. */
  reset(): Promise<void>;
  /** Stops the sandbox's servers, closes all connections and writes the state file. May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox: both APIs of the service on 127.0.0.1. They share one set of records, with an organization that has two
 * services, pipes, reverse private endpoints, sources and a webhook.
 *
 * Keys keep their roles, but any key may call any operation: the API document does not list the permissions of roles.
 *
 * @throws TypeError for an invalid option; Error if a port is taken or the state file cannot be used.
 * @example
 * const sandbox = await createSandbox({ stateFile: "sandbox.json" });
 * console.log(sandbox.baseUrl, sandbox.credentials.keyId);
 * await sandbox.close();
 */
export function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox(options);
}

/** Starts a sandbox with a judge, an independent check of its requests and responses against the API documents. */
export async function startSandbox(options: SandboxOptions, judge?: Judge): Promise<Sandbox> {
  checkOptions(options);
  const { apis: served = "both", rewrites, rateLimit, dialect, version } = options;
  const watchers = new Watchers();
  const timer = new Timer((now) => {
    model.advance(now);
    model.changed();
  });
  const model = new Model({
    ...{ dialect, version, rewrites, rateLimit, judge, stateMilliseconds: options.stateMilliseconds },
    keepsAnswers: options.consolePort !== undefined,
    clock: () => Date.now(),
    planned: timer.plan,
    changed() {
      stateFile?.changed();
      consoleServer?.changed();
    },
  });
  const { store, faults } = model;
  const stateFile = options.stateFile === undefined ? undefined : new StateFile(options.stateFile, store);
  await stateFile?.open();

  const certificates: Certificates | undefined = options.tls
    ? {
        regular: createCertificate(["127.0.0.1", "localhost"]),
        foreign: createCertificate(["elsewhere.invalid"]),
      }
    : undefined;
  const consoleServer = options.consolePort === undefined ? undefined : createConsoleServer(model);
  const apis = (["management", "observability"] as const).map((name) =>
    createApiServer(name, model, watchers, certificates?.regular),
  ) as [FastifyInstance, FastifyInstance];

  const ports: { management?: Port; observability?: Port } = {};
  const closeAll = async () => {
    faults.close();
    timer.close();
    await Promise.all(Object.values(ports).map((port) => port.release()));
    return Promise.all([...apis, ...(consoleServer ? [consoleServer.app] : [])].map((app) => app.close()));
  };
  try {
    if (served !== "observability") {
      await listen(apis[0], options.port, "port");
      ports.management = new Port(apis[0].server, certificates);
    }
    if (served !== "management") {
      await listen(apis[1], options.obsPort, "obsPort");
      ports.observability = new Port(apis[1].server, certificates);
    }
    await faults.open(ports, options.faults ?? []);
    if (consoleServer) await listen(consoleServer.app, options.consolePort, "consolePort");
  } catch (error) {
    await closeAll();
    throw error;
  }

  return {
    baseUrl: ports.management?.address ?? "",
    obsBaseUrl: ports.observability?.address ?? "",
    consoleUrl: consoleServer ? address(consoleServer.app) : "",
    credentials: seededCredentials,
    requests: model.journal.entries,
    store,
    rewrites: model.rewrites,
    faults,
    ...(certificates && { certificate: certificates.regular.cert + certificates.foreign.cert }),
    watch: (watcher) => watchers.add(watcher),
    async reset() {
      await model.reset();
      model.changed();
    },
    async close() {
      await closeAll();
      await stateFile?.close();
    },
  };
}

async function listen(api: FastifyInstance, port = 0, option: string): Promise<void> {
  await api.listen({ host: "127.0.0.1", port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") throw new Error(`${option} ${port} is in use by another program`);
    if (error.code === "EACCES")
      throw new Error(`the current user may not use ${option} ${port}; choose another port`);
    throw error;
  });
}

function address(api: FastifyInstance): string {
  const bound = api.server.address() as AddressInfo | null;
  return bound ? `http://127.0.0.1:${bound.port}` : "";
}
