import { setImmediate } from "node:timers/promises";
import { type Clock, install } from "@sinonjs/fake-timers";
import type { RateLimit } from "../../../provider/api/dialect";
import { Interruption } from "../../../provider/api/interruption";
import { type RateLimiter, type Release, rateLimiterFor } from "../../../provider/api/rateLimiter";

export const address = "https://api.example.com";
let credentials = 0;

/** A rate limiter that no other test shares. */
export function rateLimiterWith(limit: RateLimit | undefined): RateLimiter {
  return rateLimiterFor(address, `credential ${credentials++}`, limit);
}

/** Time that passes only when a test of the surrounding `describe` lets it pass. */
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
    /** Lets so many milliseconds pass, with all that becomes due meanwhile. */
    async pass(milliseconds: number): Promise<void> {
      await setImmediate();
      await until(wait(milliseconds));
    },
  };
}

const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

/** How long calls take to reach a server, which of them it refuses, and how long its answers take. */
export interface Server {
  arrival?(): number;
  /** Milliseconds until it takes the next call; undefined if it takes this one. */
  refuses?(): number | undefined;
  back?(): number;
}

async function send({ arrival, refuses, back }: Server): Promise<number | undefined> {
  if (arrival) await wait(arrival());
  const hold = refuses?.();
  if (back) await wait(back());
  return hold;
}

/** Calls that a rate limiter lets through to a server. */
export function callsTo(server: Server, limiter: RateLimiter) {
  const calls = {
    notices: [] as string[],
    begun: [] as number[],
    refused: 0,
    underWay: 0,
    mostUnderWay: 0,
    finished: 0,
    /** Makes so many calls, and repeats each until it is taken. */
    async add(count: number, atOnce = count): Promise<void> {
      let left = count;
      const makeAll = async () => {
        while (left-- > 0) await make();
      };
      await Promise.all(Array.from({ length: atOnce }, makeAll));
    },
  };
  async function make(): Promise<void> {
    for (let hold: number | undefined = 0; hold !== undefined; ) {
      const notice = (text: string) => calls.notices.push(text);
      const release = (await limiter.acquire(notice, new Interruption())) as Release;
      calls.begun.push(Date.now());
      calls.mostUnderWay = Math.max(calls.mostUnderWay, ++calls.underWay);
      hold = await send(server);
      calls.underWay--;
      if (hold !== undefined) calls.refused++;
      release(hold);
    }
    calls.finished++;
  }
  return calls;
}

/** Another client, which calls a server so often, evenly spread, until it is told to stop. */
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

/** How a server counts the requests in a period; each counts when it arrives. */
export const waysToCount = ["from the first request", "by the clock", "in any period"] as const;

/**
 * Refuses the requests beyond a limit until the next one is taken.
 *
 * @param phase where the server's clock stands at the beginning, as a part of the period
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
