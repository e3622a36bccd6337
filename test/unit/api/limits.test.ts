import { expect } from "chai";
import fc from "fast-check";
import { rateLimiterFor } from "../../../provider/api/rateLimiter";
import { type LimitedServer, type Outcome, play, waysToCount } from "./limitedServer";

const limits = [
  { requests: 10, seconds: 1, calls: 300 },
  { requests: 10, seconds: 10, calls: 300 },
  { requests: 100, seconds: 60, calls: 600 },
];
const drawn = 12;

/** Numbers from 0 to 1 that follow from a seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

let credentials = 0;

/** What becomes of calls on servers that count in each of the ways, at drawn distances and moments. */
async function outcomesOf(
  { calls, ...limit }: (typeof limits)[number],
  { isKnown, rival, programs = 1 }: { isKnown: boolean; rival: number; programs?: number },
): Promise<Outcome[]> {
  // Delays of a tenth of the period or more would leave the connection the bottleneck.
  const draw = fc.record({
    delay: fc.integer({ min: 0, max: Math.min(150, limit.seconds * 20) }),
    jitter: fc.integer({ min: 0, max: Math.min(50, limit.seconds * 10) }),
    phase: fc.integer({ min: 0, max: 99 }).map((percent) => percent / 100),
    atOnce: fc.constantFrom(8, 64),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  });
  const outcomes: Outcome[] = [];
  for (const counts of waysToCount) {
    for (const { atOnce, seed, ...way } of fc.sample(draw, drawn)) {
      const server: LimitedServer = { ...way, limit, counts };
      const limiter = () =>
        rateLimiterFor("https://api.example.com", `limited ${credentials++}`, isKnown ? limit : undefined);
      const all = Array.from({ length: programs }, () => () => ({
        limiter: limiter(),
        calls: calls / programs,
        atOnce,
      }));
      outcomes.push(...(await play(server, all, rival * limit.requests, randomFrom(seed))));
    }
  }
  return outcomes;
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

describe("calls under a limit", () => {
  for (const limit of limits) {
    const { requests, seconds, calls } = limit;
    const ideal = (calls / requests) * seconds;

    describe(`of ${requests} in ${seconds} s`, () => {
      it("take no longer than the server takes, and none is refused, if the limit is known", async () => {
        for (const outcome of await outcomesOf(limit, { isKnown: true, rival: 0 })) {
          expect(outcome.refused).to.equal(0);
          expect(outcome.seconds).to.be.at.most(1.05 * ideal);
        }
      });

      // Each stack has a process of its own, which does not see the others.
      it("of four stacks that share a key take no longer on average, by at most 1.5 times the requests", async () => {
        const outcomes = await outcomesOf(limit, { isKnown: true, rival: 0, programs: 4 });
        expect(mean(outcomes.map(({ sent }) => sent / (calls / 4)))).to.be.at.most(1.5);
        const times = outcomes.map((outcome) => outcome.seconds / ideal);
        expect(mean(times)).to.be.at.most(1);
        expect(Math.max(...times), "none starves").to.be.at.most(2);
      });

      for (const [title, isKnown, rival, most] of [
        ["is not known", false, 0, 1.15],
        ["is known, and a client of somebody else uses a third of it", true, 1 / 3, 1.05],
        ["is not known, and a client of somebody else uses a third of it", false, 1 / 3, 1.25],
      ] as const) {
        it(`take 1.05 times the time and ${most} times the requests at most on average if the limit ${title}`, async () => {
          const outcomes = await outcomesOf(limit, { isKnown, rival });
          expect(mean(outcomes.map(({ sent }) => sent / calls))).to.be.at.most(most);
          const share = ideal / (1 - rival);
          expect(mean(outcomes.map((outcome) => outcome.seconds / share))).to.be.at.most(1.05);
        });
      }
    });
  }
});
