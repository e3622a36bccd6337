import zlib from "node:zlib";
import { expect } from "chai";
import { LostAnswer, MalformedResponse, TimedOut } from "../../../provider/api/errors";
import { failureOfType } from "../api/failure";
import { type Answer, clientOf, place, trickle, useServer } from "../api/server";
import { useVirtualTime } from "../api/virtualTime";

describe("Endless answers of a server", () => {
  const server = useServer();

  /** Makes an answer that sends the same piece again and again, as fast as the client reads it. */
  const endless =
    (piece: string | Buffer, headers = {}): Answer =>
    (_request, response) => {
      response.writeHead(200, headers);
      const send = (): void => {
        while (!response.destroyed) if (!response.write(piece)) return void response.once("drain", send);
      };
      send();
    };

  const answers: { [what: string]: Answer } = {
    headers: (request) => {
      request.socket.write("HTTP/1.1 200 OK\r\n");
      const timer = setInterval(() => request.socket.write("X-More: 1\r\n"), 20);
      request.socket.on("close", () => clearInterval(timer));
    },
    "a first line": (request) => {
      const timer = setInterval(() => request.socket.write("H"), 1000);
      request.socket.on("close", () => clearInterval(timer));
    },
    "100 Continue": (request) => {
      const timer = setInterval(() => request.socket.write("HTTP/1.1 100 Continue\r\n\r\n"), 5);
      request.socket.on("close", () => clearInterval(timer));
    },
    "a body, byte by byte": trickle,
    "an empty body": (_request, response) => {
      response.writeHead(200, { "Content-Length": 5 }).flushHeaders();
    },
    "nothing, compressed": (_request, response) => {
      response.writeHead(200, { "Content-Encoding": "gzip" });
      const gzip = zlib.createGzip();
      gzip.pipe(response);
      const timer = setInterval(() => gzip.flush(), 20);
      response.on("close", () => clearInterval(timer));
    },
  };
  describe("time limits of requests with endless answers", () => {
    useVirtualTime();

    for (const [what, answer] of Object.entries(answers)) {
      it(`the time limit ends a request with an endless answer: ${what}`, async () => {
        server.current.alwaysAnswer(answer);
        const { client } = clientOf(server.current, { timeoutSeconds: 1.5, maxRetries: 0 });
        const begin = performance.now();
        for (const name of ["listKeys", "createKey"] as const)
          await failureOfType(client.call(name, place, {}), TimedOut);
        expect(performance.now() - begin).to.equal(3000);
      });
    }
  });

  const packed = (encoding: string, body: Buffer): Answer => ({
    headers: { "Content-Encoding": encoding },
    body,
  });
  const blank = Buffer.alloc(256 << 20, " ");
  const quick = { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } };
  const bombs = Buffer.concat(Array(40).fill(zlib.gzipSync(Buffer.alloc(4 << 20))));
  for (const [what, answer] of [
    ["a body", endless(Buffer.alloc(1 << 20, " "))],
    ["a gzip bomb", packed("gzip", zlib.gzipSync(blank, { level: 9 }))],
    ["a brotli bomb", packed("br", zlib.brotliCompressSync(blank, quick))],
    ["gzip bombs one after the other", packed("gzip", bombs)],
  ] as [string, Answer][]) {
    it(`the client ends an endless answer at 64 MB without a retry: ${what}`, async () => {
      server.current.alwaysAnswer(answer);
      const { client } = clientOf(server.current, { timeoutSeconds: 20, maxRetries: 4 });
      const before = process.memoryUsage.rss();
      const error = await failureOfType(client.call("listKeys", place), MalformedResponse);
      expect(error.message).to.include("the answer is too large or cannot be decoded");
      expect(server.current.requests).to.have.length(1);
      expect(process.memoryUsage.rss() - before).to.be.below(600 << 20);
    }).timeout(30_000);
  }

  it("the client ends an answer whose headers are too long", async () => {
    server.current.alwaysAnswer((request) => {
      const send = (): void => {
        while (!request.socket.destroyed)
          if (!request.socket.write(`X-More: ${"a".repeat(1000)}\r\n`))
            return void request.socket.once("drain", send);
      };
      request.socket.write("HTTP/1.1 200 OK\r\n");
      send();
    });
    const { client } = clientOf(server.current, { timeoutSeconds: 5, maxRetries: 0 });
    await failureOfType(client.call("listKeys", place), LostAnswer);
  });
});
