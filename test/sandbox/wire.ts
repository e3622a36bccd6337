import http from "node:http";
import https from "node:https";

/** The outcome of a request to the sandbox: its answer, or the way in which the connection failed. */
export interface Outcome {
  status?: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
  code?: string;
  took: number;
}

export interface WireRequest {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  agent?: http.Agent | https.Agent;
  ca?: string;
}

/** Sends a request on a new connection, or on the agent's, without retries and redirects. */
export function ask({ method, url, headers, body, agent = undefined, ca }: WireRequest): Promise<Outcome> {
  const start = performance.now();
  return new Promise((resolve) => {
    const { request } = url.startsWith("https:") ? https : http;
    const parts: Buffer[] = [];
    let isAnswered = false;
    const done = (outcome: Partial<Outcome>) =>
      resolve({ headers: {}, body: Buffer.concat(parts), took: performance.now() - start, ...outcome });
    const outgoing = request(
      url,
      { method, headers, agent: agent ?? false, ...(ca && { ca }) },
      (response) => {
        isAnswered = true;
        const { statusCode: status, headers: received } = response;
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", ({ code }: NodeJS.ErrnoException) => done({ status, headers: received, code }));
        response.on("end", () => done({ status, headers: received }));
      },
    );
    outgoing.on("upgrade", ({ statusCode: status, headers: received }, socket) => {
      socket.destroy();
      done({ status, headers: received });
    });
    outgoing.on("error", ({ code }: NodeJS.ErrnoException) => {
      // From Node 24 on, a failure while the answer arrives is also reported as a failure of the request. The second report is
      // ignored, since the handler of the answer has already returned the failure.
      if (!isAnswered) done({ code });
    });
    outgoing.end(body);
  });
}
