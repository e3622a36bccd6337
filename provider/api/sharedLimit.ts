import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RateLimit } from "./dialect";
import type { Interruption } from "./interruption";
import { enqueue, type Priority } from "./priority";
import { makePrivate } from "./privateFolder";

/** A call in the file: from its place in the queue until one period of the limit after its answer. */
interface Call {
  readonly id: string;
  /** When the call may begin; once it has begun, when that was; once it is answered, when the answer came. */
  at: number;
}

/**
 * How an attempt to send a request ended: nothing was sent, or after a 429 the milliseconds for which the server accepts no calls, or
 * else an answer or a failure.
 */
export type AttemptEnd = "unsent" | number | undefined;

/** Tells how a call ended. */
type Ended = (end?: AttemptEnd) => Promise<void>;

interface Waiting {
  readonly priority: Priority;
  goOn: () => void;
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

const day = 24 * 60 * 60_000;

/** Milliseconds for which this process goes on without the file after it could not be used. */
const offMilliseconds = 60_000;

/** The codes of errors for a lock that another process has. Windows has further ones, for a file that is being deleted or scanned. */
const takenCodes = process.platform === "win32" ? ["EEXIST", "EPERM", "EACCES", "EBUSY"] : ["EEXIST"];

/** Longest time, in milliseconds, for which a server can make clients wait. A later moment comes from a clock that was wrong. */
const longestHold = 120_000;

/**
 * A rate limit that the processes of one machine keep together, by a file: each call takes the next place in a queue, and begins one
 * period after the answer to the call that stands as many places before it as the limit allows. A process has one call at a time in
 * the queue, which the first of its own takes, so that none waits for all calls of another. What a killed process leaves counts as a call, and goes with the period.
 *
 * Processes on other machines, and what cannot use the file, meet at the server's 429, which this does not replace.
 */
export class SharedLimit {
  readonly #path: string;
  readonly #period: number;
  #offUntil = Number.NEGATIVE_INFINITY;
  /** The calls of this process that wait for its place in the queue; the first gets it. */
  readonly #waiting: Waiting[] = [];
  #place: string | undefined;
  #isTidied = false;

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
   * Waits until a call may begin.
   * @param priority whether the call overtakes others of this process
   * @returns the function to call at the end of the call; undefined if the call has to end before it began
   */
  async begin(interruption: Interruption, priority: Priority = 0): Promise<Ended | undefined> {
    const own: Waiting = { priority, goOn: () => undefined };
    enqueue(this.#waiting, own);
    try {
      while (interruption.reason() === undefined) {
        let wait = Number.POSITIVE_INFINITY;
        if (this.#waiting[0] === own) {
          this.#place ??= randomBytes(8).toString("hex");
          const id = this.#place;
          const at = await this.#change((queue) => this.#placeOf(id, queue));
          wait = (at ?? 0) - Date.now();
          // A call of a higher priority may have taken the place meanwhile.
          if (this.#place !== id) continue;
          if (wait <= 0) {
            this.#place = undefined;
            return async (end) => void (await this.#change((queue) => noteEnd(queue, id, end)));
          }
        }
        await this.#pause(own, wait, interruption);
      }
      return undefined;
    } finally {
      this.#waiting.splice(this.#waiting.indexOf(own), 1);
      const [next] = this.#waiting;
      if (next) next.goOn();
      else await this.#leave();
    }
  }

  /** Gives back the place that no call of this process needs any more. */
  async #leave(): Promise<void> {
    const id = this.#place;
    this.#place = undefined;
    if (id !== undefined) await this.#change((queue) => leave(queue, id));
  }

  /** Waits until the turn of a call comes, or the given time has passed, or the call has to end. */
  async #pause(own: Waiting, milliseconds: number, interruption: Interruption): Promise<void> {
    if (interruption.reason() !== undefined) return;
    let timer: NodeJS.Timeout | undefined;
    let stop = () => {};
    await new Promise<void>((resolve) => {
      own.goOn = resolve;
      if (milliseconds < Number.POSITIVE_INFINITY) timer = setTimeout(resolve, milliseconds);
      stop = interruption.onEnd(() => resolve());
    });
    clearTimeout(timer);
    stop();
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
    if (performance.now() < this.#offUntil) return undefined;
    try {
      makePrivate(this.folder);
      if (!this.#isTidied) this.#removeOld();
      await this.#lock();
      try {
        const queue = this.#read();
        const result = change(queue);
        const next = `${this.#path}.${randomBytes(8).toString("hex")}`;
        writeFileSync(next, JSON.stringify(queue), { mode: 0o600 });
        renameSync(next, this.#path);
        return result;
      } finally {
        rmSync(this.#lockPath, { force: true });
      }
    } catch {
      this.#offUntil = performance.now() + offMilliseconds;
      return undefined;
    }
  }

  get #lockPath(): string {
    return `${this.#path}.lock`;
  }

  /** Removes the files of limits that nobody has kept for a day: a key that was rotated, or a server that has ended. */
  #removeOld(): void {
    this.#isTidied = true;
    for (const name of readdirSync(this.folder)) {
      const path = join(this.folder, name);
      const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {};
      if (Date.now() - mtimeMs > day) rmSync(path, { force: true });
    }
  }

  /** @throws Error if the lock cannot be had */
  async #lock(): Promise<void> {
    for (const begun = performance.now(); ; await pause(1 + Math.random() * 9)) {
      try {
        return closeSync(openSync(this.#lockPath, "wx", 0o600));
      } catch (error) {
        const isTaken = takenCodes.includes((error as NodeJS.ErrnoException).code ?? "");
        if (!isTaken || performance.now() - begun > longestWait) throw error;
        this.#removeLeftLock();
      }
    }
  }

  /** Of several processes that find the lock of a killed one, the first moves it away. */
  #removeLeftLock(): void {
    const left = `${this.#lockPath}.${randomBytes(8).toString("hex")}`;
    try {
      if (Math.abs(Date.now() - statSync(this.#lockPath).mtimeMs) < longestLock) return;
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

function noteEnd(queue: Queue, id: string, end: AttemptEnd): void {
  const call = queue.calls.find((each) => each.id === id);
  if (end === "unsent") leave(queue, id);
  else if (call) call.at = Date.now();
  if (typeof end === "number") queue.heldUntil = Math.max(queue.heldUntil, Date.now() + end);
}

/** Gives back the place of a call that was not sent. */
function leave({ calls }: Queue, id: string): void {
  const place = calls.findIndex((call) => call.id === id);
  if (place >= 0) calls.splice(place, 1);
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
