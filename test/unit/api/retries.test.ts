import { expect } from "chai";
import { waitAskedFor } from "../../../provider/api/backoff";
import {
  type ApiError,
  FailedService,
  LostAnswer,
  mayHaveHappened,
  RefusedRequest,
  TimedOut,
} from "../../../provider/api/errors";
import { failureOfType } from "./failure";
import {
  type Answer,
  clientOf,
  cutOff,
  enveloped,
  place,
  refused,
  reset,
  ScriptedServer,
  silence,
  trickle,
  useServer,
} from "./server";
import { useVirtualTime } from "./virtualTime";

type ErrorType = abstract new (...args: never[]) => ApiError;

const broke = "the connection broke before the answer was complete";
const failures: [string, Answer, ErrorType, string][] = [
  ["a 500", refused(500, "INTERNAL: oops"), FailedService, "INTERNAL: oops"],
  ["a 503 without a body", { status: 503 }, FailedService, "the server gave no reason"],
  ["a broken connection", reset, LostAnswer, `${broke} (ECONNRESET)`],
  ["an answer that breaks off", cutOff, LostAnswer, broke],
  ["no answer", silence, TimedOut, "no answer within 10 s"],
  ["an answer that trickles in for ever", trickle, TimedOut, "no answer within 10 s"],
];

describe("after a failure of a request that may have been carried out,", () => {
  const server = useServer();
  useVirtualTime();

  for (const [what, failure, type, message] of failures) {
    it(`a call that may be repeated is repeated: ${what}`, async () => {
      server.current.answer(failure, enveloped([{ id: "k1" }]));
      const keys = await clientOf(server.current).client.call("listKeys", place);
      expect(keys).to.deep.equal([{ id: "k1" }]);
      expect(server.current.requests).to.have.length(2);
      const [gap = 0] = server.current.gaps;
      expect(gap - (type === TimedOut ? 10_000 : 0), "waits before it tries again").to.be.within(400, 480);
    });

    it(`a create is not repeated: ${what}`, async () => {
      server.current.answer(failure, enveloped({ key: { id: "second" } }));
      const { client } = clientOf(server.current, { maxRetries: 4 });
      const error = await failureOfType(client.call("createKey", place, { name: "k" }), type);
      expect(error.message.startsWith(`${message} (createKey: POST `), error.message).to.equal(true);
      expect(mayHaveHappened(error)).to.equal(true);
      expect(server.current.requests).to.have.length(1);
    });
  }

  it("the client repeats the body, and gives up after maxRetries", async () => {
    server.current.alwaysAnswer({ status: 502 });
    const { client } = clientOf(server.current, { maxRetries: 1 });
    await failureOfType(client.call("updateAlert", { id: "a" }, { threshold: 5 }), FailedService);
    expect(server.current.requests.map(({ body }) => body)).to.deep.equal(
      Array.from({ length: 2 }, () => ({ threshold: 5 })),
    );
    for (const { headers } of server.current.requests)
      expect(headers.authorization).to.equal("Bearer token-77");
  });

  it("the client repeats nothing with maxRetries 0", async () => {
    server.current.alwaysAnswer({ status: 502 });
    const { client } = clientOf(server.current, { maxRetries: 0 });
    await failureOfType(client.call("listKeys", place), FailedService);
    expect(server.current.requests).to.have.length(1);
  });

  it("the client does not repeat a refused request", async () => {
    server.current.alwaysAnswer(refused(400, "BAD_REQUEST: no"));
    const { client } = clientOf(server.current, { maxRetries: 4 });
    await failureOfType(client.call("listKeys", place), RefusedRequest);
    expect(server.current.requests).to.have.length(1);
  });
});

describe("a server that closes each connection after its first request, unannounced", () => {
  const server = useServer();
  const sockets = new WeakSet<object>();

  beforeEach(() => {
    server.current.alwaysAnswer((request, response) => {
      if (sockets.has(request.socket)) return request.socket.destroy();
      sockets.add(request.socket);
      const result = request.method === "POST" ? { key: { id: "k" } } : [];
      response.end(JSON.stringify({ status: 200, requestId: "5b1f", result }));
    });
  });

  it("breaks one create, and none after that", async () => {
    const { client } = clientOf(server.current);
    const create = () => client.call("createKey", place, { name: "k" });
    await create();
    await failureOfType(create(), LostAnswer);
    for (let count = 0; count < 5; count++) await create();
  });

  it("breaks no call that may be repeated", async () => {
    const { client } = clientOf(server.current);
    for (let count = 0; count < 3; count++) expect(await client.call("listKeys", place)).to.deep.equal([]);
  });
});

describe("a 429", () => {
  const server = useServer();
  useVirtualTime();
  const limited = (headers: Record<string, string>) => refused(429, "TOO_MANY_REQUESTS: slow down", headers);

  it("is waited for and repeated, for a create too: it was not carried out", async () => {
    server.current.answer(limited({ "X-RateLimit-Reset": "0.25" }), enveloped({ key: { id: "k" } }));
    await clientOf(server.current).client.call("createKey", place, { name: "k" });
    expect(server.current.requests.map(({ body }) => body)).to.deep.equal([{ name: "k" }, { name: "k" }]);
    expect(server.current.gaps).to.deep.equal([250]);
  });

  it("is waited for longer than the time limit of an attempt, if it asks for that", async () => {
    server.current.answer(limited({ "Retry-After": "0.8" }), enveloped([]));
    await clientOf(server.current, { timeoutSeconds: 0.2 }).client.call("listKeys", place);
    expect(server.current.gaps).to.deep.equal([800]);
  });

  it("holds back every other call until then", async () => {
    server.current.answer(limited({ "Retry-After": "0.6" }));
    server.current.alwaysAnswer(enveloped([]));
    const { client } = clientOf(server.current);
    let over = false;
    const limitedCall = client.call("listKeys", place).finally(() => {
      over = true;
    });
    // Time stands still while calls are under way, so without the hold this would never end.
    while (!over) await client.call("listKeys", place);
    await limitedCall;
    expect(Math.max(...server.current.gaps)).to.equal(600);
  });

  it("holds back no call of the other API", async () => {
    const observability = await new ScriptedServer().start();
    try {
      server.current.answer(limited({ "Retry-After": "0.5" }), enveloped([]));
      observability.alwaysAnswer({ body: { data: [] } });
      const { client } = clientOf(server.current, { obsBaseUrl: observability.url });
      const limitedCall = client.call("listKeys", place);
      for (let count = 0; count < 5; count++) await client.call("getChartSeries", {}, {});
      await limitedCall;
      expect(server.current.gaps).to.deep.equal([500]);
      expect(observability.gaps).to.deep.equal([0, 0, 0, 0]);
    } finally {
      await observability.close();
    }
  });

  it("is refused in the end, after five times maxRetries, with the server's words", async () => {
    server.current.alwaysAnswer(limited({ "Retry-After": "0.01" }));
    const { client } = clientOf(server.current, { maxRetries: 3 });
    const error = await failureOfType(client.call("listKeys", place), RefusedRequest);
    expect(error.message).to.match(
      /^TOO_MANY_REQUESTS: slow down; set requestsPerSecond .* \(listKeys: .* answered 429, request 5b1f\)$/,
    );
    expect(server.current.requests).to.have.length(16);
  });

  it("is waited for longer each time if it asks for no wait", async () => {
    const refusal = limited({ "Retry-After": "0" });
    server.current.answer(refusal, refusal, refusal, enveloped([]));
    await clientOf(server.current).client.call("listKeys", place);
    for (const [index, least] of [2000, 4000, 8000].entries())
      expect(server.current.gaps[index], `wait ${index}`).to.be.within(least, 1.2 * least);
  });

  const aMinuteFromNow = () => new Date(Date.now() + 60_000).toUTCString();
  for (const [what, status, retryAfter, seconds] of [
    ["seconds", 429, () => "7", /^7$/],
    ["a date", 429, aMinuteFromNow, /^(59|60)$/],
    ["more than two minutes, of which it gets two", 429, () => "86400", /^120$/],
    ["seconds, with a 503", 503, () => "7", /^7$/],
  ] as const) {
    it(`is announced to the user if it asks for a long wait: ${what}`, async () => {
      server.current.answer({ status, headers: { "Retry-After": retryAfter() } }, enveloped([]));
      const { client, notices } = clientOf(server.current);
      expect(await client.call("listKeys", place)).to.deep.equal([]);
      expect(notices).to.have.length(1);
      const [, wait, from, shown] =
        /^waiting (\d+) s for the service at (.*) \(status (\d+)\)$/.exec(notices[0] ?? "") ?? [];
      expect(wait).to.match(seconds);
      expect([from, shown]).to.deep.equal([server.current.url, String(status)]);
    });
  }

  it("is not announced if it asks for a short wait", async () => {
    server.current.answer(limited({ "Retry-After": "0.01" }), enveloped([]));
    const { client, notices } = clientOf(server.current);
    await client.call("listKeys", place);
    expect(notices).to.deep.equal([]);
  });

  const now = Date.parse("2026-01-01T00:00:00Z");
  /** Asks for no wait at all, or cannot be understood. */
  const useless = (text: string): [Record<string, string>, undefined] => [{ "retry-after": text }, undefined];
  const waits: [Record<string, string>, number | undefined][] = [
    [{ "retry-after": "3" }, 3000],
    [{ "retry-after": " 3 " }, 3000],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }, 5000],
    [{ "retry-after": "2026-01-01T00:00:05Z" }, 5000],
    [{ "x-ratelimit-reset": "2.75" }, 2750],
    [{ "x-ratelimit-reset": String(now / 1000 + 4) }, 4000],
    [{ "retry-after": "1", "x-ratelimit-reset": "9" }, 1000],
    [{ "retry-after": "soon", "x-ratelimit-reset": "9" }, 9000],
    [{ "retry-after": "0", "x-ratelimit-reset": "9" }, 9000],
    [{}, undefined],
    ...["0", "-5", "soon", "", "Wed, 31 Dec 2025 23:59:00 GMT", "5, 30", "1, 2030", "1.2.3"].map(useless),
    ...["0x10", "1e3", "Infinity"].map(useless),
    [{ "x-ratelimit-reset": String(now / 1000 - 4) }, undefined],
  ];
  for (const [headers, wait] of waits) {
    it(`asks for ${wait === undefined ? "nothing in particular" : `${wait} ms`} with ${JSON.stringify(headers)}`, () => {
      expect(waitAskedFor(headers, now)).to.equal(wait);
    });
  }
});

describe("requestsPerSecond", () => {
  const server = useServer();
  useVirtualTime();

  it("spreads calls out over time", async () => {
    server.current.alwaysAnswer(enveloped([]));
    const { client } = clientOf(server.current, { requestsPerSecond: 4 });
    await Promise.all(Array.from({ length: 6 }, () => client.call("listKeys", place)));
    expect(server.current.gaps).to.deep.equal([0, 0, 0, 1000, 0]);
  });
});
