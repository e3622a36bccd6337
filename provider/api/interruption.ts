import { AsyncLocalStorage } from "node:async_hooks";

type Action = (reason: string) => void;

/** An event that ends requests and waits early, such as an interruption by the user or a time limit. It comes at most once. */
class End {
  reason: string | undefined;
  readonly #actions = new Set<Action>();

  come(reason: string): void {
    this.reason ??= reason;
    for (const action of [...this.#actions]) action(reason);
  }

  on(action: Action): () => void {
    this.#actions.add(action);
    return () => this.#actions.delete(action);
  }
}

/** Longest delay of a timer that Node supports, in milliseconds: it fires longer timers at once. */
const longestTimer = 2 ** 31 - 1;

/**
 * Ends requests and waits early: all of them when the user cancels, or those of one resource's step when its time limit is
 * over. No further request is sent then. Only a time limit ends a write that is under way, since the answer to the write says
 * which object exists.
 */
export class Interruption {
  readonly #cancellation = new End();
  readonly #limit = new AsyncLocalStorage<End>();

  /** Ends all requests and waits of the session, now and from now on. */
  cancel(): void {
    this.#cancellation.come("cancelled");
  }

  /** Runs a resource's step, such as its create, with a time limit in seconds; 0 for none. */
  async within<Result>(seconds: number, step: () => Promise<Result>): Promise<Result> {
    if (seconds <= 0) return step();
    const end = new End();
    const reason = `the time limit of ${seconds} s (option customTimeouts) passed`;
    const timer = setTimeout(() => end.come(reason), Math.min(seconds * 1000, longestTimer));
    try {
      return await this.#limit.run(end, step);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Runs a request whose result other resources' steps share, so that the time limit of this step does not end it. */
  forAll<Result>(step: () => Result): Result {
    return this.#limit.exit(step);
  }

  /** The reason why the current step of a resource, or the write that it has under way, must end; undefined if it may go on. */
  reason(isWriting = false): string | undefined {
    return this.#ends(isWriting).find(({ reason }) => reason !== undefined)?.reason;
  }

  /** Calls `action` once when the current step of a resource must end, unless the returned function is called before. */
  onEnd(action: Action, isWriting = false): () => void {
    const stops = this.#ends(isWriting).map((end) => end.on(action));
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Waits for the given milliseconds, or until the current step of a resource must end. */
  async pause(milliseconds: number): Promise<void> {
    if (this.reason() !== undefined) return;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        stop();
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      const stop = this.onEnd(end);
    });
  }

  /** Waits for a request that several resources' steps share; throws the error of `failure` if this step must end before. */
  async until<Result>(shared: Promise<Result>, failure: (reason: string) => Error): Promise<Result> {
    let stop = () => {};
    const ended = new Promise<never>((_, reject) => {
      const end = (reason: string) => reject(failure(reason));
      stop = this.onEnd(end);
      const reason = this.reason();
      if (reason !== undefined) end(reason);
    });
    try {
      return await Promise.race([shared, ended]);
    } finally {
      stop();
    }
  }

  #ends(isWriting: boolean): readonly End[] {
    const limit = this.#limit.getStore();
    return [...(isWriting ? [] : [this.#cancellation]), ...(limit ? [limit] : [])];
  }
}
