import { setImmediate } from "node:timers/promises";
import { install } from "@sinonjs/fake-timers";
import type { RateLimit } from "../../../provider/api/dialect";
import { Interruption } from "../../../provider/api/interruption";
import type { RateLimiter } from "../../../provider/api/rateLimiter";

/** How a server counts the requests in a period; each counts when it arrives. */
export const waysToCount = ["from the first request", "by the clock", "in any period"] as const;

/** A server that refuses requests beyond its limit, and the way to it. */
export interface LimitedServer {
  readonly limit: RateLimit;
  readonly counts: (typeof waysToCount)[number];
  /** Milliseconds that a request takes to the server, and its answer back. */
  readonly delay: number;
  /** Most milliseconds that each of both may take longer. */
  readonly jitter: number;
  /** Where its clock stands at the beginning, as a part of the period. */
  readonly phase: number;
}

/** Counts a request that arrives now. Returns the milliseconds until the next one is taken, or 0 if this one is. */
function counterOf({ limit, counts, phase }: LimitedServer): () => number {
  const period = limit.seconds * 1000;
  const taken: number[] = [];
  let ends = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (counts === "in any period") {
      while ((taken[0] ?? now) + period <= now) taken.shift();
      if (taken.length >= limit.requests) return (taken[0] ?? 0) + period - now;
    } else {
      if (now >= ends) {
        taken.length = 0;
        const into = counts === "by the clock" ? (now + phase * period) % period : 0;
        ends = now - into + period;
      }
      if (taken.length >= limit.requests) return ends - now;
    }
    taken.push(now);
    return 0;
  };
}

/** What became of requests. */
export interface Outcome {
  /** Seconds until the last one was answered. */
  readonly seconds: number;
  readonly sent: number;
  readonly refused: number;
}

/** Calls of one program: each begins when one of those before it has ended, and is repeated until it is taken. */
export interface Program {
  readonly limiter: RateLimiter;
  readonly calls: number;
  readonly atOnce: number;
}

/**
 * Lets programs call a server in virtual time.
 *
 * @param rival calls in a period of another client, evenly spread, each of them repeated as the server asks
 * @param random numbers from 0 to 1
 */
export async function play(
  server: LimitedServer,
  programs: (() => Program)[],
  rival: number,
  random: () => number,
): Promise<Outcome[]> {
  const clock = install({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  try {
    const count = counterOf(server);
    let isOver = false;
    // Whoever still waits in the end must not go on in real time, which would keep the process alive.
    const wait = (milliseconds: number) =>
      new Promise<void>((resolve) => {
        if (!isOver) setTimeout(resolve, milliseconds);
      });
    const lag = () => server.delay + random() * server.jitter;
    const send = async () => {
      await wait(lag());
      const refusal = count();
      await wait(lag());
      return refusal;
    };
    const outcomes = programs.map((program) => run(program(), send));
    const all = Promise.all(outcomes).finally(() => {
      isOver = true;
    });
    if (rival > 0) void compete();
    async function compete(): Promise<void> {
      const every = (server.limit.seconds * 1000) / rival;
      for (let at = random() * every; !isOver; at += every * (0.5 + random())) {
        await wait(Math.max(0, at - performance.now()));
        for (let hold = await send(); hold > 0; hold = await send()) await wait(hold);
      }
    }
    while (!isOver) {
      await setImmediate();
      clock.next();
    }
    return await all;
  } finally {
    clock.uninstall();
  }
}

async function run({ limiter, calls, atOnce }: Program, send: () => Promise<number>): Promise<Outcome> {
  let [begun, sent, refused] = [0, 0, 0];
  async function call(): Promise<void> {
    for (;;) {
      const release = await limiter.acquire(() => undefined, new Interruption());
      sent++;
      const hold = await send();
      release?.(hold > 0 ? hold : undefined);
      if (hold === 0) return;
      refused++;
    }
  }
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (begun++ < calls) await call();
    }),
  );
  return { seconds: performance.now() / 1000, sent, refused };
}
