import diagnostics from "node:diagnostics_channel";
import http from "node:http";
import { setImmediate } from "node:timers/promises";
import { type Clock, install } from "@sinonjs/fake-timers";

/** After so many turns of the event loop without a request on its way, whoever could go on without time has done so. */
const idleTurns = 5;

const { addRequest } = http.Agent.prototype as unknown as Agent;

interface Agent {
  addRequest(request: http.ClientRequest, ...options: unknown[]): void;
}

/**
 * Time in which nobody waits, for clients and servers that are both in this process: a timer fires as soon as nothing
 * else can happen, which is when each request under way has reached its server and is left unanswered there. So no test
 * takes as long as it waits, and none fails because the machine is slow.
 */
class VirtualTime {
  readonly #pending = new Set<http.ClientRequest>();
  readonly #unanswered = new Set<http.ServerResponse>();
  readonly #now = performance.now;
  #clock: Clock | undefined;

  start(): void {
    const { now } = performance;
    const started = now.call(performance);
    const clock = install({
      now: Date.now(),
      toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date"],
    });
    const from = Date.now();
    performance.now = () => started + Date.now() - from;
    const pending = this.#pending;
    // Every request passes here before anything of it is sent.
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

  /** Lets time pass at once, in milliseconds. */
  pass(milliseconds: number): void {
    this.#clock?.tick(milliseconds);
  }

  /** How many timers are set. */
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
      // A large answer on its way waits for nothing but its reader.
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

/** Runs a task in time of its own, or in that of the task that it is a part of. */
export async function inVirtualTime<Result>(task: () => Promise<Result>): Promise<Result> {
  if (isVirtual) return task();
  const time = new VirtualTime();
  time.start();
  isVirtual = true;
  return task().finally(() => {
    isVirtual = false;
    time.end();
  });
}

/** Provides it to each test of the surrounding `describe`. */
export function useVirtualTime(): Pick<VirtualTime, "pass" | "timers"> {
  const time = new VirtualTime();
  beforeEach(() => time.start());
  afterEach(() => time.end());
  return time;
}
