import type { RateLimit } from "./dialect";
import type { Interruption } from "./interruption";

/** Longer waits are announced to the user. */
export const noticeableMilliseconds = 5_000;

/** Most calls of one rate limiter that are under way, and so the most connections it takes. */
export const mostAtOnce = 64;

/** Calls under way at the beginning to a server without a known limit: if it refuses, it refuses all of them. */
const fewAtOnce = 4;

/** The quota grows by one while so many calls are taken: about one call in so many finds out in vain that there is no more. */
const callsBetweenTries = 40;

/** A small quota grows by one in so many periods. */
const periodsBetweenTries = 4;

/** Fewer calls that a server took before it refused one tell nothing of its limit: it may have refused for something else. */
const fewestTelling = 5;

/** A period that a server ends so much later than expected, as a part of it, is longer than was thought. */
const tolerance = 1.05;

/** Before the first refusal the number of calls at once doubles every so many milliseconds, up to `someAtOnce`. */
const firstCalm = 250;

/** Calls under way that a server may refuse together before anything is known of its limit. */
const someAtOnce = 16;

/** From there on, and after a hold, it doubles no sooner than this. */
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
 * Keeps calls within a limit: the known one, or what the server took before it refused a call.
 *
 * A server counts a call when it arrives, which nobody else knows. So a call counts here while it is under way and for one
 * period after its answer: counted from its beginning, the next one could arrive some milliseconds too early.
 *
 * A refusal holds all calls back as the server asks; then one goes first. Each refusal takes one from the quota, since
 * somebody else may use the rest of the limit, and calls that are taken slowly give it back. Where no limit is known, the
 * first refusal shows how many calls the server took, and the next one, of a call beyond that quota, in which period.
 */
export class RateLimiter {
  readonly #waiting: Caller[] = [];
  #underWay = 0;
  /** When the answers within the last period arrived, oldest first. */
  readonly #answered: number[] = [];
  /** Milliseconds; endless until a refusal shows how long it is. */
  #period: number;
  /** Calls that may be made in a period; grows by fractions. */
  #quota: number;
  /** Calls that were under way at a refusal lower the quota no further. */
  #fewest = 1;
  /** Whether quota and period are still guesses. */
  #isLearning: boolean;
  /** Calls beyond the quota that may be under way while learning. */
  #beyond = fewAtOnce;
  #doublesAt = Number.NEGATIVE_INFINITY;
  #calm = firstCalm;
  #refusedAt = Number.NEGATIVE_INFINITY;
  #heldUntil = Number.NEGATIVE_INFINITY;
  /** Calls taken since the last refusal, and when the first of them was answered. */
  #taken = 0;
  #firstTaken = 0;
  #timer: NodeJS.Timeout | undefined;
  #isAnnounced = false;

  constructor(
    private readonly address: string,
    private readonly limit: RateLimit | undefined,
  ) {
    this.#period = limit ? limit.seconds * 1000 : Number.POSITIVE_INFINITY;
    this.#quota = limit?.requests ?? 0;
    this.#isLearning = !limit;
  }

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
    const isFirst = this.#refusedAt > Number.NEGATIVE_INFINITY && this.#taken === 0;
    if (this.#underWay >= (isFirst ? 1 : mostAtOnce)) return Number.POSITIVE_INFINITY;
    while ((this.#answered[0] ?? Number.POSITIVE_INFINITY) + this.#period <= now) this.#answered.shift();
    const most = this.#isLearning ? this.#quota + this.#beyond : Math.floor(this.#quota);
    const excess = this.#answered.length + this.#underWay - most;
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
    if (begun <= this.#refusedAt) {
      if (this.#isLearning) this.#quota++;
      return;
    }
    if (this.#taken++ === 0) this.#firstTaken = now;
    if (this.#isLearning) {
      this.#quota = Math.max(this.#quota, this.#answered.length);
      if (now >= this.#doublesAt) this.#growBeyond(now);
    } else if (this.#waiting.length > 0) {
      // A quota that is not used up would tell nothing.
      const gain = Math.max(1 / callsBetweenTries, 1 / (periodsBetweenTries * this.#quota));
      this.#quota = Math.min(this.#quota + gain, this.limit?.requests ?? Number.POSITIVE_INFINITY);
    }
  }

  #growBeyond(now: number): void {
    // The first call only begins the time of calm.
    if (this.#doublesAt > Number.NEGATIVE_INFINITY) this.#beyond = Math.min(2 * this.#beyond, mostAtOnce);
    // What was refused before was refused for something else than the number of calls.
    this.#period = Number.POSITIVE_INFINITY;
    if (this.#beyond >= someAtOnce) this.#calm = Math.max(this.#calm, shortestCalm);
    this.#doublesAt = now + this.#calm;
  }

  #onRefused(begun: number, hold: number, notice: Notice): void {
    const now = performance.now();
    const until = now + hold;
    if (hold >= noticeableMilliseconds && this.#heldUntil <= now)
      notice(`waiting ${Math.ceil(hold / 1000)} s for the service at ${this.address} (status 429)`);
    if (begun > this.#refusedAt) {
      this.#fewest = this.#quota / 2;
      this.#learnFrom(begun, hold, until);
      this.#refusedAt = now;
    } else if (!this.#isLearning && this.#quota > this.#fewest) this.#lowerQuota();
    this.#heldUntil = Math.max(this.#heldUntil, until);
    this.#taken = 0;
    this.#beyond = 1;
    this.#calm = Math.max(hold, shortestCalm);
    this.#doublesAt = this.#heldUntil + this.#calm;
  }

  #learnFrom(begun: number, hold: number, until: number): void {
    const isFirst = this.#period === Number.POSITIVE_INFINITY;
    if (isFirst || hold > this.#period * tolerance) {
      this.#isLearning = true;
      if (this.#answered.length < fewestTelling) return;
      this.#period = until - (this.#answered[0] ?? begun);
      this.#quota = this.#answered.length;
    } else if (this.#isLearning) {
      if (this.#taken < fewestTelling) return;
      this.#isLearning = false;
      // Fewer tell of calls that a server forgets one by one, and not of a period that began after the last refusal.
      if (this.#taken < this.#quota / 2) return;
      this.#quota = this.#taken;
      this.#period = until - this.#firstTaken;
    } else this.#lowerQuota();
  }

  /** By one, but not below what the server has just taken. */
  #lowerQuota(): void {
    this.#quota = Math.max(1, this.#quota - 1, Math.min(this.#quota, this.#answered.length));
  }

  #announceLimit(notice: Notice): void {
    // A hold is announced when it begins, and one announcement is enough for all that wait.
    if (this.#period === Number.POSITIVE_INFINITY || this.#isAnnounced || performance.now() < this.#heldUntil)
      return;
    this.#isAnnounced = true;
    const { requests, seconds } = this.limit ?? {
      requests: Math.floor(this.#quota),
      seconds: Math.ceil(this.#period / 1000),
    };
    const left = this.#waiting.length;
    notice(
      `waiting for the limit of ${requests} requests in ${seconds} s of the service at ${this.address}; ${left === 1 ? "1 call is" : `${left} calls are`} left`,
    );
  }
}
