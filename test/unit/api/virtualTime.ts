import diagnostics from "node:diagnostics_channel";
import http from "node:http";
import { setImmediate } from "node:timers/promises";
import { type Clock, install } from "@sinonjs/fake-timers";

/** The number of turns of Node's event loop without a request under way after which nothing can happen before a timer fires. */
const idleTurns = 5;

const { addRequest } = http.Agent.prototype as unknown as Agent;

interface Agent {
  addRequest(request: http.ClientRequest, ...options: unknown[]): void;
}

/**
 * Virtual time for clients and servers in the test's process. A timer fires as soon as nothing else can happen, which is when
 * each request under way has reached its server and has no answer yet. So tests do not wait, and do not fail on slow machines.
 */
class VirtualTime {
  readonly #pending = new Set<http.ClientRequest>();
  readonly #unanswered = new Set<http.ServerResponse>();
  readonly #now = performance.now;
  #clock: Clock | undefined;

  /** @param ahead milliseconds by which the virtual time begins ahead of the real one */
  start(ahead = 0): void {
    const { now } = performance;
    const started = now.call(performance);
    const clock = install({
      now: Date.now() + ahead,
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    });
    const from = Date.now();
    performance.now = () => started + Date.now() - from;
    const pending = this.#pending;
    // Node calls an agent's `addRequest` for every HTTP request before it sends anything, so the request counts as under way
    // from its beginning.
    (http.Agent.prototype as unknown as Agent).addRequest = function (request, ...options) {
      pending.add(request);
      request.once("close", () => pending.delete(request));
      addRequest.call(this, request, ...options);
    };
    diagnostics.subscribe("http.server.request.start", this.#onRequest);
    this.#clock = clock;
    void this.#run(clock);
  }

  end(): void {
    this.#clock?.uninstall();
    this.#clock = undefined;
    performance.now = this.#now;
    (http.Agent.prototype as unknown as Agent).addRequest = addRequest;
    diagnostics.unsubscribe("http.server.request.start", this.#onRequest);
    this.#pending.clear();
    this.#unanswered.clear();
  }

  pass(milliseconds: number): void {
    this.#clock?.tick(milliseconds);
  }

  get timers(): number {
    return this.#clock?.countTimers() ?? 0;
  }

  readonly #onRequest = (message: unknown) => {
    const { response } = message as { response: http.ServerResponse };
    this.#unanswered.add(response);
    response.once("finish", () => this.#unanswered.delete(response));
    response.once("close", () => this.#unanswered.delete(response));
  };

  async #run(clock: Clock): Promise<void> {
    for (let idle = 0; this.#clock === clock; idle++) {
      await setImmediate();
      // A response that is being written only waits for its reader, so its request does not stop virtual time.
      const waiting = [...this.#unanswered].filter(({ writableLength }) => writableLength === 0);
      if (this.#pending.size !== waiting.length) idle = 0;
      if (idle >= idleTurns && clock.countTimers() > 0 && this.#clock === clock) {
        clock.next();
        idle = 0;
      }
    }
  }
}

let isVirtual = false;

/**
 * Runs a task in virtual time. A task inside another task shares the time of the outer one.
 * @param ahead milliseconds by which the virtual time begins ahead of the real one
 */
export async function inVirtualTime<Result>(task: () => Promise<Result>, ahead = 0): Promise<Result> {
  if (isVirtual) return task();
  const time = new VirtualTime();
  time.start(ahead);
  isVirtual = true;
  return task().finally(() => {
    isVirtual = false;
    time.end();
  });
}

export function useVirtualTime(): Pick<VirtualTime, "pass" | "timers"> {
  const time = new VirtualTime();
  beforeEach(() => time.start());
  afterEach(() => time.end());
  return time;
}
