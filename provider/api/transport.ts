import { lookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import type { LookupFunction } from "node:net";
import axios, { type AxiosError, type AxiosInstance, type AxiosResponse } from "axios";
import { mostAtOnce } from "./rateLimiter";
import { isLoopback } from "./settings";

/** No answer of either API comes near this; more is a fault or an attack. */
const largestAnswerBytes = 64 * 1024 * 1024;

/**
 * The HTTP side of one API: answers are text.
 *
 * @param keepAlive whether connections are kept for further requests
 */
export function createTransport(baseUrl: string, userAgent: string, keepAlive: boolean): AxiosInstance {
  return axios.create({
    baseURL: baseUrl,
    headers: { "User-Agent": userAgent, Accept: "application/json" },
    // Nothing is followed: a redirect could carry credentials to another origin.
    maxRedirects: 0,
    maxContentLength: largestAnswerBytes,
    httpAgent: new http.Agent({ keepAlive, maxSockets: mostAtOnce, lookup: lookUpHere }),
    httpsAgent: new https.Agent({ keepAlive, maxSockets: mostAtOnce }),
    // A proxy of the environment must not see what goes to this machine itself.
    ...(isLoopback(new URL(baseUrl).hostname) ? { proxy: false as const } : {}),
    responseType: "text",
    transformResponse: [(text: unknown) => text],
  });
}

/** Error code for a loopback name that resolves to another machine. */
const elsewhereCode = "ERR_ELSEWHERE";

/**
 * Resolves hosts of plain http. A resolver need not follow the convention that `localhost`, and names that end in it, mean
 * this machine; an address elsewhere is refused.
 */
const lookUpHere: LookupFunction = (host, options, callback) =>
  lookup(host, options, (error, found, family) => {
    const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
    const isHere =
      error !== null || addresses.every((address) => address === "::1" || address.startsWith("127."));
    const elsewhere = Object.assign(new Error(`${host} is not this machine`), { code: elsewhereCode });
    callback(isHere ? error : elsewhere, found as string, family);
  });

/** Codes of failures before the request was sent. */
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Codes for a certificate that is not trusted, or has expired. */
const untrusted = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Whether a request without an answer cannot have reached the service. */
export function wasNotSent(error: AxiosError): boolean {
  const { code = "" } = error;
  return (
    isRefusedByProxy(error) ||
    unsentCodes.has(code) ||
    untrusted.test(code) ||
    /^(ERR_TLS_|EPROTO$)/.test(code) ||
    code === elsewhereCode
  );
}

/** Whether the proxy wants to know who asks: no server behind it has seen the request. */
export function isRefusedByProxy(error: AxiosError): boolean {
  return error.response?.status === 407 && proxyOf(error) !== undefined;
}

/** The reason why a request was not sent, and what to do about it. */
export function whyNotSent(error: AxiosError): string {
  const { code = "", message } = error;
  if (isRefusedByProxy(error)) return "(status 407); set the proxy's user and password in its address";
  if (code === elsewhereCode) return `(${message}); check the address and the resolver of names`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `(${code}); check the address: its certificate is for another host`;
  if (untrusted.test(code)) {
    return `(${code}): its certificate is not trusted; renew it, or name the file of its authority's certificate in NODE_EXTRA_CA_CERTS`;
  }
  if (code === "EPROTO") return `(${code}); check the address: the server may have http alone`;
  return `(${code}); check ${proxyOf(error) ? "the proxy" : "the address"} and the network`;
}

/** Whether a request broke on a connection that had been kept from an earlier one: some servers close these unannounced. */
export function brokeOnKeptConnection({ request, response }: AxiosError): boolean {
  return response === undefined && (request as { reusedSocket?: boolean } | undefined)?.reusedSocket === true;
}

/** How a request without an answer went, for a message: through a proxy of the environment, whose credentials are not shown. */
export function routeOf(error: AxiosError): string {
  const proxy = proxyOf(error);
  return proxy ? ` through the proxy ${proxy}` : "";
}

/** The address of the proxy that a request went through, and the variable that names it. */
function proxyOf({ request }: AxiosError): string | undefined {
  const { host, port } =
    (request as { agent?: { proxy?: { host?: unknown; port?: unknown } } })?.agent?.proxy ?? {};
  if (typeof host !== "string") return undefined;
  const variable = proxyVariables.find((name) => process.env[name]);
  return `${host}:${port}${variable ? ` of ${variable}` : ""}`;
}

/** The variables that name a proxy for https, in the order in which they count. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/** The answer of a failed call, if it is complete. Axios also gives one that broke off: with a status but no text. */
export function wholeAnswer(error: AxiosError): AxiosResponse<string> | undefined {
  return typeof error.response?.data === "string" ? (error.response as AxiosResponse<string>) : undefined;
}

/** Whether the answer is too large or cannot be decompressed. Another attempt would end the same. */
export function isUnreadable(error: AxiosError): boolean {
  return (error.code === "ERR_BAD_RESPONSE" && !error.response) || error.code === "Z_DATA_ERROR";
}

/** Whether another attempt does no harm and may end better. A 429 is no failure: it is waited out. */
export function mayBeRepeated(error: AxiosError, isIdempotent: boolean): boolean {
  const status = wholeAnswer(error)?.status;
  if (status === undefined && wasNotSent(error)) return unsentCodes.has(error.code ?? "");
  if (!isIdempotent) return false;
  return status === undefined ? !isUnreadable(error) : status >= 500;
}
