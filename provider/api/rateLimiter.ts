import type { RateLimit } from "./dialect";

/** Waits longer than this are told to the user. */
export const noticeableMilliseconds = 5_000;

/** Ends a turn. A call that was refused for coming too often says how long to wait, in milliseconds. */
export type EndTurn = (waitAfterRefusal?: number) => void;

const paces = new Map<string, Pace>();

/**
 * The pace for a limit, or for none. Calls of several providers that use the same credential share one, as the server
 * counts them together.
 *
 * @param address address of the API
 * @param credential tells the server whose requests it counts; stays in memory
 */
export function paceOf(address: string, credential: string, limit: RateLimit | undefined): Pace {
  const key = JSON.stringify([address, credential, limit]);
  const pace = paces.get(key) ?? new Pace(address, limit);
  paces.set(key, pace);
  return pace;
}

/** After so many periods without a refusal one more call is tried in each: others may have left room since. */
const periodsUntilIncrease = 10;

/** Connections to one API. More calls than these would only wait inside, and be refused together. */
export const mostAtOnce = 64;

/** No server counts over a longer time than this. */
const longestPeriodMilliseconds = 120_000;

interface Caller {
  readonly begin: (end: EndTurn) => void;
  readonly notice: (message: string) => void;
}

/**
 * The pace of all calls of this process to one API with one credential. It keeps to a limit and learns it from
 * refusals: what the server took before a refusal is what it takes from the first of those calls to the first that it
 * takes afterwards. Until then calls are tried one at a time: all together would only be refused together again.
 */
export class Pace {
  /** Counted over any such period, since it is the server that decides when one begins. */
  #limit: RateLimit | undefined;
  readonly #waiting: Caller[] = [];
  /** When the last calls began, oldest first. */
  #begun: number[] = [];
  /** When those of them began that the server took. */
  #taken: number[] = [];
  #underWay = 0;
  #heldUntil = 0;
  #isTrying = false;
  /**
   * What was learned from one refusal alone, or from one before the server took anything: others may have brought it
   * about. The limit is doubled after each period from there, until another refusal shows how far it goes.
   */
  #guess: RateLimit | undefined;
  #refusedAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #isAnnounced = false;

  constructor(
    private readonly address: string,
    /** The limit as far as it is known beforehand; none is kept to that is above it. */
    private readonly ceiling: RateLimit | undefined,
  ) {
    this.#limit = ceiling;
  }

  /** Waits until an attempt may begin; what it returns has to be called when the attempt is over. */
  async turn(notice: (message: string) => void): Promise<EndTurn> {
    const timer = setTimeout(() => this.#announce(notice), noticeableMilliseconds);
    timer.unref();
    try {
      return await new Promise<EndTurn>((begin) => {
        this.#waiting.push({ begin, notice });
        this.#beginNext();
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #beginNext(): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0 && this.#underWay < (this.#isTrying ? 1 : mostAtOnce)) {
      const now = performance.now();
      const wait = this.#nextTurn() - now;
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#beginNext(), wait);
        return;
      }
      const caller = this.#waiting.shift();
      this.#begun.push(now);
      this.#underWay++;
      caller?.begin((waitAfterRefusal) => this.#end(now, waitAfterRefusal, caller.notice));
    }
    if (this.#waiting.length === 0) this.#isAnnounced = false;
  }

  /** When the next call may begin. */
  #nextTurn(): number {
    if (this.#isTrying) return this.#heldUntil;
    const { requests, seconds } = this.#limit ?? { requests: 0, seconds: 0 };
    const oldest = requests === 0 ? undefined : this.#begun.at(-requests);
    return Math.max(this.#heldUntil, oldest === undefined ? 0 : oldest + seconds * 1000);
  }

  #end(began: number, waitAfterRefusal: number | undefined, notice: Caller["notice"]): void {
    this.#underWay--;
    if (waitAfterRefusal !== undefined) this.#hold(waitAfterRefusal, notice);
    else this.#take(began);
    this.#beginNext();
  }

  #hold(milliseconds: number, notice: Caller["notice"]): void {
    const now = performance.now();
    this.#refusedAt = now;
    if (!this.#isTrying) {
      const period = this.#limit ? this.#limit.seconds * 1000 : milliseconds;
      this.#taken = this.#taken.filter((began) => began >= now - period);
      this.#isTrying = true;
    }
    const until = now + milliseconds;
    if (until <= this.#heldUntil) return;
    if (milliseconds >= noticeableMilliseconds && this.#heldUntil <= now) {
      notice(`waiting ${Math.ceil(milliseconds / 1000)} s for the service at ${this.address} (status 429)`);
    }
    this.#heldUntil = until;
  }

  #take(began: number): void {
    if (this.#isTrying && began >= this.#heldUntil) {
      this.#learn(began);
      this.#begun = [began];
      this.#taken = [];
      this.#isTrying = false;
    }
    this.#taken.push(began);
    const period = this.#limit ? this.#limit.seconds * 1000 : longestPeriodMilliseconds;
    const quiet = period * (this.#guess ? 1 : periodsUntilIncrease);
    if (this.#limit && began - this.#refusedAt > quiet) this.#increase(this.#limit);
    for (const times of [this.#taken, this.#begun]) {
      while ((times[0] ?? began) < began - 2 * period) times.shift();
    }
  }

  /** What is known when the server takes the first call again. */
  #learn(began: number): void {
    const taken = this.#taken.length;
    const [first = this.#refusedAt] = this.#taken;
    const waited = (began - this.#refusedAt) / 1000;
    const known = this.#guess ?? this.#limit;
    const isExceeded = this.#guess !== undefined && this.#guess !== this.#limit;
    const { requests, seconds } = known
      ? corrected(known, taken, waited, isExceeded)
      : { requests: Math.max(1, taken), seconds: (began - first) / 1000 };
    this.#limit = { requests, seconds: Math.min(seconds, longestPeriodMilliseconds / 1000) };
    this.#guess = known === undefined || (taken === 0 && requests === 1) ? this.#limit : undefined;
  }

  #increase({ requests, seconds }: RateLimit): void {
    this.#refusedAt = performance.now();
    const { ceiling } = this;
    const more = this.#guess ? 2 * requests : requests + 1;
    const isAbove = ceiling && more / seconds > ceiling.requests / ceiling.seconds;
    this.#limit = isAbove ? ceiling : { requests: more, seconds };
  }

  #announce(notice: (message: string) => void): void {
    // A hold is announced when it begins, and one announcement is enough for all that wait.
    if (!this.#limit || this.#isAnnounced || performance.now() < this.#heldUntil) return;
    this.#isAnnounced = true;
    const { requests, seconds } = this.#limit;
    notice(
      `waiting for the limit of ${requests} requests in ${Number(seconds.toPrecision(2))} s of the service at ${this.address}; ${this.#waiting.length} calls are left`,
    );
  }
}

/**
 * A limit in the light of a refusal.
 *
 * @param taken how many calls the server had taken in its period
 * @param waited how long it then took none, in seconds
 * @param isExceeded whether more than the limit was tried
 */
function corrected(
  { requests, seconds }: RateLimit,
  taken: number,
  waited: number,
  isExceeded: boolean,
): RateLimit {
  if (isExceeded && taken >= requests) return { requests: taken, seconds: Math.max(seconds, waited) };
  // Refused although the limit was kept, or shortly before the end of the server's period, or after far fewer calls
  // than it used to take: the period is longer than was known, or others have had a part of it.
  const isLonger = waited < seconds / 2 || waited > seconds || taken >= requests || 2 * taken <= requests;
  return isLonger ? { requests, seconds: seconds + waited } : { requests: Math.max(1, taken), seconds };
}
