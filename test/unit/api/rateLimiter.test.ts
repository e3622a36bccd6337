import { mock } from "node:test";
import { expect } from "chai";
import { dialects, type RateLimit } from "../../../provider/api/dialect";
import { mostAtOnce, type Pace, paceOf } from "../../../provider/api/rateLimiter";
import { mockTime } from "./mockTime";
import { clientOf, enveloped, place, useServer } from "./server";

let credentials = 0;

/** A pace that no other test shares, and the turns that it has given. */
function paceWith(limit: RateLimit | undefined, credential = `credential ${credentials++}`) {
  const notices: string[] = [];
  const turns: number[] = [];
  const pace = paceOf("https://api.example.com", credential, limit);
  const ask = (count: number) => {
    for (let index = 0; index < count; index++) {
      void pace
        .turn((text) => notices.push(text))
        .then((end) => {
          turns.push(Date.now());
          end();
        });
    }
  };
  return { ask, notices, turns, credential };
}

describe("the pace of calls", () => {
  beforeEach(mockTime);
  afterEach(() => mock.reset());

  /** Lets time pass in steps, with everything that becomes due in between. */
  async function pass(seconds: number) {
    for (let step = 0; step < seconds * 10; step++) {
      await settle();
      mock.timers.tick(100);
    }
    await settle();
  }
  const settle = async () => {
    for (let count = 0; count < 20; count++) await Promise.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };

  it("has no bound without a limit", async () => {
    const { ask, turns, notices } = paceWith(undefined);
    ask(500);
    await settle();
    expect(turns).to.have.length(500);
    expect(notices).to.deep.equal([]);
  });

  for (const [api, limit] of Object.entries(dialects.clickhouse.limits)) {
    it(`keeps to ${limit.requests} in any ${limit.seconds} s, the limit of the ${api} API`, async () => {
      const { ask, turns } = paceWith(limit);
      ask(3 * limit.requests);
      await pass(limit.seconds * 2.5);
      expect(turns).to.have.length(3 * limit.requests);
      for (const [index, at] of turns.slice(limit.requests).entries()) {
        expect(at - (turns[index] ?? 0)).to.be.at.least(limit.seconds * 1000);
      }
    });
  }

  it("says once, after a while, what all are waiting for", async () => {
    const { ask, notices } = paceWith({ requests: 10, seconds: 10 });
    ask(25);
    await pass(4.8);
    expect(notices).to.deep.equal([]);
    await pass(20);
    expect(notices).to.deep.equal([
      "waiting for the limit of 10 requests in 10 s of the service at https://api.example.com; 15 calls are left",
    ]);
  });

  it("says it again when there is something to wait for again", async () => {
    const { ask, notices } = paceWith({ requests: 10, seconds: 10 });
    for (const waits of [1, 2]) {
      ask(25);
      await pass(40);
      expect(notices).to.have.length(waits);
    }
  });

  it("is silent about short waits", async () => {
    const { ask, notices, turns } = paceWith({ requests: 10, seconds: 2 });
    ask(15);
    await pass(10);
    expect(turns).to.have.length(15);
    expect(notices).to.deep.equal([]);
  });

  it("is shared by all that use the same credential, and by nobody else", async () => {
    const limit = { requests: 2, seconds: 10 };
    const first = paceWith(limit);
    const second = paceWith(limit, first.credential);
    const other = paceWith(limit);
    first.ask(2);
    second.ask(2);
    other.ask(2);
    await settle();
    expect([first.turns.length, second.turns.length, other.turns.length]).to.deep.equal([2, 0, 2]);
    await pass(10.5);
    expect(second.turns).to.have.length(2);
  });
});

describe("the pace of calls to a server that refuses", () => {
  beforeEach(mockTime);
  afterEach(() => mock.reset());

  const [limit, period] = [10, 1000];
  const latency = 5;

  /** Counts as servers do, in windows that begin with a call or with the clock; 0 if the call is taken. */
  function serverWith(windows: "from the first call" | "of the clock" | "sliding") {
    let taken: number[] = [];
    let begin = Number.NEGATIVE_INFINITY;
    return () => {
      const now = Date.now();
      if (windows === "sliding") taken = taken.filter((at) => at > now - period);
      else if (now >= begin + period) {
        begin = windows === "of the clock" ? now - (now % period) : now;
        taken = [];
      }
      if (taken.length < limit) return taken.push(now) * 0;
      return (windows === "sliding" ? (taken[0] ?? now) : begin) + period - now;
    };
  }

  /** How many requests it takes until so many calls have come through, and for how long; time passes in steps. */
  async function requestsFor(
    calls: number,
    paces: Pace[],
    refusal: () => number,
    { says = true, step = latency } = {},
  ) {
    let requests = 0;
    const start = Date.now();
    const come = async (pace: Pace) => {
      for (let times = 1; ; times++) {
        const end = await pace.turn(() => undefined);
        requests++;
        await new Promise((resolve) => setTimeout(resolve, latency));
        const wait = refusal();
        end(wait === 0 ? undefined : says ? wait : 100 * 2 ** times);
        if (wait === 0) return;
      }
    };
    let isOver = false;
    const all = Array.from({ length: calls }, (_, index) => come(paces[index % paces.length] as Pace));
    void Promise.all(all).then(() => {
      isOver = true;
    });
    while (!isOver) {
      mock.timers.tick(step);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return { requests, seconds: (Date.now() - start) / 1000 };
  }
  const unlimited = () => paceOf("https://api.example.com", `credential ${credentials++}`, undefined);

  const kinds = [
    ["windows from the first call", 0],
    ["a sliding window", 0],
    // A window of the clock is under way when the first call comes, and has this long to go.
    ...[1000, 990, 750, 500, 250, 100, 50, 10, 5].map(
      (left) => [`windows of the clock, ${left} ms before the next`, left] as const,
    ),
  ] as const;
  for (const [kind, left] of kinds) {
    it(`learns the limit of one that counts in ${kind}`, async () => {
      mock.timers.setTime(1_800_000_000_000 - left);
      const refusal = serverWith(
        left > 0 ? "of the clock" : kind.startsWith("a sliding") ? "sliding" : "from the first call",
      );
      // The first calls begin together, before anything is known.
      const { requests, seconds } = await requestsFor(400, [unlimited()], refusal);
      expect(requests).to.be.lessThan(400 * 1.15 + mostAtOnce);
      expect(seconds).to.be.lessThan((400 / limit) * (period / 1000) * 1.5);
    });
  }

  it("learns it from one that does not say how long to wait", async () => {
    const refusal = serverWith("from the first call");
    const { requests } = await requestsFor(400, [unlimited()], refusal, { says: false });
    expect(requests).to.be.lessThan(400 * 1.3 + mostAtOnce);
  });

  it("comes through beside other processes with the same credential", async () => {
    const refusal = serverWith("from the first call");
    const paces = Array.from({ length: 5 }, unlimited);
    const { requests } = await requestsFor(400, paces, refusal);
    expect(requests).to.be.lessThan(400 * 1.1 + 5 * mostAtOnce);
  });

  it("takes more again when the others are done", async () => {
    const refusal = serverWith("from the first call");
    const pace = unlimited();
    await requestsFor(100, [pace, unlimited(), unlimited()], refusal);
    await requestsFor(300, [pace], refusal);
    const { seconds } = await requestsFor(100, [pace], refusal);
    expect(seconds).to.be.lessThan((100 / limit) * (period / 1000) * 2);
  });

  it("is soon as fast as before after a refusal out of the blue", async () => {
    const pace = unlimited();
    const end = await pace.turn(() => undefined);
    end(500);
    const { seconds } = await requestsFor(1000, [pace], () => 0);
    expect(seconds).to.be.lessThan(10);
  });

  const slow = { step: 100 };

  it("is as fast as before some minutes after others have used up what there was", async () => {
    const pace = unlimited();
    let calls = 0;
    await requestsFor(4, [pace], () => (++calls === 4 ? 60_000 : 0), slow);
    const { seconds } = await requestsFor(200, [pace], () => 0, slow);
    expect(seconds).to.be.lessThan(600);
    expect((await requestsFor(200, [pace], () => 0, slow)).seconds).to.be.lessThan(100);
  });

  it("keeps to what a second refusal confirms", async () => {
    const refusal = serverWith("from the first call");
    const pace = unlimited();
    await requestsFor(200, [pace], refusal);
    expect((await requestsFor(100, [pace], refusal)).requests).to.be.at.most(101);
  });

  it("takes no period for longer than two minutes, however often it is refused", async () => {
    const limit = { requests: 10, seconds: 10 };
    const pace = paceOf("https://api.example.com", `credential ${credentials++}`, limit);
    let calls = 0;
    await requestsFor(20, [pace], () => (++calls % 2 === 0 ? 60_000 : 0), slow);
    const { seconds } = await requestsFor(50, [pace], () => 0, slow);
    expect(seconds).to.be.lessThan(5 * 121);
  });

  it("rises to the limit that is known, and never above it", async () => {
    const pace = paceOf("https://api.example.com", `credential ${credentials++}`, {
      requests: 10,
      seconds: 1,
    });
    // Others have had a part of it.
    let calls = 0;
    await requestsFor(20, [pace], () => (++calls % 6 === 0 ? 1000 : 0));
    const times: number[] = [];
    const refusal = () => times.push(Date.now()) * 0;
    await requestsFor(1500, [pace], refusal);
    const late = times.slice(-100);
    for (const [index, at] of times.slice(10).entries())
      expect(at - (times[index] ?? 0), `call ${index}`).to.be.at.least(1000 - latency);
    expect((late.at(-1) ?? 0) - (late[0] ?? 0)).to.be.at.most(12_000);
  });

  it("tries one call at a time until the server takes one", async () => {
    const pace = unlimited();
    let underWay = 0;
    const most: number[] = [];
    const come = async () => {
      const end = await pace.turn(() => undefined);
      most.push(++underWay);
      await new Promise((resolve) => setTimeout(resolve, latency));
      underWay--;
      end(most.length <= 25 ? 50 : undefined);
      if (most.length <= 25) await come();
    };
    const all = Promise.all(Array.from({ length: 20 }, come));
    for (let step = 0; step < 600; step++) {
      mock.timers.tick(latency);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await all;
    expect(most.slice(0, 20)).to.deep.equal(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(Math.max(...most.slice(20, 26))).to.equal(1);
  });
});

describe("the limit of a client", () => {
  const server = useServer();
  const count = 12;

  /** How many of a dozen calls at once have come through by the time that one more call on a free pace has. */
  async function throughAtOnce(changed: Parameters<typeof clientOf>[1]) {
    server.current.alwaysAnswer(enveloped([]));
    const { client } = clientOf(server.current, changed);
    const all = Promise.all(Array.from({ length: count }, () => client.call("listKeys", place)));
    const free = clientOf(server.current, { keyId: "other", requestsPerSecond: 1000 }).client;
    while (server.current.requests.length < 10) await new Promise((resolve) => setImmediate(resolve));
    for (let index = 0; index < 10; index++) await free.call("listPipes", place);
    void all.catch(() => undefined);
    return server.current.lines.filter((line) => line.endsWith("/keys")).length;
  }

  it("is none in the neutral dialect", async () => {
    expect(await throughAtOnce({ dialect: "neutral" })).to.equal(count);
  });

  it("is that of the product in the clickhouse dialect", async () => {
    expect(await throughAtOnce({ dialect: "clickhouse", keyId: "limited" })).to.equal(10);
  });

  it("is the one that the user sets", async () => {
    expect(await throughAtOnce({ dialect: "clickhouse", requestsPerSecond: 1000 })).to.equal(count);
  });
});
