import { mock } from "node:test";
import type { RateLimit } from "../../../provider/api/dialect";
import { Interruption } from "../../../provider/api/interruption";
import { type RateLimiter, type Release, rateLimiterFor } from "../../../provider/api/rateLimiter";

export const address = "https://api.example.com";
let credentials = 0;

/** A rate limiter that no other test shares. */
export function rateLimiterWith(limit: RateLimit | undefined): RateLimiter {
  return rateLimiterFor(address, `credential ${credentials++}`, limit);
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass in steps, with everything that becomes due in between. */
export async function pass(milliseconds: number, step = 100): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += step) {
    await settle();
    mock.timers.tick(step);
  }
  await settle();
}

/** A server: how long a call takes to reach it, whether it is refused and for how long, and how long its answer takes. */
interface Server {
  readonly there?: () => number;
  readonly refuses?: () => number | undefined;
  readonly back?: number;
}

/** Calls that a rate limiter lets through to a server, each repeated until it is taken. */
export function callsTo(
  { there = () => 0, refuses = () => undefined, back = 0 }: Server,
  limiter: RateLimiter,
) {
  const calls = {
    notices: [] as string[],
    /** When calls began, and when they reached the server. */
    begun: [] as number[],
    arrived: [] as number[],
    refused: 0,
    underWay: 0,
    mostUnderWay: 0,
    finished: 0,
    add(count: number): void {
      for (let index = 0; index < count; index++) void call();
    },
  };
  const wait = (milliseconds: number) =>
    milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : undefined;
  async function call(): Promise<void> {
    for (;;) {
      const release = (await limiter.acquire(
        (text) => calls.notices.push(text),
        new Interruption(),
      )) as Release;
      calls.begun.push(Date.now());
      calls.mostUnderWay = Math.max(calls.mostUnderWay, ++calls.underWay);
      await wait(there());
      calls.arrived.push(Date.now());
      const hold = refuses();
      await wait(back);
      calls.underWay--;
      if (hold !== undefined) calls.refused++;
      release(hold);
      if (hold === undefined) break;
    }
    calls.finished++;
  }
  return calls;
}

/** Refuses more than so many requests in a window, which begins with the first request and whose rest is announced. */
export function windowed({ requests, seconds }: RateLimit): () => number | undefined {
  let ends = 0;
  let count = 0;
  return () => {
    const now = Date.now();
    if (now >= ends) [ends, count] = [now + seconds * 1000, 0];
    return ++count > requests ? ends - now : undefined;
  };
}
