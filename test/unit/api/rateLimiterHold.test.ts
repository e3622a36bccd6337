import { mock } from "node:test";
import { expect } from "chai";
import { mostAtOnce } from "../../../provider/api/rateLimiter";
import { mockTime } from "./mockTime";
import { callsTo, pass, rateLimiterWith } from "./rateLimitedCalls";

describe("a rate limiter after a 429", () => {
  beforeEach(mockTime);
  afterEach(() => mock.reset());

  const without = () => rateLimiterWith(undefined);

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

  for (const limit of [undefined, { requests: 1000, seconds: 1 }]) {
    it(`tries one call at a time until one is taken, ${limit ? "with" : "without"} a known limit`, async () => {
      const calls = callsTo({ refuses: refusing(30, 50), back: 5 }, rateLimiterWith(limit));
      calls.add(20);
      await pass(10, 5);
      calls.mostUnderWay = 0;
      await pass(500, 5);
      expect(calls.refused).to.be.below(30);
      expect(calls.mostUnderWay).to.equal(1);
      await pass(3000, 5);
      expect(calls.finished).to.equal(20);
    });
  }

  it("goes on holding back after the answer to a call that was under way at the refusal", async () => {
    const times = [0, 50];
    const server = { there: () => times.shift() ?? 0, refuses: refusing(1, 1000), back: 100 };
    const calls = callsTo(server, rateLimiterWith({ requests: 1000, seconds: 1 }));
    calls.add(2);
    await pass(200, 10);
    calls.add(20);
    await pass(950, 10);
    expect([calls.refused, calls.underWay]).to.deep.equal([1, 1]);
  });

  it("lets twice as many calls go whenever none was refused for as long as the hold lasted", async () => {
    let arrived = 0;
    const calls = callsTo({ refuses: () => (++arrived === 2 ? 2000 : undefined), back: 100 }, without());
    calls.add(1);
    await pass(900);
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

  it("lets as many calls go as before some seconds after a short hold", async () => {
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
    const calls = callsTo(server, rateLimiterWith({ requests: 10, seconds: 10 }));
    calls.add(5);
    await pass(6900);
    expect(calls.notices).to.deep.equal([
      "waiting 7 s for the service at https://api.example.com (status 429)",
    ]);
  });
});
