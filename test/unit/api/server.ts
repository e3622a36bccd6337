import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { AddressInfo } from "node:net";
import { Client } from "../../../provider/api/client";
import type { Settings } from "../../../provider/api/settingsSchema";
import { selfSigned } from "./certificate";

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body?: unknown;
  /** The time at which the request arrived, in milliseconds of a clock that never goes back. */
  readonly at: number;
}

/**
 * A scripted answer of the test server: either its content, or a function that uses the connection. A body that is an object is
 * sent as JSON.
 */
export type Answer =
  | { readonly status?: number; readonly headers?: http.OutgoingHttpHeaders; readonly body?: unknown }
  | ((request: http.IncomingMessage, response: http.ServerResponse) => void);

export class ScriptedServer {
  readonly requests: Received[] = [];
  #connections = 0;
  #script: Answer[] = [];
  #always: Answer | undefined;
  readonly #server: http.Server;

  constructor(private readonly scheme: "http" | "https" = "http") {
    const listener: http.RequestListener = (request, response) => void this.#answer(request, response);
    // Tests send ids that are longer than the request lines that a server of Node.js accepts by default, so the test server
    // accepts longer ones.
    const options = { maxHeaderSize: 2 ** 20 };
    this.#server =
      scheme === "http"
        ? http.createServer(options, listener)
        : https.createServer({ ...options, ...selfSigned }, listener);
    this.#server.on("connection", () => this.#connections++);
  }

  async start(): Promise<this> {
    this.#server.listen(0, "127.0.0.1");
    await once(this.#server, "listening");
    return this;
  }

  async close(): Promise<void> {
    if (!this.#server.listening) return;
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, "close");
  }

  get url(): string {
    return `${this.scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get connections(): number {
    return this.#connections;
  }

  answer(...script: Answer[]): void {
    this.#script.push(...script);
  }

  alwaysAnswer(answer: Answer): void {
    this.#always = answer;
  }

  get onlyRequest(): Received {
    const [request] = this.requests;
    if (request === undefined || this.requests.length > 1)
      throw new Error(`${this.requests.length} requests came instead of one`);
    return request;
  }

  get lines(): string[] {
    return this.requests.map(({ method, path }) => `${method} ${path}`);
  }

  get gaps(): number[] {
    return this.requests.slice(1).map(({ at }, index) => at - (this.requests[index]?.at ?? 0));
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const at = performance.now();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = "", url: path = "", headers } = request;
    this.requests.push({ method, path, headers, at, ...(text ? { body: JSON.parse(text) } : {}) });
    const answer = this.#script.shift() ??
      this.#always ?? { status: 418, body: { error: "nothing scripted" } };
    if (typeof answer === "function") return answer(request, response);
    const { status = 200, headers: headerValues = {}, body = "" } = answer;
    response.writeHead(status, headerValues);
    response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
  }
}

/** Starts a scripted server before each test of the surrounding `describe` block, and closes it afterwards. */
export function useServer(scheme?: "http" | "https"): { readonly current: ScriptedServer } {
  const server = { current: new ScriptedServer(scheme) };
  beforeEach(async () => {
    server.current = await new ScriptedServer(scheme).start();
  });
  afterEach(() => server.current.close());
  return server;
}

export function enveloped(result?: unknown): Answer {
  return { body: { status: 200, requestId: "5b1f", ...(result === undefined ? {} : { result }) } };
}

export function refused(status: number, error: string, headers: http.OutgoingHttpHeaders = {}): Answer {
  return { status, headers, body: { status, error, requestId: "5b1f" } };
}

export const reset: Answer = (request) => request.socket.resetAndDestroy();

export const silence: Answer = () => undefined;

export const trickle: Answer = (_request, response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(" "), 20);
  response.on("close", () => clearInterval(timer));
};

export const organizationId = "0d5f8c0e-54ce-4a1c-8a0e-0b8c6c3fb6a5";
export const serviceId = "7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
export const place = { organizationId, serviceId };

export function settingsFor(url: string, changed: Partial<Settings> = {}): Settings {
  return {
    baseUrl: url,
    obsBaseUrl: url,
    organizationId,
    serviceId,
    keyId: "signingKey",
    keySecret: "4b1dSecret",
    accessToken: "token-77",
    dialect: "neutral",
    onConflict: "warn",
    refreshBeforeUpdate: false,
    timeoutSeconds: 10,
    maxRetries: 1,
    requestsPerSecond: 0,
    ...changed,
  };
}

/** Makes a client of the scripted server, and collects the notices that the client gives to the user. */
export function clientOf(server: ScriptedServer, changed: Partial<Settings> = {}) {
  const notices: string[] = [];
  const client = new Client(settingsFor(server.url, changed), (message) => notices.push(message));
  return { client, notices };
}
