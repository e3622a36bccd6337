import { type Clock, install } from "@sinonjs/fake-timers";

/** When every history begins. */
export const beginning = Date.UTC(2027, 0, 15, 12);

const realImmediate = setImmediate;

/** One for all: its stack trace takes longer to make than a request. */
const timedOut = new DOMException("timed out", "TimeoutError");

/** Nothing that still has to happen can end what runs. */
export class Hang extends Error {
  override readonly name = "Hang";
}

/**
 * Time in which nobody waits: a timer fires as soon as nothing else is left to do. Promises resolve in the order in which
 * they would without it, so that what happens follows from the timers alone.
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

  /** From here on it is the beginning of time again. */
  begin(): void {
    this.#clock.reset();
  }

  /**
   * Runs a task.
   *
   * @param random takes the place of `Math.random`
   * @param longest milliseconds after which it counts as hanging
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

  /** Gives everybody the real time back. */
  end(): void {
    this.#clock.uninstall();
    AbortSignal.timeout = this.#timeout;
    Math.random = this.#random;
  }
}

/** Waits, in whatever time it is. */
export function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** What never comes. One promise for all would keep everything that ever waited for it. */
export function never(): Promise<never> {
  return new Promise(() => {});
}
