import type { Caller, Data, Store } from "../../promises/store";
import { Random } from "../random";
import { never, wait } from "../virtualTime";
import { Answers } from "./answers";
import type { Behaviour } from "./behaviour";
import { drawFault, type Fault, type FaultFamily, isCreate } from "./faults";
import { type Answer, foreignAnswers, waitHeaders } from "./foreign";
import { type Result, type Routes, type Understood, understand } from "./routes";
import { deliverBy, type HttpRequest } from "./transport";

/** The faults of a history: drawn at this rate from these families, or exactly the given ones. */
export type Faults =
  | {
      readonly rate: number;
      readonly families: readonly FaultFamily[];
      /** Whether a fault does not happen to a request, since what comes of it is known. */
      readonly isLeftOut?: (fault: Fault, request: Understood) => boolean;
    }
  | ReadonlyMap<string, Fault>;

/** One request as it went over the wire. */
export interface WireEntry {
  readonly at: number;
  readonly caller: Caller;
  /** Names the request in its history: the step, and which of the step's requests it is. */
  readonly key: string;
  /** Which process sent it, and to which of the two APIs. */
  readonly process: number;
  readonly api: Understood["api"];
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly isCreate: boolean;
  fault?: Fault;
  answer?: Answer;
  answeredAt?: number;
}

/** A process of the provider, as the network sees it. */
export interface Connection {
  readonly baseUrl: string;
  readonly obsBaseUrl: string;
  /** How many requests it has made. */
  readonly requests: () => number;
  /** From here on it gets no answer and its requests reach nobody. */
  cut(): void;
}

interface Process {
  readonly caller: Caller;
  requests: number;
  isCut: boolean;
}

/** How many networks there have been: the rate limiters of the provider live as long as the process, by address. */
let networks = 0;

/** Between the provider's client and the service. It takes the place of HTTP. */
export class Network {
  readonly wire: WireEntry[] = [];
  /** Whether faults happen at all. */
  isFaulty = true;
  readonly #processes: Process[] = [];
  readonly #used = new Map<number, number>();
  readonly #answers: Answers;
  readonly #domain = `run${++networks}.simulation.example`;

  constructor(
    private readonly seed: number,
    private readonly store: Store,
    private readonly routes: Routes,
    private readonly behaviour: Behaviour,
    private readonly faults: Faults,
  ) {
    this.#answers = new Answers(store, routes, behaviour);
  }

  /** Addresses for one process. */
  connect(caller: Caller): Connection {
    const process: Process = { caller, requests: 0, isCut: false };
    const number = this.#processes.push(process) - 1;
    const host = `${number}.${this.#domain}`;
    return {
      baseUrl: `https://management-${host}`,
      obsBaseUrl: `https://observability-${host}`,
      requests: () => process.requests,
      cut: () => {
        process.isCut = true;
      },
    };
  }

  /** A message without what differs from run to run. */
  withoutDomain(message: string): string {
    return message.replaceAll(this.#domain, "simulation.example");
  }

  /**
   * Makes this network the one of all clients from here on.
   *
   * @returns ends that
   */
  open(): () => void {
    deliverBy((request) => this.#deliver(request));
    return () => deliverBy(undefined);
  }

  async #deliver({ baseUrl, url, params, data, headers, signal, method }: HttpRequest) {
    const [, api, number] = /^https:\/\/(\w+)-(\d+)\./.exec(baseUrl) ?? [];
    const process = this.#processes[Number(number)] as Process;
    if (process.isCut) return never();
    process.requests++;
    const { step } = process.caller;
    const count = (this.#used.get(step) ?? 0) + 1;
    this.#used.set(step, count);
    const key = `${step}.${count}`;
    const body = data === undefined ? undefined : JSON.stringify(data);
    const random = new Random(this.seed, "request", key);
    const request = understand(
      this.behaviour,
      process.caller,
      api as Understood["api"],
      method,
      url,
      params ?? {},
      body === undefined ? {} : (JSON.parse(body) as Data),
    );
    const fault = request && this.isFaulty ? this.#faultOf(key, request) : undefined;
    const entry: WireEntry = {
      at: Date.now(),
      caller: process.caller,
      key,
      process: Number(number),
      api: api as Understood["api"],
      method,
      path: params
        ? `${url}?${Object.entries(params)
            .map((pair) => pair.join("="))
            .join("&")}`
        : url,
      body,
      isCreate: request !== undefined && isCreate(request),
      fault,
    };
    this.wire.push(entry);

    const aborted = new Promise<string>((resolve) => {
      signal.onabort = () => resolve("ERR_CANCELED");
    });
    const answering = this.#answer(request, fault, random, headers.Authorization);
    const answer = await Promise.race([answering, aborted]);
    if (process.isCut) return never();
    if (answer === "ERR_CANCELED") return answer;
    entry.answeredAt = Date.now();
    if (typeof answer !== "string") entry.answer = answer;
    return answer;
  }

  /** Faults have random numbers of their own, so that the same history with given faults is the same. */
  #faultOf(key: string, request: Understood): Fault | undefined {
    if (this.faults instanceof Map) return this.faults.get(key);
    const random = new Random(this.seed, "fault", key);
    const { rate, families, isLeftOut } = this.faults as Exclude<Faults, ReadonlyMap<string, Fault>>;
    if (families.length === 0 || !random.chance(rate)) return undefined;
    const fault = drawFault(random, random.pick(families), request);
    return fault && isLeftOut?.(fault, request) ? undefined : fault;
  }

  /** The answer, or the code of the error that takes its place. */
  async #answer(
    request: Understood | undefined,
    fault: Fault | undefined,
    random: Random,
    authorization: string,
  ): Promise<Answer | string> {
    const [there, back] = [random.integer(2, 60), random.integer(2, 60)];
    await wait(there);
    if (request === undefined) return foreignAnswers.express;
    const now = Date.now() + this.behaviour.skew;
    if (!this.#isAuthorized(request, authorization))
      return request.api === "management"
        ? this.#answers.inEnvelope(request, { status: 401, error: "UNAUTHORIZED" }, random)
        : { status: 401, headers: {}, body: "Unauthorized" };
    const own = (result: Result) => this.#answers.inEnvelope(request, result, random);
    const answer = await this.#withFault(request, fault, random, now, authorization, own);
    await wait(back);
    return answer;
  }

  async #withFault(
    request: Understood,
    fault: Fault | undefined,
    random: Random,
    now: number,
    authorization: string,
    own: (result: Result) => Answer,
  ): Promise<Answer | string> {
    const { routes } = this;
    if (fault === undefined) {
      const result = own(routes.carryOut(request));
      const { slowWrites } = this.behaviour;
      if (request.method !== "GET" && slowWrites > 0) await wait(slowWrites);
      return result;
    }
    if (fault.kind === "refused") return "ECONNREFUSED";
    if (fault.kind === "slow") {
      await wait(fault.milliseconds);
      return own(routes.carryOut(request));
    }
    if (fault.kind === "stale") return own(routes.carryOut(request, Date.now() - fault.milliseconds));
    if (fault.kind === "scopeGone") return own({ status: 404, error: `${fault.what} not found` });
    if (fault.kind === "swallowed" || fault.kind === "oldAnswer")
      return own(this.#answers.masked(request, fault));
    if (fault.kind === "phantom") return own(this.#answers.phantom(request, random));
    if (fault.kind === "oddId") return own(this.#answers.withId(request, fault.form));
    const result = this.#carryOut(request, fault.carriedOut);
    switch (fault.kind) {
      case "broken":
        return "ECONNRESET";
      case "silent":
        return never();
      case "failed":
        return own({ status: 500, error: "INTERNAL_ERROR: something went wrong" });
      case "foreign":
        return foreignAnswers[fault.answer];
      case "echo":
        return echoOf(authorization);
      case "limited": {
        const headers = waitHeaders(random, now);
        if (request.api === "observability" || random.chance(0.3))
          return {
            status: 429,
            headers: { ...headers, "content-type": "text/html" },
            body: "Too many requests, please try again later.",
          };
        const answer = own({ status: 429, error: "TOO_MANY_REQUESTS: rate limit exceeded" });
        return { ...answer, headers: { ...answer.headers, ...headers } };
      }
      case "cut": {
        const whole = own(result ?? { status: 200, payload: {} });
        return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) };
      }
      case "otherObject":
        return own(this.#answers.otherObject(request, result));
    }
  }

  #carryOut(request: Understood, when: number | "yes" | "no"): Result | undefined {
    if (when === "no") return undefined;
    if (when === "yes") return this.routes.carryOut(request);
    void wait(when).then(() => this.routes.carryOut(request));
    return undefined;
  }

  #isAuthorized({ api, caller }: Understood, authorization: string): boolean {
    if (api === "observability")
      return [signerFor(caller.actor), "other" as const].some(
        (signer) => authorization === `Bearer ${credentialsOf(signer).accessToken}`,
      );
    const [keyId, keySecret] = Buffer.from(authorization.replace("Basic ", ""), "base64")
      .toString()
      .split(":");
    return this.store.all("keys").some((key) => key.keyId === keyId && key.keySecret === keySecret);
  }
}

function echoOf(authorization: string): Answer {
  const body = JSON.stringify({ message: `upstream failed: ${authorization} ${authorization.slice(6)}` });
  return { status: 502, headers: { "content-type": "application/json" }, body };
}

/** Whose keys sign: those of the stacks, and one for a provider instance with credentials of its own. */
export type Signer = "a" | "b" | "other";

/** Whose key somebody signs with: all but stack b with that of stack a. */
export function signerFor(actor: Caller["actor"]): Signer {
  return actor === "b" ? "b" : "a";
}

/** What somebody signs with. The keys are of somebody else: the service has them from the beginning. */
export function credentialsOf(signer: Signer): {
  keyId: string;
  keySecret: string;
  accessToken: string;
} {
  return {
    keyId: `signing${signer}0123456789sgn${signer}`,
    keySecret: `sign/s+cret%of=${signer}&0123456789`,
    accessToken: `token/of+${signer}==0123456789`,
  };
}
