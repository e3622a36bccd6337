import { mock } from "node:test";
import { expect } from "chai";
import { dialects, type RateLimit } from "../../../provider/api/dialect";
import { Interruption } from "../../../provider/api/interruption";
import { mostAtOnce, rateLimiterFor } from "../../../provider/api/rateLimiter";
import { mockTime } from "./mockTime";
import { address, callsTo, pass, rateLimiterWith, windowed } from "./rateLimitedCalls";
import { clientOf, enveloped, place, useServer } from "./server";
import { useVirtualTime } from "./virtualTime";

describe("an interrupted wait for a rate limiter", () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

  it("leaves no timer that would keep the process alive", async () => {
    const limiter = rateLimiterWith(undefined);
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
});

describe("a rate limiter", () => {
  beforeEach(mockTime);
  afterEach(() => mock.reset());

  const without = () => rateLimiterWith(undefined);
  const withLimit = (limit: RateLimit) => rateLimiterWith(limit);

  it(`lets 4 calls go at once without a limit, and twice as many each half second, up to ${mostAtOnce}`, async () => {
    const calls = callsTo({ back: 100 }, without());
    calls.add(5000);
    const most: number[] = [];
    for (let halves = 0; halves < 5; halves++) {
      calls.mostUnderWay = calls.underWay;
      await pass(500);
      most.push(calls.mostUnderWay);
    }
    expect(most).to.deep.equal([4, 8, 16, 32, mostAtOnce]);
    expect(calls.notices).to.deep.equal([]);
  });

  for (const [api, limit] of Object.entries(dialects.clickhouse.limits)) {
    it(`keeps to ${limit.requests} in any ${limit.seconds} s, the limit of the ${api} API`, async () => {
      const calls = callsTo({}, withLimit(limit));
      calls.add(3 * limit.requests);
      await pass(limit.seconds * 2500);
      expect(calls.begun).to.have.length(3 * limit.requests);
      for (const [index, at] of calls.begun.slice(limit.requests).entries())
        expect(at - (calls.begun[index] ?? 0)).to.equal(limit.seconds * 1000);
    });
  }

  it("counts a call from its answer, so that a faster one after it does not reach the server early", async () => {
    let sent = 0;
    const there = () => (sent++ < 10 ? 200 : 1);
    const server = { there, refuses: windowed({ requests: 10, seconds: 1 }), back: 30 };
    const calls = callsTo(server, withLimit({ requests: 10, seconds: 1 }));
    calls.add(20);
    await pass(3000, 1);
    expect(calls.finished).to.equal(20);
    expect(calls.refused).to.equal(0);
    expect((calls.begun[10] ?? 0) - (calls.begun[0] ?? 0)).to.be.within(1230, 1240);
  });

  it("counts a call as long as it is under way", async () => {
    const calls = callsTo({ back: 5000 }, withLimit({ requests: 2, seconds: 1 }));
    calls.add(3);
    await pass(5900);
    expect(calls.begun).to.have.length(2);
    await pass(200);
    expect(calls.begun).to.have.length(3);
  });

  it("announces once, after a while, the limit that all calls wait for", async () => {
    const calls = callsTo({}, withLimit({ requests: 10, seconds: 10 }));
    calls.add(25);
    await pass(4800);
    expect(calls.notices).to.deep.equal([]);
    await pass(1200);
    calls.add(10);
    await pass(20_000);
    expect(calls.notices).to.deep.equal([
      "waiting for the limit of 10 requests in 10 s of the service at https://api.example.com; 15 calls are left",
    ]);
  });

  it("counts a single call that waits as one", async () => {
    const calls = callsTo({}, withLimit({ requests: 10, seconds: 10 }));
    calls.add(11);
    await pass(20_000);
    expect(calls.notices).to.have.length(1);
    expect(calls.notices[0]).to.match(/; 1 call is left$/);
  });

  it("announces each of several waits", async () => {
    const calls = callsTo({}, withLimit({ requests: 10, seconds: 10 }));
    for (const waits of [1, 2]) {
      calls.add(25);
      await pass(40_000);
      expect(calls.notices).to.have.length(waits);
    }
  });

  it("is silent about short waits", async () => {
    const calls = callsTo({}, withLimit({ requests: 10, seconds: 2 }));
    calls.add(15);
    await pass(10_000);
    expect(calls.finished).to.equal(15);
    expect(calls.notices).to.deep.equal([]);
  });

  it("is shared by all that use the same credential and limit, and by nobody else", () => {
    const limit = { requests: 2, seconds: 10 };
    const limiter = rateLimiterFor(address, "shared", limit);
    expect(rateLimiterFor(address, "shared", { ...limit })).to.equal(limiter);
    expect(rateLimiterFor(address, "other", limit)).to.not.equal(limiter);
    expect(rateLimiterFor("https://obs.example.com", "shared", limit)).to.not.equal(limiter);
    expect(rateLimiterFor(address, "shared", undefined)).to.not.equal(limiter);
  });
});

describe("the limit of a client", () => {
  const server = useServer();
  useVirtualTime();
  const atOnce = Array<number>(9).fill(0);

  /** The waits between a dozen calls at once, in milliseconds. */
  async function waitsBetween(changed: Parameters<typeof clientOf>[1]): Promise<number[]> {
    server.current.alwaysAnswer(enveloped([]));
    const { client } = clientOf(server.current, changed);
    await Promise.all(Array.from({ length: 12 }, () => client.call("listKeys", place)));
    return server.current.gaps;
  }

  it("is none in the neutral dialect", async () => {
    expect(await waitsBetween({ dialect: "neutral" })).to.deep.equal([...atOnce, 0, 0]);
  });

  it("is that of the product in the clickhouse dialect", async () => {
    expect(await waitsBetween({ dialect: "clickhouse" })).to.deep.equal([...atOnce, 10_000, 0]);
  });

  it("is the one that the user sets", async () => {
    const changed = { dialect: "clickhouse", requestsPerSecond: 1000 } as const;
    expect(await waitsBetween(changed)).to.deep.equal([...atOnce, 0, 0]);
  });
});
