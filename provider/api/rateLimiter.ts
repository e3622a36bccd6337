import type { RateLimit } from "./dialect";
import type { Interruption } from "./interruption";

/** Longer waits are announced to the user. */
export const noticeableMilliseconds = 5_000;

/** Most calls of one rate limiter that are under way, and so the most connections it takes. */
export const mostAtOnce = 64;

/** After a hold the number of calls at once doubles no sooner than this. */
const shortestCalm = 1_000;

type Notice = (message: string) => void;

/** Ends an attempt. After a 429 `hold` says for how many milliseconds the server takes no more calls. */
export type Release = (hold?: number) => void;

/** All that a process shares: a server counts the calls with one credential together, whichever provider makes them. */
const rateLimiters = new Map<string, RateLimiter>();

/**
 * The rate limiter of all calls to one API with one credential.
 *
 * @param address address of the API
 * @param credential what the server counts by; stays in memory
 * @param limit the known limit, if there is one
 */
export function rateLimiterFor(
  address: string,
  credential: string,
  limit: RateLimit | undefined,
): RateLimiter {
  const key = JSON.stringify([address, credential, limit]);
  const limiter = rateLimiters.get(key) ?? new RateLimiter(address, limit);
  rateLimiters.set(key, limiter);
  return limiter;
}

interface Caller {
  readonly begin: (release: Release) => void;
  readonly notice: Notice;
}

/**
 * Keeps calls within a known limit, holds all of them back after a 429, and lets them begin slowly after a hold: one at a
 * time, then twice as many whenever none was refused for as long as the hold lasted. A server that counts in windows
 * refuses all calls that are under way when its window is full, so starting with many would only repeat the refusals.
 */
export class RateLimiter {
  readonly #waiting: Caller[] = [];
  #underWay = 0;
  /** When the answers within the last period arrived, oldest first. */
  readonly #answered: number[] = [];
  #heldUntil = 0;
  #atOnce = mostAtOnce;
  #calm = shortestCalm;
  #doublesAt = 0;
  #timer: NodeJS.Timeout | undefined;
  #isAnnounced = false;

  constructor(
    private readonly address: string,
    private readonly limit: RateLimit | undefined,
  ) {}

  /**
   * Waits until an attempt may begin.
   *
   * @param interruption ends the wait
   * @returns the function that ends the attempt; undefined if it must not begin
   */
  async acquire(notice: Notice, interruption: Interruption): Promise<Release | undefined> {
    if (interruption.reason() !== undefined) return undefined;
    const timer = setTimeout(() => this.#announceLimit(notice), noticeableMilliseconds);
    timer.unref();
    let stop = () => {};
    try {
      return await new Promise<Release | undefined>((begin) => {
        const caller = { begin, notice };
        stop = interruption.onEnd(() => {
          const place = this.#waiting.indexOf(caller);
          if (place >= 0) this.#waiting.splice(place, 1);
          begin(undefined);
          // Or the timer would keep the process alive for nobody.
          this.#beginWaiting();
        });
        this.#waiting.push(caller);
        this.#beginWaiting();
      });
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  #beginWaiting(): void {
    clearTimeout(this.#timer);
    const most = Math.min(this.#atOnce, this.limit?.requests ?? mostAtOnce);
    while (this.#waiting.length > 0 && this.#underWay < most) {
      const wait = this.#nextBegin() - performance.now();
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#beginWaiting(), wait);
        return;
      }
      const caller = this.#waiting.shift();
      this.#underWay++;
      caller?.begin((hold) => this.#release(hold, caller.notice));
    }
    if (this.#waiting.length === 0) this.#isAnnounced = false;
  }

  /**
   * A call counts while it is under way and for one period after its answer. The server counted it somewhere in between;
   * counting from its beginning would let another call reach the server some milliseconds too early.
   */
  #nextBegin(): number {
    if (!this.limit) return this.#heldUntil;
    const period = this.limit.seconds * 1000;
    while ((this.#answered[0] ?? Number.POSITIVE_INFINITY) + period <= performance.now())
      this.#answered.shift();
    const isFull = this.#underWay + this.#answered.length >= this.limit.requests;
    return Math.max(this.#heldUntil, isFull ? (this.#answered[0] ?? 0) + period : 0);
  }

  #release(hold: number | undefined, notice: Notice): void {
    const now = performance.now();
    this.#underWay--;
    if (this.limit) this.#answered.push(now);
    if (hold !== undefined) this.#hold(hold, notice);
    else if (now >= this.#doublesAt) {
      this.#atOnce = Math.min(2 * this.#atOnce, mostAtOnce);
      this.#doublesAt = now + this.#calm;
    }
    this.#beginWaiting();
  }

  #hold(milliseconds: number, notice: Notice): void {
    const now = performance.now();
    const until = now + milliseconds;
    if (milliseconds >= noticeableMilliseconds && this.#heldUntil <= now)
      notice(`waiting ${Math.ceil(milliseconds / 1000)} s for the service at ${this.address} (status 429)`);
    this.#atOnce = 1;
    this.#calm = Math.max(milliseconds, shortestCalm);
    this.#heldUntil = Math.max(this.#heldUntil, until);
    this.#doublesAt = this.#heldUntil + this.#calm;
  }

  #announceLimit(notice: Notice): void {
    // A hold is announced when it begins, and one announcement is enough for all that wait.
    if (!this.limit || this.#isAnnounced || performance.now() < this.#heldUntil) return;
    this.#isAnnounced = true;
    const { requests, seconds } = this.limit;
    notice(
      `waiting for the limit of ${requests} requests in ${seconds} s of the service at ${this.address}; ${this.#waiting.length} calls are left`,
    );
  }
}
