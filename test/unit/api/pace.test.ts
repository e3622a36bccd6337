import { mock } from "node:test";
import { expect } from "chai";
import { dialects, type RateLimit } from "../../../provider/api/dialect";
import { paceOf } from "../../../provider/api/pace";
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
  beforeEach(() => mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] }));
  afterEach(() => mock.timers.reset());

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
