import { expect } from "chai";
import fc from "fast-check";
import {
  callsTo,
  rateLimiterWith,
  refusingBeyond,
  rivalAt,
  useStoppedTime,
  waysToCount,
} from "./limitedCalls";

const limits = [
  { requests: 10, seconds: 1, calls: 300 },
  { requests: 10, seconds: 10, calls: 300 },
  { requests: 100, seconds: 60, calls: 600 },
];
const drawn = 12;

interface Situation {
  readonly isKnown: boolean;
  /** The share of the rate limit that another client uses. */
  readonly rival?: number;
  /** The number of stacks that share the rate limit. Each has a process and a rate limiter of its own. */
  readonly programs?: number;
  /** The highest accepted average of the number of requests that an API call needs. */
  readonly sent: number;
  /**
   * How long the API calls may take at most, as a multiple of the time that the rate limit makes necessary: `time` on average,
   * `longest` for each stack.
   */
  readonly time: number;
  readonly longest?: number;
  /**
   * With several stacks, the highest accepted average of the time until the last stack has ended, as a multiple of the time
   * that the rate limit makes necessary.
   */
  readonly last?: number;
}

const situations: { readonly [title: string]: Situation } = {
  "The client keeps within a known rate limit, and loses no time": {
    isKnown: true,
    sent: 1,
    time: 1.05,
    longest: 1.05,
  },
  "Four stacks with one API key share a rate limit, and none waits much longer than the others": {
    ...{ isKnown: true, programs: 4, sent: 1.5, time: 1, longest: 2, last: 1.1 },
  },
  "The client finds an unknown rate limit after few refusals": { isKnown: false, sent: 1.15, time: 1.05 },
  "The client uses up a known rate limit beside another client that uses a third of it": {
    ...{ isKnown: true, rival: 1 / 3, sent: 1.05, time: 1.05 },
  },
  "The client uses up an unknown rate limit beside another client that uses a third of it": {
    ...{ isKnown: false, rival: 1 / 3, sent: 1.25, time: 1.05 },
  },
};

function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

describe("Rate limits of simulated servers", () => {
  const time = useStoppedTime();
  const { random } = Math;
  beforeEach(() => {
    Math.random = randomFrom(1);
  });
  afterEach(() => {
    Math.random = random;
  });

  /**
   * Returns the requests for each API call and the time of each stack, for simulated servers with random delays and each manner
   * of counting requests.
   */
  async function outcomesOf(
    { calls, ...limit }: (typeof limits)[number],
    { isKnown, rival = 0, programs = 1 }: Situation,
  ) {
    // The delays stay far below the period of the rate limit, since otherwise the connection rather than the limit would
    // determine the time.
    const draw = fc.record({
      delay: fc.integer({ min: 0, max: Math.min(150, limit.seconds * 20) }),
      jitter: fc.integer({ min: 0, max: Math.min(50, limit.seconds * 10) }),
      phase: fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100),
      atOnce: fc.constantFrom(8, 64),
      seed: fc.integer({ min: 1, max: 1_000_000 }),
    });
    const ideal = ((calls / limit.requests) * limit.seconds * 1000) / (1 - rival);
    const outcomes: { sent: number; time: number }[] = [];
    const lasts: number[] = [];
    for (const counts of waysToCount)
      for (const { delay, jitter, phase, atOnce, seed } of fc.sample(draw, drawn)) {
        const random = randomFrom(seed);
        const lag = () => delay + random() * jitter;
        const server = { arrival: lag, refuses: refusingBeyond(limit, counts, phase), back: lag };
        const begin = Date.now();
        const other = rival
          ? rivalAt(server, (limit.seconds * 1000) / (rival * limit.requests), random)
          : undefined;
        const run = async () => {
          const own = callsTo(server, rateLimiterWith(isKnown ? limit : undefined));
          await own.add(calls / programs, atOnce);
          outcomes.push({ sent: own.begun.length / own.finished, time: (Date.now() - begin) / ideal });
        };
        await time.until(Promise.all(Array.from({ length: programs }, run)));
        lasts.push((Date.now() - begin) / ideal);
        other?.stop();
      }
    return { outcomes, lasts };
  }

  for (const limit of limits)
    for (const [title, situation] of Object.entries(situations))
      it(`clients need few requests and little more than the least time for a rate limit of ${limit.requests} requests in ${limit.seconds} s: ${title}`, async () => {
        const { outcomes, lasts } = await outcomesOf(limit, situation);
        const { longest = Number.POSITIVE_INFINITY, last = longest } = situation;
        const [sent, times] = [outcomes.map((one) => one.sent), outcomes.map((one) => one.time)];
        expect(mean(sent), "requests for each call").to.be.at.most(situation.sent);
        expect(mean(times), "average time").to.be.at.most(situation.time);
        expect(Math.max(...times), "longest time").to.be.at.most(longest);
        expect(mean(lasts), "time until the last has ended").to.be.at.most(last);
      });

  // 4 calls are a drift check of a stack with a query endpoint, three dashboards, six alerts and a webhook, 18 its first update.
  for (const [stacks, calls] of [
    [10, 4],
    [10, 18],
    [100, 4],
    [100, 18],
  ] as const)
    it(`${stacks} machines with one API key end ${calls} calls each as soon as the rate limit allows`, async () => {
      const limit = { requests: 10, seconds: 10 };
      for (const counts of waysToCount) {
        const server = { refuses: refusingBeyond(limit, counts, 0.3), back: () => 50 };
        const begin = Date.now();
        const ends: number[] = [];
        const clients = Array.from({ length: stacks }, () => callsTo(server, rateLimiterWith(limit)));
        const run = async (client: (typeof clients)[number]) => {
          await client.add(calls);
          ends.push((Date.now() - begin) / 1000);
        };
        await time.until(Promise.all(clients.map(run)));
        const sent = clients.reduce((sum, { begun }) => sum + begun.length, 0) / (stacks * calls);
        const [first = 0, last = 0] = [ends[0], ends.at(-1)];
        const needed = (Math.ceil((stacks * calls) / limit.requests) - 1) * limit.seconds;
        if (process.env.SHOW_MEASURES)
          console.log(
            `${stacks} machines, ${calls} calls each, ${counts}: ${Math.round(first)} to ${Math.round(last)} s, of ${needed} s; ${sent.toFixed(1)} requests for each`,
          );
        expect(sent, "requests for each call").to.be.at.most(6.5);
        expect(last, "time until the last has ended").to.be.at.most(1.15 * needed + limit.seconds);
        // The client gives up after 20 refusals, or 100 while other calls of its process are accepted.
        expect(Math.max(...clients.map(({ mostRefused }) => mostRefused)), "most refusals").to.be.at.most(40);
      }
    });
});
