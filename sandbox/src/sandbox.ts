import type { AddressInfo } from "node:net";
import { type Certificate, createCertificate } from "./certificate";
import { createConsole } from "./console/console";
import { type Certificates, Port, type Ports } from "./faults/port";
import { FaultScript, type Faults } from "./faults/script";
import { Journal, type JournalEntry } from "./journal";
import type { Listener } from "./listener";
import { createManagement } from "./management";
import { createObservability } from "./observability";
import { checkOptions, type SandboxOptions } from "./options";
import { RateLimiter } from "./rateLimit";
import { Answers, type Rewrite } from "./rewrites";
import { type Credentials, seed, seededCredentials } from "./seed";
import { StateFile } from "./stateFile";
import { Store } from "./store";
import { type Watcher, Watchers } from "./watchers";
import { type Words, wordsOf } from "./words";

/** What both APIs work on. */
export interface Shared {
  store: Store;
  answers: Answers;
  words: Words;
  journal: Journal;
  faults: FaultScript;
  /** Key and certificate, to serve with TLS. */
  tls?: Certificate;
  watchers: Watchers;
  /** Called after each request. */
  changed(): void;
}

/** A running sandbox. */
export interface Sandbox {
  /** Address of the management API, such as `http://127.0.0.1:40123`; empty if it is not served. */
  readonly baseUrl: string;
  /** Address of the observability API; empty if it is not served. */
  readonly obsBaseUrl: string;
  /** Address of the console, a page to look into the sandbox and to change it by hand; empty if there is none. */
  readonly consoleUrl: string;
  /** The seeded organization, services, admin key and access token. */
  readonly credentials: Readonly<Credentials>;
  /** What was asked, oldest first, without secrets. `requests.length = 0` forgets it. */
  readonly requests: JournalEntry[];
  /** The records behind both APIs, to look at and to change behind a client's back. */
  readonly store: Store;
  /** The rewrites that are on; may be changed at any time, and is left alone by `reset`. */
  readonly rewrites: Set<Rewrite>;
  /** The faults that are set; may be changed at any time, are left alone by `reset` and then count from the start. */
  readonly faults: Faults;
  /** What a client has to trust (PEM, for `NODE_EXTRA_CA_CERTS`), the foreign certificate included; absent without TLS. */
  readonly certificate?: string;
  /**
   * Calls a function when a request was received, was carried out, and was answered, and lets the request wait for it.
   * A request whose client has gone by the end of the first call is not carried out. Returns what ends the calls.
   */
  watch(watcher: Watcher): () => void;
  /** Puts the store back to the seed, empties the journal and forgets counted requests. */
  reset(): Promise<void>;
  /** Stops both APIs, closes all connections and writes the state file. May be called twice. */
  close(): Promise<void>;
}

/**
 * Starts both APIs of the service on 127.0.0.1, over one store that holds one organization with two services,
 * pipes, reverse private endpoints, sources and a webhook.
 *
 * Roles of keys are kept, but any key may call any operation: the API document does not say which role may what.
 *
 * @throws TypeError for a wrong option; Error if a port is taken or the state file cannot be used.
 * @example
 * const sandbox = await createSandbox({ stateFile: "sandbox.json" });
 * console.log(sandbox.baseUrl, sandbox.credentials.keyId);
 * await sandbox.close();
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  checkOptions(options);
  const store = new Store(seed());
  const rewrites = new Set(options.rewrites);
  const answers = new Answers(store, rewrites);
  const journal = new Journal();
  const watchers = new Watchers();
  const stateFile = options.stateFile === undefined ? undefined : new StateFile(options.stateFile, store);
  await stateFile?.open();

  const { management, observability } = options.rateLimit ?? {};
  const limiters = {
    management: management && new RateLimiter(management),
    observability: observability && new RateLimiter(observability),
  };
  const { dialect = "neutral", apis: served = "both" } = options;
  const certificates: Certificates | undefined = options.tls
    ? {
        own: createCertificate(["127.0.0.1", "localhost"]),
        foreign: createCertificate(["elsewhere.invalid"]),
      }
    : undefined;
  const faults = new FaultScript();
  const shared: Shared = {
    store,
    answers,
    words: wordsOf[dialect],
    journal,
    faults,
    watchers,
    ...(certificates && { tls: certificates.own }),
    changed() {
      stateFile?.changed();
      consoleServer?.changed();
    },
  };
  const consoleServer = options.consolePort === undefined ? undefined : createConsole(shared);
  const apis = [
    createManagement(shared, limiters.management),
    createObservability(shared, limiters.observability),
  ] as const;

  const ports: Ports = {};
  const closeAll = () => {
    faults.close();
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
    requests: journal.entries,
    store,
    rewrites,
    faults,
    ...(certificates && { certificate: certificates.own.cert + certificates.foreign.cert }),
    watch: (watcher) => watchers.add(watcher),
    async reset() {
      store.load(seed());
      journal.clear();
      answers.clear();
      limiters.management?.clear();
      limiters.observability?.clear();
      await faults.restart();
      shared.changed();
    },
    async close() {
      await closeAll();
      await stateFile?.close();
    },
  };
}

async function listen(api: Listener, port = 0, option: string): Promise<void> {
  await api.listen({ host: "127.0.0.1", port }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EADDRINUSE") throw new Error(`${option} ${port} is in use by another program`);
    if (error.code === "EACCES") throw new Error(`${option} ${port} may not be used by this account`);
    throw error;
  });
}

function address(api: Listener): string {
  const bound = api.server.address() as AddressInfo | null;
  return bound ? `http://127.0.0.1:${bound.port}` : "";
}
