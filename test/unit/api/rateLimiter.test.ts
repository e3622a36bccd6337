import { expect } from "chai";
import { Interruption } from "../../../provider/api/interruption";
import { mostAtOnce, rateLimiterFor } from "../../../provider/api/rateLimiter";
import { address, callsTo, rateLimiterWith, useStoppedTime } from "./limitedCalls";
import { clientOf, enveloped, place, useServer } from "./server";
import { useVirtualTime } from "./virtualTime";

const tenIn = (seconds: number) => rateLimiterWith({ requests: 10, seconds });
const unlimited = () => rateLimiterWith(undefined);
const back = () => 100;

/** Makes the function by which a simulated server refuses the given number of requests, each for the given time. */
const refusing = (count: number, milliseconds: number) => () => (count-- > 0 ? milliseconds : undefined);

it("an interrupted wait for a rate limiter leaves no timer that would keep the process alive", async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const limiter = unlimited();
  const interruption = new Interruption();
  const release = await limiter.acquire(() => undefined, interruption);
  release?.(100_000);
  const before = timers();
  const waits = [1, 2].map(() => limiter.acquire(() => undefined, interruption));
  expect(timers()).to.equal(before + 1);
  interruption.cancel();
  expect(await Promise.all(waits)).to.deep.equal([undefined, undefined]);
  expect(timers()).to.equal(before);
});

it("all calls with the same credential and limit share a rate limiter, and no other calls do", () => {
  const limit = { requests: 2, seconds: 10 };
  const limiter = rateLimiterFor(address, "shared", limit);
  expect(rateLimiterFor(address, "shared", { ...limit })).to.equal(limiter);
  expect(rateLimiterFor(address, "other", limit)).to.not.equal(limiter);
  expect(rateLimiterFor("https://obs.example.com", "shared", limit)).to.not.equal(limiter);
  expect(rateLimiterFor(address, "shared", undefined)).to.not.equal(limiter);
});

describe("The calls that a rate limiter starts", () => {
  const time = useStoppedTime();

  async function mostUnderWay(calls: ReturnType<typeof callsTo>, milliseconds: number, periods: number) {
    const most: number[] = [];
    for (let period = 0; period < periods; period++) {
      calls.mostUnderWay = calls.underWay;
      await time.pass(milliseconds);
      most.push(calls.mostUnderWay);
    }
    return most;
  }

  it(`a rate limiter without a limit allows 4 concurrent calls, and doubles that each half second, up to ${mostAtOnce}`, async () => {
    const calls = callsTo({ back }, unlimited());
    void calls.add(5000);
    expect(await mostUnderWay(calls, 500, 5)).to.deep.equal([4, 8, 16, 32, mostAtOnce]);
    expect(calls.notices).to.deep.equal([]);
  });

  const waiting = "waiting for the limit of 10 requests in 10 s of the service at https://api.example.com;";
  for (const [title, seconds, batches, notices] of [
    ["announces once, after a while, the limit that all calls wait for", 10, [25], ["15 calls are left"]],
    ["counts a single call that waits as one", 10, [11], ["1 call is left"]],
    ["announces no short wait", 2, [15], []],
  ] as const)
    it(`a rate limiter announces only long waits, once, with the number of waiting calls: it ${title}`, async () => {
      const calls = callsTo({}, tenIn(seconds));
      for (const [at, batch] of batches.entries()) {
        const done = calls.add(batch);
        await time.pass(4800);
        expect(calls.notices).to.have.length(Math.min(at, notices.length));
        await time.until(done);
        await time.pass(20_000);
      }
      expect(calls.notices).to.deep.equal(notices.map((left) => `${waiting} ${left}`));
    });

  it("a call that is not sent after all leaves its place to the next one", async () => {
    const limiter = rateLimiterWith({ requests: 1, seconds: 10 });
    const acquire = () => limiter.acquire(() => undefined, new Interruption());
    const ends = ["unsent", "unsent", undefined, undefined] as const;
    const begun: number[] = [];
    const started = performance.now();
    await time.until(
      Promise.all(
        ends.map(async (end) => {
          const release = await acquire();
          begun.push(performance.now() - started);
          release?.(end);
        }),
      ),
    );
    expect(begun).to.deep.equal([0, 0, 0, 10_000]);
  });

  describe("a rate limiter after a 429", () => {
    it("after a 429 a rate limiter starts no call during the requested wait, and then one call alone", async () => {
      const calls = callsTo({ refuses: refusing(1, 3000), back }, unlimited());
      void calls.add(1);
      await time.pass(101);
      void calls.add(20);
      await time.pass(2900);
      expect(calls.begun).to.have.length(1);
      await time.pass(100);
      expect(calls.begun).to.have.length(2);
    });

    it("after each period without a refusal, a rate limiter doubles its concurrent calls", async () => {
      let arrived = 0;
      const calls = callsTo({ refuses: () => (++arrived === 2 ? 2000 : undefined), back }, unlimited());
      void calls.add(1);
      await time.pass(900);
      void calls.add(1);
      await time.pass(2101);
      void calls.add(1000);
      expect(await mostUnderWay(calls, 1999, 4)).to.deep.equal([1, 2, 4, 8]);
    });
  });
});

describe("The rate limit of an API client", () => {
  const server = useServer();
  useVirtualTime();
  const zeros = (count: number) => Array<number>(count).fill(0);

  for (const [title, changed, waits] of [
    ["is none in the neutral dialect", {}, zeros(11)],
    ["is the product's in the clickhouse dialect", { dialect: "clickhouse" }, [...zeros(9), 10_000, 0]],
    ["is the one that the user sets", { dialect: "clickhouse", requestsPerSecond: 1000 }, zeros(11)],
    ["spreads calls over time", { requestsPerSecond: 8 }, [...zeros(7), 1000, ...zeros(3)]],
  ] as const)
    it(`a client keeps the rate limit of its dialect or its settings: the limit ${title}`, async () => {
      server.current.alwaysAnswer(enveloped([]));
      const { client } = clientOf(server.current, changed);
      await Promise.all(Array.from({ length: 12 }, () => client.call("listKeys", place)));
      expect(server.current.gaps).to.deep.equal(waits);
    });
});
