import { setImmediate } from "node:timers/promises";
import { type Clock, install } from "@sinonjs/fake-timers";
import type { RateLimit } from "../../../provider/api/dialect";
import { Interruption } from "../../../provider/api/interruption";
import { type RateLimiter, type Release, rateLimiterFor } from "../../../provider/api/rateLimiter";

export const address = "https://api.example.com";
let credentials = 0;

/** Makes a rate limiter that no other test shares: the provider keeps one for each address and credential. */
export function rateLimiterWith(limit: RateLimit | undefined): RateLimiter {
  return rateLimiterFor(address, `credential ${credentials++}`, limit);
}

/** Provides a clock that stands still until a test of the surrounding `describe` block lets time pass. */
export function useStoppedTime() {
  let clock: Clock;
  beforeEach(() => {
    clock = install({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  });
  afterEach(() => clock.uninstall());

  async function until<Result>(promise: Promise<Result>): Promise<Result> {
    let isOver = false;
    const end = () => {
      isOver = true;
    };
    promise.then(end, end);
    for (await setImmediate(); !isOver; await setImmediate()) clock.next();
    return promise;
  }
  return {
    until,
    async pass(milliseconds: number): Promise<void> {
      await setImmediate();
      await until(wait(milliseconds));
    },
  };
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** The behaviour of a simulated server: the delays of requests and answers in milliseconds, and which requests it refuses. */
export interface Server {
  arrival?(): number;
  /**
   * Returns the milliseconds until the simulated server accepts the next request, or undefined if it accepts the present one.
   */
  refuses?(): number | undefined;
  back?(): number;
}

async function send({ arrival, refuses, back }: Server): Promise<number | undefined> {
  if (arrival) await wait(arrival());
  const hold = refuses?.();
  if (back) await wait(back());
  return hold;
}

/** Makes a recorder of API calls that go through a rate limiter to a simulated server. */
export function callsTo(server: Server, limiter: RateLimiter) {
  const calls = {
    notices: [] as string[],
    begun: [] as number[],
    refused: 0,
    /** The most refusals of one API call. */
    mostRefused: 0,
    underWay: 0,
    mostUnderWay: 0,
    finished: 0,
    /**
     * Makes the given number of API calls, `atOnce` of them at the same time, and repeats each until the simulated server
     * accepts it.
     */
    async add(count: number, atOnce = count): Promise<void> {
      let left = count;
      const makeAll = async () => {
        while (left-- > 0) await make();
      };
      await Promise.all(Array.from({ length: atOnce }, makeAll));
    },
  };
  async function make(): Promise<void> {
    let refused = 0;
    for (let hold: number | undefined = 0; hold !== undefined; ) {
      const notice = (text: string) => calls.notices.push(text);
      const release = (await limiter.acquire(notice, new Interruption())) as Release;
      calls.begun.push(Date.now());
      calls.mostUnderWay = Math.max(calls.mostUnderWay, ++calls.underWay);
      hold = await send(server);
      calls.underWay--;
      if (hold !== undefined) {
        calls.refused++;
        calls.mostRefused = Math.max(calls.mostRefused, ++refused);
      }
      release(hold);
    }
    calls.finished++;
  }
  return calls;
}

/**
 * Starts another client that calls the simulated server at random intervals of the given average length until it is stopped.
 */
export function rivalAt(server: Server, milliseconds: number, random: () => number): { stop(): void } {
  let isOver = false;
  const compete = async () => {
    for (let at = Date.now() + random() * milliseconds; !isOver; at += milliseconds * (0.5 + random())) {
      await wait(Math.max(0, at - Date.now()));
      for (let hold = await send(server); hold !== undefined; hold = await send(server)) await wait(hold);
    }
  };
  void compete();
  return {
    stop() {
      isOver = true;
    },
  };
}

/** How a simulated server counts the requests in a period of its rate limit. A request counts from its arrival on. */
export const waysToCount = ["from the first request", "by the clock", "in any period"] as const;

/**
 * Returns the function of a simulated server that refuses requests beyond a limit, and says when it accepts the next one.
 *
 * @param phase where in its period the server's clock is at the beginning, from 0 to 1
 */
export function refusingBeyond(
  { requests, seconds }: RateLimit,
  counts: (typeof waysToCount)[number],
  phase: number,
): () => number | undefined {
  const period = seconds * 1000;
  const times: number[] = [];
  let ends = Number.NEGATIVE_INFINITY;
  return () => {
    const now = Date.now();
    const [first = now] = times;
    if (counts === "in any period") {
      while ((times[0] ?? now) + period <= now) times.shift();
      ends = (times[0] ?? first) + period;
    } else if (now >= ends) {
      times.length = 0;
      ends = now + period - (counts === "by the clock" ? (now + phase * period) % period : 0);
    }
    if (times.length >= requests) return ends - now;
    times.push(now);
    return undefined;
  };
}
