import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import axios, {
  type AxiosError,
  type AxiosInstance,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from "axios";
import axiosRetry, { exponentialDelay } from "axios-retry";
import { type EndTurn, mostAtOnce, noticeableMilliseconds, type Pace } from "./rateLimiter";
import { isLoopback, type Settings } from "./settings";

declare module "axios" {
  interface AxiosRequestConfig {
    /** Set for operations that may be repeated after a lost answer. */
    idempotent?: boolean;
    /** How often the call has been repeated, by reason. */
    repeats?: { readonly failed: number; readonly limited: number };
    /** Ends the turn of the attempt that is under way. */
    endTurn?: EndTurn;
  }
}

/** One wait asked for by a server is never longer than this. */
const longestWaitMilliseconds = 120_000;

/** No answer of either API comes near this; more is a fault or an attack. */
const largestAnswerBytes = 64 * 1024 * 1024;

/** A 429 is a matter of waiting, not of failing: it is repeated this many times as often as a failure. */
const patience = 5;

/**
 * The HTTP side of one API: connections are kept alive, each attempt has its time limit, and all calls share one pace,
 * so that a 429 holds back every call and not just the one that met it.
 */
export function createTransport(
  baseUrl: string,
  settings: Settings,
  pace: Pace,
  userAgent: string,
  notice: (message: string) => void,
): AxiosInstance {
  const transport = axios.create({
    baseURL: baseUrl,
    headers: { "User-Agent": userAgent, Accept: "application/json" },
    // Nothing is followed: a redirect could carry credentials to another origin.
    maxRedirects: 0,
    maxContentLength: largestAnswerBytes,
    httpAgent: new http.Agent({ keepAlive: true, maxSockets: mostAtOnce, lookup: lookUpHere }),
    httpsAgent: new https.Agent({ keepAlive: true, maxSockets: mostAtOnce }),
    // A proxy of the environment must not see what goes to this machine itself.
    ...(isLoopback(new URL(baseUrl).hostname) ? { proxy: false as const } : {}),
    responseType: "text",
    transformResponse: [(text: unknown) => text],
  });

  transport.interceptors.request.use(async (config: InternalAxiosRequestConfig) => {
    config.endTurn = await pace.turn(notice);
    // The `timeout` of axios is one of silence; this one also ends an answer that trickles in for ever.
    config.signal = AbortSignal.timeout(settings.timeoutSeconds * 1000);
    return config;
  });

  transport.interceptors.response.use(
    (response) => {
      response.config.endTurn?.();
      return response;
    },
    (error: AxiosError) => {
      const { config, response } = error;
      const limited = config?.repeats?.limited ?? 0;
      config?.endTurn?.(response?.status === 429 ? waitAfter(error, limited + 1) : undefined);
      return Promise.reject(error);
    },
  );

  axiosRetry(transport, {
    retries: settings.maxRetries * patience,
    retryCondition(error) {
      const { config } = error;
      if (!config || !mayBeRepeated(error)) return false;
      const { failed, limited } = config.repeats ?? { failed: 0, limited: 0 };
      const isLimited = error.response?.status === 429;
      config.repeats = isLimited ? { failed, limited: limited + 1 } : { failed: failed + 1, limited };
      return isLimited ? limited < settings.maxRetries * patience : failed < settings.maxRetries;
    },
    retryDelay(_attempt, error) {
      // Its next turn comes when the pace says so.
      if (error.response?.status === 429) return 0;
      const wait = waitAfter(error, error.config?.repeats?.failed ?? 1);
      if (wait >= noticeableMilliseconds) {
        notice(`waiting ${Math.ceil(wait / 1000)} s for the service at ${baseUrl} (${describe(error)})`);
      }
      return wait;
    },
    // The time limit of the attempt that failed would cut the wait for the next one short.
    onRetry: (_attempt, _error, config) => {
      delete config.signal;
    },
  });
  return transport;
}

/** Code of the error where a name that means this machine is found elsewhere. */
const elsewhereCode = "ERR_ELSEWHERE";

/**
 * Where plain http goes to. That `localhost`, and what ends in it, means this machine is a convention that a resolver need
 * not follow: what it finds elsewhere is as good as nothing.
 */
const lookUpHere: LookupFunction = (host, options, callback) =>
  lookup(host, options, (error, found, family) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
    const isHere =
      error !== null || addresses.every((address) => address === "::1" || address.startsWith("127."));
    const elsewhere = Object.assign(new Error(`${host} is not this machine`), { code: elsewhereCode });
    callback(isHere ? error : elsewhere, found as string, family);
  });

/** Codes of failures before anything was sent: the service cannot have seen the request. */
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Codes of a certificate that is not trusted, or not any more. */
const untrusted = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Whether a request without an answer cannot have reached the service. */
export function wasNotSent({ code = "" }: AxiosError): boolean {
  return (
    unsentCodes.has(code) ||
    untrusted.test(code) ||
    /^(ERR_TLS_|EPROTO$)/.test(code) ||
    code === elsewhereCode
  );
}

/** The reason why a request was not sent, and what to do about it. */
export function whyNotSent({ code = "", message }: AxiosError): string {
  if (code === elsewhereCode) return `(${message}); check the address and the resolver of names`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `(${code}); check the address: its certificate is for another host`;
  if (untrusted.test(code)) {
    return `(${code}): its certificate is not trusted; renew it, or name the file of its authority's certificate in NODE_EXTRA_CA_CERTS`;
  }
  return `(${code}); check the address and the network`;
}

/** The answer of a failed call. Axios also gives one that broke off, which has a status but no text. */
export function wholeAnswer(error: AxiosError): AxiosResponse<string> | undefined {
  return typeof error.response?.data === "string" ? (error.response as AxiosResponse<string>) : undefined;
}

/** Whether an answer arrived that is too large or cannot be decompressed: another attempt would bring the same. */
export function isUnreadable(error: AxiosError): boolean {
  return (error.code === "ERR_BAD_RESPONSE" && !error.response) || error.code === "Z_DATA_ERROR";
}

function mayBeRepeated(error: AxiosError): boolean {
  const status = wholeAnswer(error)?.status;
  // 429 means not carried out, whatever the operation.
  if (status === 429) return true;
  if (status === undefined && wasNotSent(error)) return unsentCodes.has(error.code ?? "");
  if (!error.config?.idempotent) return false;
  return status === undefined ? !isUnreadable(error) : status >= 500;
}

/** How long to wait after a failure, in milliseconds: as the server asks, else longer each time. */
function waitAfter(error: AxiosError, times: number): number {
  const status = error.response?.status;
  const asked = status === 429 || status === 503 ? waitAskedFor(error.response?.headers) : undefined;
  return Math.min(
    asked ?? exponentialDelay(times, error, status === 429 ? 1000 : 200),
    longestWaitMilliseconds,
  );
}

/** The wait that a 429 or 503 asks for, in milliseconds: `Retry-After` in seconds or as a date, or `X-RateLimit-Reset` in seconds. */
export function waitAskedFor(headers: unknown, now = Date.now()): number | undefined {
  const all = headers as Record<string, string | undefined>;
  for (const header of ["retry-after", "x-ratelimit-reset"]) {
    const text = all[header]?.trim();
    if (!text) continue;
    const seconds = Number(text);
    // Some gateways send the time of the reset since 1970 instead of the seconds until then.
    if (seconds > 1e9) return Math.max(0, seconds * 1000 - now);
    if (seconds >= 0) return seconds * 1000;
    const date = Date.parse(text);
    if (!Number.isNaN(date)) return Math.max(0, date - now);
  }
  return undefined;
}

function describe(error: AxiosError): string {
  return error.response ? `status ${error.response.status}` : (error.code ?? "no answer");
}
