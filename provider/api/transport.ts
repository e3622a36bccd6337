import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import axios, { type AxiosError, AxiosHeaders, isAxiosError } from "axios";
import { mostAtOnce } from "./rateLimiter";
import { isLoopback } from "./settings";
import { FailedRequest, failureCodes, type HttpResponse } from "./transportFailures";

export interface HttpRequest {
  readonly method: string;
  /** The path of the request below the address of the API. */
  readonly url: string;
  /** The parameters of the request URL's query. */
  readonly params?: { readonly [name: string]: number | string };
  readonly headers: { readonly [name: string]: string };
  /** The body of the request: a ZIP archive as it is, and anything else as JSON. */
  readonly data?: unknown;
  /** The signal that aborts the request. */
  readonly signal: AbortSignal;
}

/** Sends HTTP requests to one API. */
export interface Transport {
  /** @throws FailedRequest unless a successful answer arrives completely */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** Largest accepted answer of an API, in bytes: no regular answer comes near it, so a larger one is a fault or an attack. */
const largestAnswerBytes = 64 * 1024 * 1024;

/** Makes the sender of requests to one API. It follows no redirects, which could carry credentials to another origin. */
export function createTransport(baseURL: string, userAgent: string, keepAlive: boolean): Transport {
  const { protocol, hostname } = new URL(baseURL);
  const connections = { keepAlive, maxSockets: mostAtOnce };
  // The adapter of axios is called directly: the merging and translating around it takes a quarter of a request's CPU time.
  const send = axios.getAdapter(axios.defaults.adapter);
  const common = { "User-Agent": userAgent, Accept: "application/json", "Accept-Encoding": "gzip, br" };
  const settings = {
    baseURL,
    maxRedirects: 0,
    maxContentLength: largestAnswerBytes,
    httpAgent: new http.Agent({ ...connections, lookup: lookUpHere }),
    httpsAgent: new https.Agent(connections),
    responseType: "text" as const,
    validateStatus: () => true,
    transport: protocol === "https:" ? senderBy(https.request) : senderBy(http.request),
    // The proxy in the environment variables must not see requests to this machine itself.
    ...(isLoopback(hostname) ? { proxy: false as const } : {}),
  };
  return {
    async request({ data: body, ...request }) {
      const headers = new AxiosHeaders({ ...common, ...request.headers });
      const isFile = Buffer.isBuffer(body);
      if (body !== undefined) headers.setContentType(isFile ? "application/zip" : "application/json");
      const config = { ...settings, ...request, headers, data: isFile ? body : JSON.stringify(body) };
      try {
        const { status, headers, data, request: clientRequest } = await send(config);
        const response = { status, headers: headers as HttpResponse["headers"], data };
        if (status >= 200 && status < 300) return response;
        throw new FailedRequest(`status ${status}`, undefined, response, false, proxyOf(clientRequest));
      } catch (error) {
        // The check of the settings has refused invalid API addresses, so this invalid URL is the address of the proxy. The
        // original error is not passed on, since it shows the proxy's password.
        if ((error as NodeJS.ErrnoException).code === "ERR_INVALID_URL")
          throw new FailedRequest("Invalid URL", failureCodes.noProxy, undefined, false, undefined);
        // Errors of axios contain the request with its credentials, so none of them leaves this module.
        throw isAxiosError(error) ? failureOf(error) : error;
      }
    },
  };
}

/** Sends requests as Node.js does, except that an answer 101 is an error: the process would exit without a message. */
function senderBy(request: typeof http.request) {
  return {
    request(options: http.RequestOptions, onAnswer: (answer: http.IncomingMessage) => void) {
      const clientRequest = request(options, onAnswer);
      return clientRequest.on("upgrade", (_answer, socket) => {
        socket.destroy();
        clientRequest.emit("error", Object.assign(new Error("status 101"), { code: failureCodes.switched }));
      });
    },
  };
}

function failureOf({ message, code, request, response }: AxiosError<string>): FailedRequest {
  const isTooLarge = code === "ERR_BAD_RESPONSE" && !response;
  return new FailedRequest(
    message,
    isTooLarge ? failureCodes.tooLarge : code,
    response && { status: response.status, headers: response.headers },
    request?.reusedSocket === true,
    proxyOf(request),
  );
}

/** The proxy that a request went through, which only the request's agent knows. */
function proxyOf(request: unknown): string | undefined {
  const { host, port } =
    (request as { agent?: { proxy?: { host?: unknown; port?: unknown } } } | undefined)?.agent?.proxy ?? {};
  return typeof host === "string" ? `${host}:${port}` : undefined;
}

/**
 * Resolves the host names of plain http addresses. A name such as `localhost` has to mean this machine, but resolvers need not
 * follow this convention, so any other address is refused.
 */
const lookUpHere: LookupFunction = (host, options, callback) =>
  lookup(host, options, (error, address, family) => {
    const addresses = Array.isArray(address) ? address.map(({ address }) => address) : [address];
    const isHere =
      error !== null || addresses.every((address) => address === "::1" || address.startsWith("127."));
    const elsewhere = Object.assign(new Error(`${host} resolves to another machine, which needs https`), {
      code: failureCodes.elsewhere,
    });
    callback(isHere ? error : elsewhere, address as string, family);
  });
