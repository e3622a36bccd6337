import { expect } from "chai";
import { waitAskedFor } from "../../../provider/api/backoff";
import { LostAnswer, RefusedRequest } from "../../../provider/api/errors";
import { failureOfType } from "./failure";
import { clientOf, enveloped, place, refused, useServer } from "./server";
import { useVirtualTime } from "./virtualTime";

describe("Failures of requests that may have been carried out", () => {
  useVirtualTime();
});

describe("connections that the server closes after each request without notice", () => {
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

  it("if a server closes kept connections without notice, only one create loses its answer", async () => {
    const { client } = clientOf(server.current);
    const create = () => client.call("createKey", place, { name: "k" });
    await create();
    await failureOfType(create(), LostAnswer);
    for (let count = 0; count < 5; count++) await create();
  });
});

describe("Waits after the status 429", () => {
  const server = useServer();
  useVirtualTime();
  const limited = (seconds: string, header = "Retry-After") =>
    refused(429, "TOO_MANY_REQUESTS: slow down", { [header]: seconds });

  it("the client repeats even a create after the wait that a 429 asks for", async () => {
    server.current.answer(limited("0.25", "X-RateLimit-Reset"), enveloped({ key: { id: "k" } }));
    await clientOf(server.current).client.call("createKey", place, { name: "k" });
    expect(server.current.requests.map(({ body }) => body)).to.deep.equal([{ name: "k" }, { name: "k" }]);
    expect(server.current.gaps).to.deep.equal([250]);
  });

  it("the client fails with the server's message after five times maxRetries answers with 429", async () => {
    server.current.alwaysAnswer(limited("0.01"));
    const { client } = clientOf(server.current, { maxRetries: 3 });
    const error = await failureOfType(client.call("listKeys", place), RefusedRequest);
    expect(error.message).to.match(
      /^TOO_MANY_REQUESTS: slow down; set requestsPerSecond .* \(listKeys: .* answered 429, request 5b1f\)$/,
    );
    expect(server.current.requests).to.have.length(16);
  });

  it("the client waits on while the service accepts other requests of the process", async () => {
    let refusals = 0;
    server.current.alwaysAnswer((request, response) => {
      const isRefused = request.url?.endsWith("/keys") && ++refusals <= 21;
      response.statusCode = isRefused ? 429 : 200;
      if (isRefused) response.setHeader("Retry-After", "0.01");
      const content = isRefused ? { status: 429, error: "slow down" } : { status: 200, result: [] };
      response.end(JSON.stringify({ ...content, requestId: "5b1f" }));
    });
    const { client } = clientOf(server.current);
    const answer = client.call("listKeys", place);
    for (let count = 0; count < 40; count++) await client.call("listServices", place);
    expect(await answer).to.deep.equal([]);
    expect(refusals).to.equal(22);
  });

  it("the client waits longer after each 429 that does not state a wait", async () => {
    server.current.answer(limited("0"), limited("0"), limited("0"), enveloped([]));
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
  ] as const)
    it(`the client tells the user about a long wait that a 429 requests: ${what}`, async () => {
      server.current.answer({ status, headers: { "Retry-After": retryAfter() } }, enveloped([]));
      const { client, notices } = clientOf(server.current);
      await client.call("listKeys", place);
      expect(notices).to.have.length(1);
      const [, wait, from, shown] =
        /^waiting (\d+) s for the service at (.*) \(status (\d+)\)$/.exec(notices[0] ?? "") ?? [];
      expect(wait).to.match(seconds);
      expect([from, shown]).to.deep.equal([server.current.url, String(status)]);
    });

  const now = Date.parse("2026-01-01T00:00:00Z");
  const useless = [
    "0",
    "-5",
    "soon",
    "",
    "Wed, 31 Dec 2025 23:59:00 GMT",
    "5, 30",
    "1, 2030",
    "1.2.3",
    "0x10",
    "1e3",
  ];
  const waits: readonly (readonly [headers: object, milliseconds: number | undefined])[] = [
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
    ...[...useless, "Infinity"].map((text) => [{ "retry-after": text }, undefined] as const),
    [{ "x-ratelimit-reset": String(now / 1000 - 4) }, undefined],
  ];
  for (const [headers, wait] of waits)
    it(`the wait in ms that a 429 requests by the headers ${JSON.stringify(headers)} is ${wait ?? "none"}`, () => {
      expect(waitAskedFor(headers, now)).to.equal(wait);
    });
});
