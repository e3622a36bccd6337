import { createHash, randomBytes } from "node:crypto";
import { closeSync, openSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RateLimit } from "./dialect";
import type { Interruption } from "./interruption";
import { makePrivate } from "./privateFolder";

/** A call in the file: from its place in the queue until one period of the limit after its answer. */
interface Call {
  readonly id: string;
  /** When the call may begin; once it has begun, when that was; once it is answered, when the answer came. */
  at: number;
}

interface Queue {
  /** The time until which the server accepts no calls, after a 429. */
  heldUntil: number;
  readonly calls: Call[];
}

/** Milliseconds after which a lock is that of a killed process: it is held for less than one. */
const longestLock = 2000;

/** Milliseconds to wait for the lock at most; then this process goes on without the others. */
const longestWait = 5000;

/** Longest time, in milliseconds, for which a server can make clients wait. A later moment comes from a clock that was wrong. */
const longestHold = 120_000;

/**
 * A rate limit that the processes of one machine keep together, by a file: each call takes the next place in a queue, and begins one
 * period after the answer to the call that stands as many places before it as the limit allows. A process has one call at a time in
 * the queue, so that none waits for all calls of another. What a killed process leaves counts as a call, and goes with the period.
 *
 * Processes on other machines, and what cannot use the file, meet at the server's 429, which this does not replace.
 */
export class SharedLimit {
  readonly #path: string;
  readonly #period: number;
  #isOff = false;
  /** Ends when the latest call of this process has begun, so that the next one may join the queue. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    address: string,
    credential: string,
    private readonly limit: RateLimit,
  ) {
    // The name tells nobody the credential, which is random.
    const name = createHash("sha256")
      .update(JSON.stringify([address, credential, limit]))
      .digest("hex");
    this.#path = join(folder, name.slice(0, 32));
    this.#period = limit.seconds * 1000;
  }

  /**
   * Waits until a call may begin, or has to end early.
   * @returns the function to call with the answer, with the milliseconds for which the server accepts no calls after a 429
   */
  begin(interruption: Interruption): Promise<(hold?: number) => Promise<void>> {
    const turn = this.#turn.then(() => this.#begin(interruption));
    this.#turn = turn;
    return turn;
  }

  async #begin(interruption: Interruption): Promise<(hold?: number) => Promise<void>> {
    const id = randomBytes(8).toString("hex");
    while (!this.#isOff && interruption.reason() === undefined) {
      const at = await this.#change((queue) => this.#placeOf(id, queue));
      const wait = (at ?? 0) - Date.now();
      if (wait <= 0) break;
      await interruption.pause(wait);
    }
    return async (hold) => {
      await this.#change((queue) => {
        const call = queue.calls.find((each) => each.id === id);
        if (call) call.at = Date.now();
        if (hold !== undefined) queue.heldUntil = Math.max(queue.heldUntil, Date.now() + hold);
      });
    };
  }

  /** Gives the call a place unless it has one, and returns when it may begin, by what is known of the calls before it now. */
  #placeOf(id: string, { calls, heldUntil }: Queue): number {
    if (!calls.some((call) => call.id === id)) calls.push({ id, at: 0 });
    const place = calls.findIndex((call) => call.id === id);
    const before = calls[place - this.limit.requests];
    const at = Math.max(Date.now(), heldUntil, before ? before.at + this.#period : 0);
    calls[place] = { id, at };
    return at;
  }

  /** Changes the file while no other process does. Undefined if the file cannot be used: then this process goes on without it. */
  async #change<Result>(change: (queue: Queue) => Result): Promise<Result | undefined> {
    if (this.#isOff) return undefined;
    try {
      makePrivate(this.folder);
      await this.#lock();
      try {
        const queue = this.#read();
        const result = change(queue);
        const next = `${this.#path}.next`;
        writeFileSync(next, JSON.stringify(queue), { mode: 0o600 });
        renameSync(next, this.#path);
        return result;
      } finally {
        rmSync(this.#lockPath, { force: true });
      }
    } catch {
      this.#isOff = true;
      return undefined;
    }
  }

  get #lockPath(): string {
    return `${this.#path}.lock`;
  }

  /** @throws Error if the lock cannot be had */
  async #lock(): Promise<void> {
    for (const begun = performance.now(); ; await pause(1 + Math.random() * 9)) {
      try {
        return closeSync(openSync(this.#lockPath, "wx", 0o600));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST" || performance.now() - begun > longestWait)
          throw error;
        this.#removeLeftLock();
      }
    }
  }

  /** Of several processes that find the lock of a killed one, the first moves it away. */
  #removeLeftLock(): void {
    const { mtimeMs = Date.now() } = statSync(this.#lockPath, { throwIfNoEntry: false }) ?? {};
    if (Math.abs(Date.now() - mtimeMs) < longestLock) return;
    const left = `${this.#lockPath}.${randomBytes(8).toString("hex")}`;
    try {
      renameSync(this.#lockPath, left);
    } catch {
      return;
    }
    rmSync(left, { force: true });
  }

  /** The queue without the calls that count no more. What no clock can have written, and half a file, count as an empty one. */
  #read(): Queue {
    const now = Date.now();
    const { heldUntil, calls } = this.#stored();
    const latest = now + longestHold + (calls.length / this.limit.requests + 1) * this.#period;
    if (Math.max(heldUntil - longestHold, ...calls.map(({ at }) => at)) > latest)
      return { heldUntil: 0, calls: [] };
    const first = calls.findIndex(({ at }) => at + this.#period > now);
    return { heldUntil, calls: first < 0 ? [] : calls.slice(first) };
  }

  #stored(): Queue {
    const none = { heldUntil: 0, calls: [] };
    try {
      const { heldUntil, calls } = JSON.parse(readFileSync(this.#path, "utf8")) as Queue;
      return [heldUntil, ...calls.map(({ at }) => at)].every(Number.isFinite) ? { heldUntil, calls } : none;
    } catch {
      return none;
    }
  }
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
