import { mock } from "node:test";
import { expect } from "chai";
import { dialects, type RateLimit } from "../../../provider/api/dialect";
import { Interruption } from "../../../provider/api/interruption";
import {
  mostAtOnce,
  type RateLimiter,
  type Release,
  rateLimiterFor,
} from "../../../provider/api/rateLimiter";
import { mockTime } from "./mockTime";
import { clientOf, enveloped, place, useServer } from "./server";
import { useVirtualTime } from "./virtualTime";

const address = "https://api.example.com";
let credentials = 0;
const anyCredential = () => `credential ${credentials++}`;

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Lets time pass in steps, with everything that becomes due in between. */
async function pass(milliseconds: number, step = 100): Promise<void> {
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
function callsTo({ there = () => 0, refuses = () => undefined, back = 0 }: Server, limiter: RateLimiter) {
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
function windowed({ requests, seconds }: RateLimit): () => number | undefined {
  let ends = 0;
  let count = 0;
  return () => {
    const now = Date.now();
    if (now >= ends) [ends, count] = [now + seconds * 1000, 0];
    return ++count > requests ? ends - now : undefined;
  };
}

describe("an interrupted wait for a rate limiter", () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;

  it("keeps no process alive", async () => {
    const limiter = rateLimiterFor(address, anyCredential(), undefined);
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

  const without = () => rateLimiterFor(address, anyCredential(), undefined);
  const withLimit = (limit: RateLimit) => rateLimiterFor(address, anyCredential(), limit);

  it(`without a limit lets 4 calls go at once, and twice as many each second, up to ${mostAtOnce}`, async () => {
    const calls = callsTo({ back: 100 }, without());
    calls.add(5000);
    const most: number[] = [];
    for (let second = 0; second < 6; second++) {
      calls.mostUnderWay = calls.underWay;
      await pass(900);
      most.push(calls.mostUnderWay);
      await pass(100);
    }
    expect(most[0]).to.equal(4);
    expect(most.at(-1)).to.equal(mostAtOnce);
    for (const [second, now] of most.slice(1).entries()) expect(now).to.be.at.most(2 * (most[second] ?? 0));
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

  it("counts a call while it is under way, however long that is", async () => {
    const calls = callsTo({ back: 5000 }, withLimit({ requests: 2, seconds: 1 }));
    calls.add(3);
    await pass(5900);
    expect(calls.begun).to.have.length(2);
    await pass(200);
    expect(calls.begun).to.have.length(3);
  });

  it("takes no limit from a server that refused again without taking anything in between", async () => {
    let arrived = 0;
    // The first calls go at once, then one alone.
    const calls = callsTo({ refuses: () => (++arrived <= 5 ? 10_000 : undefined) }, without());
    calls.add(20);
    await pass(21_000);
    expect([calls.refused, calls.finished]).to.deep.equal([5, 20]);
  });

  it("takes no limit from a server that refused after a few calls: it may have refused for something else", async () => {
    let arrived = 0;
    const calls = callsTo(
      { refuses: () => (++arrived <= 5 || arrived === 8 ? 120_000 : undefined) },
      without(),
    );
    calls.add(20);
    await pass(380_000);
    expect([calls.refused, calls.finished]).to.deep.equal([6, 20]);
  });

  it("says once, after a while, what all are waiting for", async () => {
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

  it("says it again when there is something to wait for again", async () => {
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

  describe("after a 429", () => {
    /** Refuses the first so many requests, for so long. */
    const refusing = (count: number, milliseconds: number) => () => (count-- > 0 ? milliseconds : undefined);

    it("lets no call begin before the wait that was asked for is over, and then one", async () => {
      const calls = callsTo({ refuses: refusing(1, 3000), back: 100 }, without());
      calls.add(1);
      await pass(100);
      calls.add(20);
      await pass(2900);
      expect(calls.begun).to.have.length(1);
      await pass(100);
      expect(calls.begun).to.have.length(2);
    });

    it("waits for the longest of several waits", async () => {
      const waits = [500, 3000, 1000];
      const calls = callsTo({ refuses: () => waits.shift() }, without());
      calls.add(3);
      await pass(2900);
      expect(calls.begun).to.have.length(3);
      await pass(200);
      expect(calls.finished).to.equal(3);
    });

    it("tries one call at a time until one is taken", async () => {
      const calls = callsTo({ refuses: refusing(30, 50), back: 5 }, without());
      calls.add(20);
      await pass(10, 5);
      calls.mostUnderWay = 0;
      await pass(2000, 5);
      expect(calls.refused).to.equal(30);
      expect(calls.mostUnderWay).to.equal(1);
    });

    it("lets twice as many go whenever none was refused for as long as the hold lasted", async () => {
      const calls = callsTo({ refuses: refusing(1, 2000), back: 100 }, without());
      calls.add(1);
      await pass(2100);
      calls.add(1000);
      const most: number[] = [];
      for (let period = 0; period < 4; period++) {
        calls.mostUnderWay = calls.underWay;
        await pass(1900);
        most.push(calls.mostUnderWay);
        await pass(100);
      }
      expect(most).to.deep.equal([1, 2, 4, 8]);
    });

    it("goes on as before after a short hold within some seconds", async () => {
      const calls = callsTo({ refuses: refusing(1, 10), back: 20 }, without());
      calls.add(1);
      await pass(50, 5);
      calls.add(5000);
      await pass(8000, 5);
      expect(calls.finished).to.equal(5001);
      expect(calls.mostUnderWay).to.equal(mostAtOnce);
    });

    it("tells the user once about a long wait", async () => {
      const calls = callsTo({ refuses: refusing(3, 7000) }, without());
      calls.add(3);
      await pass(20_000);
      expect(calls.finished).to.equal(3);
      expect(calls.notices).to.deep.equal([
        "waiting 7 s for the service at https://api.example.com (status 429)",
      ]);
    });

    it("tells the user about that wait, and not about the limit", async () => {
      const server = { refuses: refusing(1, 7000) };
      const calls = callsTo(server, withLimit({ requests: 10, seconds: 10 }));
      calls.add(5);
      await pass(6900);
      expect(calls.notices).to.deep.equal([
        "waiting 7 s for the service at https://api.example.com (status 429)",
      ]);
    });
  });

  describe("of a server whose limit is 10 requests in a second", () => {
    const limit = { requests: 10, seconds: 1 };
    const server = () => ({ there: () => 5, refuses: windowed(limit), back: 5 });

    it("and is not known: sends one request in ten in vain after the first refusal", async () => {
      const calls = callsTo(server(), without());
      calls.add(200);
      await pass(20_000, 5);
      expect(calls.finished).to.equal(200);
      // All that began before the first refusal, and then one for each of the 19 windows.
      expect(calls.refused).to.be.at.most(mostAtOnce + 19);
    });

    it("and is known: sends none in vain, and takes no longer than the server does", async () => {
      const calls = callsTo(server(), withLimit(limit));
      calls.add(200);
      await pass(19_500, 5);
      expect(calls.finished).to.equal(200);
      expect(calls.refused).to.equal(0);
    });

    it("and is known and shared with other processes: all come through, with few requests in vain", async () => {
      const shared = server();
      const processes = Array.from({ length: 4 }, () => callsTo(shared, withLimit(limit)));
      for (const calls of processes) calls.add(50);
      await pass(27_000, 5);
      expect(processes.map(({ finished }) => finished)).to.deep.equal([50, 50, 50, 50]);
      const refused = processes.reduce((sum, calls) => sum + calls.refused, 0);
      expect(refused).to.be.at.most(20 * processes.length);
    });
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
