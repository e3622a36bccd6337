import { ApiError } from "../../../sandbox/core/apiError";
import type { ApiName, Request } from "../../../sandbox/core/request";
import type { Caller } from "../../promises/store";
import { Random } from "../random";
import { never, wait } from "../virtualTime";
import { type Asked, drawFault, type Fault, type FaultFamily, isCreate } from "./faults";
import { type Answer, foreignAnswers, waitHeaders } from "./foreign";
import type { Course, Service } from "./simulatedService";
import { deliverBy, type HttpRequest, requestOf } from "./transport";

/** Faults that are chosen at random from some families of faults. */
export interface DrawnFaults {
  readonly rate: number;
  readonly families: readonly FaultFamily[];
  /** Returns true for a fault that must not happen to a simulated request, since it triggers a known fault of the provider. */
  readonly isLeftOut?: (fault: Fault, request: Asked) => boolean;
}

/** The faults of a simulated history: chosen at random, or given for each request key. */
export type Faults = DrawnFaults | ReadonlyMap<string, Fault>;

/** Decides what happens to each request of a simulated history, and learns what the service has carried out. */
export interface Plan {
  faultOf(request: Asked, sent: HttpRequest, caller: Caller): Fault | undefined;
  /** Returns the request as the service treats it. */
  treated(sent: HttpRequest): HttpRequest;
  /** Called after the service has carried out a write, or has refused it for a reason of its own. */
  wrote(sent: HttpRequest, status: number, caller: Caller): void;
}

export interface WireEntry {
  readonly at: number;
  readonly caller: Caller;
  /** Identifies a request in its simulated history: the number of the step, and the number of the request within the step. */
  readonly key: string;
  readonly process: number;
  readonly api: ApiName;
  readonly method: string;
  readonly path: string;
  readonly body?: string;
  readonly isCreate: boolean;
  fault?: Fault;
  answer?: Answer;
  answeredAt?: number;
}

/** The connection of one simulated provider process to the network. */
export interface Connection {
  readonly baseUrl: string;
  readonly obsBaseUrl: string;
  readonly requests: () => number;
  /** Cuts the provider process off from the simulated network: its requests no longer arrive, and it receives no answers. */
  cut(): void;
}

interface Process {
  readonly caller: Caller;
  requests: number;
  isCut: boolean;
}

/**
 * The number of simulated networks so far. Each needs its own domain, since the provider keeps a rate limiter for each address
 * as long as Node runs.
 */
let networks = 0;

/** The simulated network between the provider's client and the service. It replaces HTTP. */
export class Network {
  readonly wire: WireEntry[] = [];
  /** Whether the simulated network injects faults. It stops at the end of a simulated history. */
  isFaulty = true;
  readonly #processes: Process[] = [];
  readonly #used = new Map<number, number>();
  readonly #kills = new Map<number, () => void>();
  readonly #domain = `run${++networks}.simulation.example`;

  constructor(
    private readonly seed: number,
    private readonly service: Service,
    private readonly faults: Faults | Plan,
    /** The most milliseconds that a request or an answer is under way. */
    private readonly longestTransit = 60,
  ) {}

  /** Resolves if a fault kills the Pulumi command of a step. */
  killed(step: number): Promise<void> {
    return new Promise((resolve) => this.#kills.set(step, resolve));
  }

  /** Connects a new simulated provider process to the network and returns its addresses of both APIs. */
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

  /** Replaces the simulated network's domain in a message, since the domain differs from run to run. */
  withoutDomain(message: string): string {
    return message.replaceAll(this.#domain, "simulation.example");
  }

  /**
   * Makes the provider's clients send their requests to this simulated network.
   * @returns a function after which no more requests are sent to this network
   */
  open(): () => void {
    deliverBy((request) => this.#deliver(request));
    return () => deliverBy(undefined);
  }

  async #deliver(sent: HttpRequest) {
    const [, name, number] = /^https:\/\/(\w+)-(\d+)\./.exec(sent.baseUrl) ?? [];
    const api = name as ApiName;
    const process = this.#processes[Number(number)] as Process;
    if (process.isCut) return never();
    process.requests++;
    const { caller } = process;
    const { step } = caller;
    const count = (this.#used.get(step) ?? 0) + 1;
    this.#used.set(step, count);
    const key = `${step}.${count}`;
    const random = new Random(this.seed, "request", key);
    const request = requestOf(sent);
    const { method, url, body } = request;
    const operation = this.service.operationOf(api, request);
    const asked = operation === undefined ? undefined : { api, method, operation };
    const fault = asked && this.isFaulty ? this.#faultOf(key, asked, sent, caller) : undefined;
    const entry: WireEntry = {
      ...{ at: Date.now(), caller, key, process: Number(number), api, method, path: url, body, fault },
      isCreate: asked !== undefined && isCreate(asked),
    };
    this.wire.push(entry);

    const aborted = new Promise<string>((resolve) => {
      sent.signal.onabort = () => resolve("ERR_CANCELED");
    });
    const answering = this.#answer({ caller, api, sent, request, operation, random }, fault);
    const answer = await Promise.race([answering, aborted]);
    if (process.isCut) return never();
    if (answer === "ERR_CANCELED") return answer;
    entry.answeredAt = Date.now();
    if (typeof answer !== "string") entry.answer = answer;
    return answer;
  }

  /**
   * Returns the fault of a simulated request. Faults have their own random numbers, so that a history with given faults draws
   * all other numbers as before.
   */
  #faultOf(key: string, request: Asked, sent: HttpRequest, caller: Caller): Fault | undefined {
    if ("faultOf" in this.faults) return this.faults.faultOf(request, sent, caller);
    if (this.faults instanceof Map) return this.faults.get(key);
    const random = new Random(this.seed, "fault", key);
    const { rate, families, isLeftOut } = this.faults as DrawnFaults;
    if (families.length === 0 || !random.chance(rate)) return undefined;
    const fault = drawFault(random, random.pick(families), request);
    return fault && isLeftOut?.(fault, request) ? undefined : fault;
  }

  /** Returns the answer to a request in the simulated network, or the code of a connection error. */
  async #answer(sent: Sent, fault: Fault | undefined): Promise<Answer | string> {
    const { random, operation } = sent;
    const [there, back] = [random.integer(2, this.longestTransit), random.integer(2, this.longestTransit)];
    await wait(there);
    if (operation === undefined) return foreignAnswers.express;
    const answer = await this.#withFault(sent, fault);
    await wait(back);
    return answer;
  }

  async #withFault(sent: Sent, fault: Fault | undefined): Promise<Answer | string> {
    const { api, request, random } = sent;
    const own = (course?: Course) => this.#own(sent, course);
    if (fault === undefined) {
      const answer = own();
      const { slowWrites } = this.service.behaviour;
      if (request.method !== "GET" && slowWrites > 0) await wait(slowWrites);
      return answer;
    }
    switch (fault.kind) {
      case "refused":
        return "ECONNREFUSED";
      case "slow":
        await wait(fault.milliseconds);
        return own();
      case "stale":
        return own({ age: fault.milliseconds });
      case "scopeGone":
        return own({ refusal: new ApiError(404, `${fault.what} not found`) });
      case "swallowed":
        return own({ isUndone: true, shows: fault.shows });
      case "oldAnswer":
        return own({ shows: "old" });
      case "phantom":
        return own({ isUndone: true });
      case "oddId":
        return own({ id: fault.form });
      case "conflict":
        return own({ refusal: new ApiError(409, "CONFLICT: another change is under way") });
      case "otherObject":
        return own({ showsOther: fault.carriedOut === "yes" ? "yes" : "no" });
    }
    const answer = this.#carryOut(sent, fault.carriedOut);
    switch (fault.kind) {
      case "broken":
        return "ECONNRESET";
      case "silent":
        return never();
      case "killed":
        this.#kills.get(sent.caller.step)?.();
        return never();
      case "failed":
        return own({ refusal: new ApiError(500, "something went wrong") });
      case "foreign":
        return foreignAnswers[fault.answer];
      case "echo":
        return echoOf(request);
      case "limited": {
        const headers = waitHeaders(random, this.service.now);
        const text = "Too many requests, please try again later.";
        if (api === "observability" || random.chance(0.3))
          return { status: 429, headers: { ...headers, "content-type": "text/html" }, body: text };
        return own({ refusal: new ApiError(429, text, "html", headers) });
      }
      case "cut": {
        const whole = answer ?? { status: 200, headers: {}, body: '{"status":200,"result":{}}' };
        return { ...whole, body: whole.body.slice(0, Math.floor(whole.body.length / 2)) };
      }
    }
  }

  #own({ caller, api, sent, request }: Sent, course: Course = {}): Answer {
    const { service, faults } = this;
    const plan = "faultOf" in faults ? faults : undefined;
    const answer = service.answer(caller, api, plan ? requestOf(plan.treated(sent)) : request, course);
    const isCarriedOut = request.method !== "GET" && !course.refusal && !course.isUndone;
    if (isCarriedOut) plan?.wrote(sent, answer.status, caller);
    return { ...answer, headers: { ...answer.headers, date: new Date(service.now).toUTCString() } };
  }

  #carryOut(sent: Sent, when: number | "yes" | "no"): Answer | undefined {
    if (when === "yes") return this.#own(sent);
    if (when !== "no") void wait(when).then(() => this.#own(sent));
    return undefined;
  }
}

interface Sent {
  readonly caller: Caller;
  readonly api: ApiName;
  readonly sent: HttpRequest;
  readonly request: Request;
  /** The operation of the API; absent if no route serves the request. */
  readonly operation?: string;
  readonly random: Random;
}

function echoOf({ headers, body: sent = "" }: Request): Answer {
  const authorization = String(headers.authorization);
  const texts = sent.match(/"(message|markdown)":"(\\.|[^"\\])*"/g) ?? [];
  const body = JSON.stringify({
    message: `upstream failed: ${authorization} ${authorization.slice(6)} ${texts.join()}`,
  });
  return { status: 502, headers: { "content-type": "application/json" }, body };
}
