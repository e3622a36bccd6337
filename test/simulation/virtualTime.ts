import { type Clock, install } from "@sinonjs/fake-timers";

/** The date at which every simulated history begins. */
export const beginning = Date.UTC(2027, 0, 15, 12);

const realImmediate = setImmediate;

/** All timeouts in virtual time share one error, since making its stack trace takes longer than a simulated request. */
const timedOut = new DOMException("timed out", "TimeoutError");

/** The error for a task in virtual time that does not end: no timer is left, or the time limit is exceeded. */
export class Hang extends Error {
  override readonly name = "Hang";
}

/**
 * Virtual time: a timer fires as soon as no other work is left, so nothing waits in real time. JavaScript promises resolve in
 * their usual order, so the course of events depends only on the timers.
 */
export class VirtualTime {
  readonly #clock: Clock = install({
    now: beginning,
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  readonly #timeout = AbortSignal.timeout;
  readonly #random = Math.random;

  constructor() {
    AbortSignal.timeout = (milliseconds) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(timedOut), milliseconds);
      return controller.signal;
    };
  }

  begin(): void {
    this.#clock.reset();
  }

  /**
   * Runs a task in virtual time.
   * @param random takes the place of `Math.random`
   * @param longest milliseconds after which the task counts as hanging
   * @throws Hang if the task does not end
   */
  async run<Result>(task: () => Promise<Result>, random: () => number, longest: number): Promise<Result> {
    Math.random = random;
    let isDone = false;
    const running = task().finally(() => {
      isDone = true;
    });
    running.catch(() => {});
    for (;;) {
      await new Promise((resolve) => realImmediate(resolve));
      if (isDone) return running;
      if (this.#clock.countTimers() === 0) throw new Hang("nothing is left to happen, and it has not ended");
      if (Date.now() - beginning > longest) throw new Hang(`not ended after ${longest / 60_000} minutes`);
      this.#clock.next();
    }
  }

  end(): void {
    this.#clock.uninstall();
    AbortSignal.timeout = this.#timeout;
    Math.random = this.#random;
  }
}

/** Waits in virtual time, or in real time if no simulated history is running. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * Returns a JavaScript promise that never settles. Each call makes a new one, since a shared one would keep everything that
 * waits for it in memory.
 */
export function never(): Promise<never> {
  return new Promise(() => {});
}
