import { Agenda } from "./agenda";
import type { Answer } from "./answer";
import { Api, type Run } from "./apis/api";
import { consoleProtocol } from "./apis/console";
import { management } from "./apis/management";
import { observability } from "./apis/observability";
import { Exchange } from "./exchange";
import { FaultScript } from "./faults/script";
import { Identifiers } from "./identifiers";
import { Journal } from "./journal";
import type { Judge } from "./judge";
import { Kinds } from "./kinds";
import { type RateLimit, RateLimiter } from "./rateLimit";
import type { ApiName, Reply, Request } from "./request";
import { tileSeries } from "./resources/chartSeries";
import { opening } from "./resources/clickStack";
import { healthOf } from "./resources/health";
import { acceptance } from "./resources/invitations";
import { settle } from "./resources/passing";
import { resources } from "./resources/registry";
import type { Resource } from "./resources/resource";
import type { Lifecycle } from "./resources/serviceStates";
import { Answers, type Rewrite } from "./rewrites";
import { Store, seed } from "./store";
import { type Dialect, type ServerVocabulary, type Version, vocabularyOf } from "./vocabulary";

export interface ModelOptions {
  readonly dialect?: Dialect;
  /**
   * The ClickStack version that the sandbox's observability server imitates in the dialect `clickhouse`. The default is the
   * newest.
   */
  readonly version?: Version;
  readonly rewrites?: readonly Rewrite[];
  /**
   * Milliseconds that a service or a private endpoint takes for one change of its state. Creating a service takes three times
   * as long. Default: 1000.
   */
  readonly stateMilliseconds?: number;
  readonly rateLimit?: { readonly management?: RateLimit; readonly observability?: RateLimit };
  /** Whether the sandbox's journal of requests keeps the bodies of responses, which the console shows. */
  readonly keepsAnswers?: boolean;
  readonly keepsRequests?: boolean;
  readonly randomBytes?: (count: number) => Buffer;
  /** Makes the ids and secrets of the sandbox's objects, for tests that need fixed ids. */
  readonly ids?: Identifiers;
  /** Returns the present time when somebody sets or clears a fault. By default it is the time of the latest request. */
  readonly clock?: () => number;
  /**
   * Called when the sandbox plans an action for a time. The caller then has to call {@link Model.advance} at that time, since
   * the model has no clock.
   */
  readonly planned?: (due: number) => void;
  /** Whether an API key in the dialect `clickhouse` may only do what its roles permit. Default: true. */
  readonly enforcesPermissions?: boolean;
  /**
   * Makes the sandbox strict: the judge, an independent check against the API documents, refuses wrong requests and responses.
   */
  readonly judge?: Judge;
  /** Called when records of the sandbox may have changed, so that they are saved to the state file and shown in the console. */
  readonly changed?: () => void;
}

/**
 * The model of the service behind a sandbox: both APIs, and all records. It needs neither sockets nor a clock, so a test may
 * call it with times of its own. `store.contents()` returns the records, and `store.load()` replaces them.
 *
 * @example
 * const model = new Model({ dialect: "clickhouse" });
 * model.handle("observability", { method: "GET", url: "/api/v2/alerts", headers }, Date.now());
 */
export class Model {
  readonly store: Store;
  readonly vocabulary: ServerVocabulary;
  readonly rewrites: Set<Rewrite>;
  readonly journal: Journal;
  readonly faults: FaultScript;
  readonly ids: Identifiers;
  readonly changed: () => void;
  readonly apis: { readonly [name in ApiName]: Api };
  readonly #answers: Answers;
  readonly #limiters: RateLimiter[];
  readonly #makeConsole: () => Api;
  #console: Api | undefined;
  #kinds: Kinds | undefined;
  readonly #agenda: Agenda;
  readonly #dialect: Dialect;
  #latest = 0;

  constructor(options: ModelOptions = {}) {
    const {
      dialect = "neutral",
      rateLimit = {},
      planned = () => {},
      clock = () => this.#latest,
      judge,
      stateMilliseconds = 1000,
      enforcesPermissions = true,
    } = options;
    this.#dialect = dialect;
    this.changed = options.changed ?? (() => {});
    this.vocabulary = vocabularyOf(dialect, options.version);
    this.store = new Store(seed(dialect));
    this.rewrites = new Set(options.rewrites);
    this.#answers = new Answers(() => [...this.store.sources.keys()][0], this.rewrites);
    this.journal = new Journal(options.keepsAnswers === true, options.keepsRequests !== false);
    this.#agenda = new Agenda(planned);
    this.faults = new FaultScript(this.#agenda, clock);
    this.ids = options.ids ?? new Identifiers(options.randomBytes);
    const limiterOf = (limit: RateLimit | undefined) => limit && new RateLimiter(limit);
    const limiters = {
      management: limiterOf(rateLimit.management),
      observability: limiterOf(rateLimit.observability),
    };
    this.#limiters = Object.values(limiters).flatMap((limiter) => limiter ?? []);
    const { store, vocabulary, ids } = this;
    store.watch(({ after }) => {
      for (const { at } of (after as Lifecycle | undefined)?.steps ?? []) planned(at);
    });
    const context = { store, vocabulary, ids, answers: this.#answers, stateMilliseconds };
    const allResources: Resource[] = Object.values(resources);
    this.apis = {
      management: new Api(
        management(store, vocabulary, limiters.management, enforcesPermissions),
        context,
        allResources,
        [],
        judge,
      ),
      observability: new Api(
        observability(store, vocabulary, limiters.observability),
        context,
        allResources,
        healthOf(vocabulary),
        judge,
      ),
    };
    const unchanged = { ...context, answers: new Answers(() => undefined, new Set()) };
    this.#makeConsole = () =>
      new Api(consoleProtocol(store, vocabulary), unchanged, allResources, [
        ["/services/:serviceId/series", tileSeries(store)],
        ["/invitations/:id/accept", acceptance(store, ids)],
        ["/services/:serviceId/clickstack", opening(store, ids)],
      ]);
  }

  /**
   * Handles a request to the sandbox that comes at the given time, in milliseconds since 1970.
   * @param run carries out an accepted request in place of its route
   */
  handle(api: ApiName, request: Request, now: number, run?: Run): Reply {
    const exchange = this.begin(api, request, now, run);
    const reply = exchange.carryOut(now + exchange.delay);
    exchange.record(now + exchange.delay + (reply.delay ?? 0));
    return reply;
  }

  /** Accepts a request to the sandbox. The caller then carries the request out and adds it to the journal. */
  begin(api: ApiName, request: Request, now: number, run?: Run): Exchange {
    this.advance(now);
    return new Exchange(this, api, request, now, run);
  }

  /**
   * Handles a request of the sandbox's console; undefined if there is no route. The request is not added to the journal, and no
   * fault affects it.
   */
  change(request: Request, now: number): Answer | undefined {
    this.advance(now);
    const api = this.#consoleApi();
    const consoleRoute = api.find(request);
    return consoleRoute && api.handle(request, consoleRoute, now, this.ids.uuid()).answer;
  }

  /** The kinds of objects that the sandbox's console shows and changes. */
  get kinds(): Kinds {
    this.#kinds ??= new Kinds(this.store, this.vocabulary, this.#consoleApi());
    return this.#kinds;
  }

  #consoleApi(): Api {
    this.#console ??= this.#makeConsole();
    return this.#console;
  }

  /** Lets time pass in the sandbox: runs the actions (such as state changes of services) that are due. */
  advance(now: number): void {
    this.#latest = now;
    this.#agenda.advance(now);
    settle(this.store, now);
  }

  /**
   * Restores the first records of the sandbox, empties its journal of requests, and starts to count faults and requests anew.
   */
  async reset(): Promise<void> {
    this.store.load(seed(this.#dialect));
    this.journal.clear();
    this.#answers.clear();
    for (const limiter of this.#limiters) limiter.clear();
    await this.faults.restart();
  }
}
