import type { RateLimit } from "./dialect";
import type { Interruption } from "./interruption";

/** Longer waits are announced to the user. */
export const noticeableMilliseconds = 5_000;

/** Maximum number of concurrent calls of one rate limiter, and so of its connections. */
export const mostAtOnce = 64;

/** Calls at once at the beginning to a server without a known limit: if it refuses, it refuses all of them. */
const fewAtOnce = 4;

/** Milliseconds without a refusal after which the number doubles; after a hold, at least as long as the hold lasted. */
const shortestCalm = 500;

/** A quota that others have lowered grows by one in so many calls that are taken, or in so many periods if that is sooner. */
const [callsToGrow, periodsToGrow] = [40, 4];

/** Below half of the limit it grows twice as fast after each such number of periods without a refusal: others have ended. */
const periodsUntilSooner = 2;

type Notice = (message: string) => void;

/** Ends an attempt. After a 429 `hold` says for how many milliseconds the server takes no more calls. */
export type Release = (hold?: number) => void;

/** All that a process shares: a server counts the calls with one credential together, whichever provider makes them. */
const rateLimiters = new Map<string, RateLimiter>();

/**
 * The rate limiter of all calls to one API with one credential.
 *
 * @param address address of the API
 * @param credential by which the server counts; stays in memory
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
 * Keeps calls within a known limit. Where none is known, few calls begin at once, and twice as many after each calm time.
 *
 * A server counts a call when it arrives, which nobody else knows. So a call counts here while it is under way and for one
 * period after its answer: counted from its beginning, the next one could arrive some milliseconds too early.
 *
 * A refusal holds all calls back as the server asks; then one goes first. Each takes one from the quota of a known limit,
 * since somebody else uses the rest, and calls that are taken slowly give it back.
 */
export class RateLimiter {
  readonly #waiting: Caller[] = [];
  #underWay = 0;
  /** When the answers within the last period arrived, oldest first. */
  readonly #answered: number[] = [];
  /** Milliseconds. */
  readonly #period: number;
  /** Calls that may be made in a period; grows by fractions. */
  #quota: number;
  /** Calls that were under way at a refusal lower the quota no further. */
  #fewest = 1;
  #atOnce: number;
  #doublesAt = Number.POSITIVE_INFINITY;
  #calm = shortestCalm;
  /** Whether one call has to be taken before others begin. */
  #isTrying = false;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isAnnounced = false;

  constructor(
    private readonly address: string,
    private readonly limit: RateLimit | undefined,
  ) {
    this.#period = (limit?.seconds ?? 0) * 1000;
    this.#quota = limit?.requests ?? Number.POSITIVE_INFINITY;
    this.#atOnce = limit ? mostAtOnce : fewAtOnce;
  }

  /**
   * Waits until an attempt may begin.
   *
   * @param interruption ends the wait
   * @param goesFirst whether it begins before those that wait already
   * @returns the function that ends the attempt; undefined if it must not begin
   */
  async acquire(notice: Notice, interruption: Interruption, goesFirst = false): Promise<Release | undefined> {
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
        if (goesFirst) this.#waiting.unshift(caller);
        else this.#waiting.push(caller);
        this.#beginWaiting();
      });
    } finally {
      clearTimeout(timer);
      stop();
    }
  }

  #beginWaiting(): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0) {
      const now = performance.now();
      const wait = this.#nextBegin(now) - now;
      // A call that ends looks again.
      if (wait === Number.POSITIVE_INFINITY) return;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#beginWaiting(), Math.ceil(wait));
        return;
      }
      const caller = this.#waiting.shift();
      this.#underWay++;
      caller?.begin((hold) => this.#release(now, hold, caller.notice));
    }
    this.#isAnnounced = false;
  }

  /** When the next call may begin; infinite if one that is under way has to end first. */
  #nextBegin(now: number): number {
    if (now < this.#heldUntil) return this.#heldUntil;
    if (this.#underWay >= (this.#isTrying ? 1 : this.#atOnce)) return Number.POSITIVE_INFINITY;
    while ((this.#answered[0] ?? Number.POSITIVE_INFINITY) + this.#period <= now) this.#answered.shift();
    const excess = this.#answered.length + this.#underWay - Math.floor(this.#quota);
    return excess < 0 ? now : (this.#answered[excess] ?? Number.POSITIVE_INFINITY) + this.#period;
  }

  #release(begun: number, hold: number | undefined, notice: Notice): void {
    this.#underWay--;
    if (hold === undefined) this.#onTaken(begun);
    else this.#onRefused(begun, hold, notice);
    this.#beginWaiting();
  }

  #onTaken(begun: number): void {
    const now = performance.now();
    this.#answered.push(now);
    if (begun <= this.#refusedAt) return;
    this.#isTrying = false;
    // A quota that is not used up tells nothing.
    if (this.limit && this.#waiting.length > 0) {
      const quiet = Math.floor((now - this.#refusedAt) / (periodsUntilSooner * this.#period));
      const isLow = this.#quota < this.limit.requests / 2;
      const gain =
        Math.max(1 / callsToGrow, 1 / (periodsToGrow * this.#quota)) * (isLow ? 2 ** Math.min(quiet, 6) : 1);
      this.#quota = Math.min(this.#quota + gain, this.limit.requests);
    }
    // The first call only begins the calm time.
    if (this.#doublesAt === Number.POSITIVE_INFINITY) this.#doublesAt = now + this.#calm;
    if (now < this.#doublesAt) return;
    this.#atOnce = Math.min(2 * this.#atOnce, mostAtOnce);
    this.#doublesAt = now + this.#calm;
  }

  #onRefused(begun: number, hold: number, notice: Notice): void {
    const now = performance.now();
    if (hold >= noticeableMilliseconds && this.#heldUntil <= now)
      notice(`waiting ${Math.ceil(hold / 1000)} s for the service at ${this.address} (status 429)`);
    if (begun > this.#refusedAt) {
      this.#refusedAt = now;
      this.#fewest = Math.max(1, this.#quota / 2);
    }
    this.#quota = Math.max(this.#fewest, this.#quota - 1);
    this.#heldUntil = Math.max(this.#heldUntil, now + hold);
    this.#isTrying = true;
    this.#calm = Math.max(hold, shortestCalm);
    this.#doublesAt = Number.POSITIVE_INFINITY;
    if (!this.limit) this.#atOnce = 1;
  }

  #announceLimit(notice: Notice): void {
    // A hold is announced when it begins, and one announcement is enough for all that wait.
    if (!this.limit || this.#isAnnounced || performance.now() < this.#heldUntil) return;
    this.#isAnnounced = true;
    const { requests, seconds } = this.limit;
    const left = this.#waiting.length;
    notice(
      `waiting for the limit of ${requests} requests in ${seconds} s of the service at ${this.address}; ${left === 1 ? "1 call is" : `${left} calls are`} left`,
    );
  }
}
