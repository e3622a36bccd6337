import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import axios, { type AxiosError, AxiosHeaders, isAxiosError } from "axios";
import { mostAtOnce } from "./rateLimiter";
import { isLoopback } from "./settings";
import { FailedRequest, failureCodes, type HttpResponse } from "./transportFailures";

/** A request to one API. */
export interface HttpRequest {
  readonly method: string;
  /** Path below the address of the API. */
  readonly url: string;
  /** Parameters that follow the path. */
  readonly params?: { readonly [name: string]: number | string };
  readonly headers: { readonly [name: string]: string };
  /** Sent as JSON. */
  readonly data?: unknown;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** The HTTP side of one API. */
export interface Transport {
  /** @throws FailedRequest unless the whole of a successful answer arrives */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** No answer of either API comes near this; more is a fault or an attack. */
const largestAnswerBytes = 64 * 1024 * 1024;

/**
 * The HTTP side of one API: answers are text. Redirects are not followed: they could carry credentials to another origin.
 *
 * @param keepAlive whether connections are kept for further requests
 */
export function createTransport(baseURL: string, userAgent: string, keepAlive: boolean): Transport {
  const { protocol, hostname } = new URL(baseURL);
  const connections = { keepAlive, maxSockets: mostAtOnce };
  // The merging and translating around the adapter takes a quarter of the CPU time of a request, and changes none of these.
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
    // A proxy of the environment must not see requests to this machine itself.
    ...(isLoopback(hostname) ? { proxy: false as const } : {}),
  };
  return {
    async request({ data: body, ...request }) {
      const headers = new AxiosHeaders({ ...common, ...request.headers });
      if (body !== undefined) headers.setContentType("application/json");
      const config = { ...settings, ...request, headers, data: JSON.stringify(body) };
      try {
        const { status, headers, data, request: clientRequest } = await send(config);
        const response = { status, headers: headers as HttpResponse["headers"], data };
        if (status >= 200 && status < 300) return response;
        throw new FailedRequest(`status ${status}`, undefined, response, false, proxyOf(clientRequest));
      } catch (error) {
        // The address of the API is one: Settings checked it. What is none here is that of a proxy, which may hold a password.
        if ((error as NodeJS.ErrnoException).code === "ERR_INVALID_URL")
          throw new FailedRequest("Invalid URL", failureCodes.noProxy, undefined, false, undefined);
        // Errors of axios carry the request with its credentials, so none of them leaves this module.
        throw isAxiosError(error) ? failureOf(error) : error;
      }
    },
  };
}

/** Sends requests as Node.js does, save that an answer with status 101 is an error: Node.js ends without a word. */
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

/** The proxy that a request went through: its agent knows. */
function proxyOf(request: unknown): string | undefined {
  const { host, port } =
    (request as { agent?: { proxy?: { host?: unknown; port?: unknown } } } | undefined)?.agent?.proxy ?? {};
  return typeof host === "string" ? `${host}:${port}` : undefined;
}

/**
 * Resolves hosts of plain http. A resolver need not follow the convention that `localhost`, and names that end in it, mean
 * this machine; an address elsewhere is refused.
 */
const lookUpHere: LookupFunction = (host, options, callback) =>
  lookup(host, options, (error, address, family) => {
    const addresses = Array.isArray(address) ? address.map(({ address }) => address) : [address];
    const isHere =
      error !== null || addresses.every((address) => address === "::1" || address.startsWith("127."));
    const elsewhere = Object.assign(new Error(`${host} does not resolve to this machine`), {
      code: failureCodes.elsewhere,
    });
    callback(isHere ? error : elsewhere, address as string, family);
  });
