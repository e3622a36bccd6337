import type { RateLimit } from "./dialect";
import type { Interruption } from "./interruption";
import { enqueue, type Priority } from "./priority";
import { limitsFolder } from "./privateFolder";
import { type AttemptEnd, SharedLimit } from "./sharedLimit";

/** Milliseconds of waiting for the API's rate limit after which the user is told. */
export const noticeableMilliseconds = 5_000;

/** Largest number of concurrent API calls, and so of connections, of one rate limiter. */
export const mostAtOnce = 64;

/**
 * Number of concurrent API calls at the beginning, if no rate limit is known. It is small, since a server that refuses one of
 * these calls refuses all of them.
 */
const fewAtOnce = 4;

/**
 * Milliseconds without a 429 until the concurrent API calls double; after a 429, at least the time that the server asked for.
 */
const shortestCalm = 500;

/** After this many accepted calls or periods of the limit, whichever is sooner, the quota that each 429 lowers grows by one. */
const [callsToGrow, periodsToGrow] = [40, 4];

/**
 * While the client's quota is below half of the server's limit, it grows twice as fast after this many periods without a 429:
 * the clients that used the rest of the limit seem to have ended.
 */
const periodsUntilSooner = 2;

/**
 * After this many 429s in a row, so many clients share the limit that nearly all of them are refused each time. From then on each
 * waits longer than the server asks, by a random time that grows with every further 429, up to the given multiple of what it asks.
 */
const [refusalsOfFew, longestSpread] = [4, 8];

/** Milliseconds by which a client waits longer at most than the server asks. */
const mostSpread = 120_000;

type Notice = (message: string) => void;

/** Called at the end of an attempt to send a request, so that a waiting call may begin. */
export type Release = (end?: AttemptEnd) => void;

/** The rate limiters of this process by API address and credential: a server counts the calls of all instances together. */
const rateLimiters = new Map<string, RateLimiter>();

/**
 * The rate limiter of all calls to one API with one credential, which stays in memory.
 * @param isServers whether the limit is that of the server, and not a share of it that the user has set for this process
 */
export function rateLimiterFor(
  address: string,
  credential: string,
  limit: RateLimit | undefined,
  isServers = false,
): RateLimiter {
  const key = JSON.stringify([address, credential, limit]);
  const folder = isServers ? limitsFolder() : undefined;
  const shared = folder && limit ? new SharedLimit(folder, address, credential, limit) : undefined;
  const limiter = rateLimiters.get(key) ?? new RateLimiter(address, limit, shared);
  rateLimiters.set(key, limiter);
  return limiter;
}

interface Caller {
  readonly priority: Priority;
  readonly begin: (release: (end: AttemptEnd, begun: number) => void) => void;
  readonly notice: Notice;
}

/**
 * Keeps the calls to an API within its known rate limit. If no limit is known, it begins with few concurrent calls, and
 * doubles their number after each time without a refusal.
 *
 * A server counts a call when the request arrives, at a moment that only the server knows. So the limiter counts a call from
 * its beginning until one period after its answer. If it counted one period from the beginning, the next call could arrive some
 * milliseconds too early.
 *
 * After a 429 all calls wait as long as the server asks; then a single call goes first. With a known limit, each 429
 * lowers the quota by one, since other clients use the rest, and accepted calls slowly raise it again.
 */
export class RateLimiter {
  readonly #waiting: Caller[] = [];
  #underWay = 0;
  /** How many of the calls under way wait for a place in the queue of this machine. */
  #sharing = 0;
  readonly #answered: number[] = [];
  readonly #period: number;
  /** The client's quota: API calls allowed per period of the rate limit; a fraction while the quota grows after a 429. */
  #quota: number;
  /** The lowest quota of API calls until the next 429: calls that were under way at a 429 must not lower it further. */
  #fewest = 1;
  #atOnce: number;
  #doublesAt = Number.POSITIVE_INFINITY;
  #calm = shortestCalm;
  /** Whether a single API call is sent after a 429, to see if the server accepts calls again. */
  #isTrying = false;
  /** The number of 429s since the last accepted call, where those of calls that were under way together count as one. */
  #refusals = 0;
  #acceptedAt = Number.NEGATIVE_INFINITY;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #isAnnounced = false;

  constructor(
    private readonly address: string,
    private readonly limit: RateLimit | undefined,
    private readonly shared?: SharedLimit,
  ) {
    this.#period = (limit?.seconds ?? 0) * 1000;
    this.#quota = limit?.requests ?? Number.POSITIVE_INFINITY;
    this.#atOnce = limit ? mostAtOnce : fewAtOnce;
  }

  /** Whether the server has accepted a call that began after the given moment (`performance.now()`). */
  hasAcceptedSince(moment: number): boolean {
    return this.#acceptedAt > moment;
  }

  /** Waits until a request may be sent. Returns the function to call at its end; undefined if it must not be sent. */
  async acquire(
    notice: Notice,
    interruption: Interruption,
    priority: Priority = 0,
  ): Promise<Release | undefined> {
    if (interruption.reason() !== undefined) return undefined;
    const timer = setTimeout(() => this.#announceLimit(notice), noticeableMilliseconds);
    timer.unref();
    let stop = () => {};
    try {
      type Begun = Parameters<Caller["begin"]>[0] | undefined;
      const release = await new Promise<Begun>((begin) => {
        const caller = { begin, notice, priority };
        stop = interruption.onEnd(() => {
          const place = this.#waiting.indexOf(caller);
          if (place >= 0) this.#waiting.splice(place, 1);
          begin(undefined);
          // The rate limiter's timer is set anew for the remaining callers, or cleared: it would keep the process alive.
          this.#beginWaiting();
        });
        enqueue(this.#waiting, caller);
        this.#beginWaiting();
      });
      if (!release) return undefined;
      this.#sharing++;
      const endShared = await this.shared?.begin(interruption, priority);
      this.#sharing--;
      if (this.shared && !endShared) {
        this.#underWay--;
        this.#beginWaiting();
        return undefined;
      }
      const begun = performance.now();
      return (end) => {
        release(end, begun);
        void endShared?.(end);
      };
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
      // As many calls as the limiter allows are under way. `#release` starts the waiting ones when a call ends, so no timer is
      // needed.
      if (wait === Number.POSITIVE_INFINITY) return;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#beginWaiting(), Math.ceil(wait));
        return;
      }
      const caller = this.#waiting.shift();
      this.#underWay++;
      caller?.begin((end, begun) => this.#release(begun, end, caller.notice));
    }
    this.#isAnnounced = false;
  }

  /** The time at which the next API call may begin; infinite if a call that is under way has to end first. */
  #nextBegin(now: number): number {
    if (now < this.#heldUntil) return this.#heldUntil;
    if (this.#underWay >= (this.#isTrying ? 1 : this.#atOnce)) return Number.POSITIVE_INFINITY;
    while ((this.#answered[0] ?? Number.POSITIVE_INFINITY) + this.#period <= now) this.#answered.shift();
    const excess = this.#answered.length + this.#underWay - Math.floor(this.#quota);
    return excess < 0 ? now : (this.#answered[excess] ?? Number.POSITIVE_INFINITY) + this.#period;
  }

  #release(begun: number, end: AttemptEnd, notice: Notice): void {
    this.#underWay--;
    if (end === undefined) this.#onTaken(begun);
    else if (end !== "unsent") this.#onRefused(begun, end, notice);
    this.#beginWaiting();
  }

  #onTaken(begun: number): void {
    const now = performance.now();
    this.#answered.push(now);
    if (begun <= this.#refusedAt) return;
    this.#refusals = 0;
    this.#acceptedAt = now;
    this.#isTrying = false;
    // The client's quota grows only while further calls wait, since otherwise an accepted call does not show that the quota is
    // too low.
    if (this.limit && this.#waiting.length > 0) {
      const quiet = Math.floor((now - this.#refusedAt) / (periodsUntilSooner * this.#period));
      const isLow = this.#quota < this.limit.requests / 2;
      const gain =
        Math.max(1 / callsToGrow, 1 / (periodsToGrow * this.#quota)) * (isLow ? 2 ** Math.min(quiet, 6) : 1);
      this.#quota = Math.min(this.#quota + gain, this.limit.requests);
    }
    // The first call that the server accepts after a refusal starts the time after which the allowed number of concurrent calls
    // doubles.
    if (this.#doublesAt === Number.POSITIVE_INFINITY) this.#doublesAt = now + this.#calm;
    if (now < this.#doublesAt) return;
    this.#atOnce = Math.min(2 * this.#atOnce, mostAtOnce);
    this.#doublesAt = now + this.#calm;
  }

  #onRefused(begun: number, hold: number, notice: Notice): void {
    const now = performance.now();
    if (begun > this.#refusedAt) {
      this.#refusals++;
      this.#refusedAt = now;
      this.#fewest = Math.max(1, this.#quota / 2);
    }
    this.#quota = Math.max(this.#fewest, this.#quota - 1);
    const spread = Math.min(Math.max(this.#refusals - refusalsOfFew, 0), longestSpread);
    const wait = hold + Math.min(hold * Math.random() * spread, mostSpread);
    if (wait >= noticeableMilliseconds && this.#heldUntil <= now)
      notice(`waiting ${Math.ceil(wait / 1000)} s for the service at ${this.address} (status 429)`);
    this.#heldUntil = Math.max(this.#heldUntil, now + wait);
    this.#isTrying = true;
    this.#calm = Math.max(hold, shortestCalm);
    this.#doublesAt = Number.POSITIVE_INFINITY;
    if (!this.limit) this.#atOnce = 1;
  }

  #announceLimit(notice: Notice): void {
    // A 429 has its own notice to the user, and one notice is enough for all calls that wait for the rate limit.
    if (!this.limit || this.#isAnnounced || performance.now() < this.#heldUntil) return;
    this.#isAnnounced = true;
    const { requests, seconds } = this.limit;
    const left = this.#waiting.length + this.#sharing;
    notice(
      `waiting for the limit of ${requests} requests in ${seconds} s of the service at ${this.address}; ${left === 1 ? "1 call is" : `${left} calls are`} left`,
    );
  }
}
