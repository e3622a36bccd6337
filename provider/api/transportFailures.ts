/** A complete answer with any status. */
export interface HttpResponse {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: { readonly [name: string]: unknown };
  readonly data: string;
}

/** How far a failed request got. */
interface Progress {
  /** The answer; without text where it broke off. */
  readonly response?: Omit<HttpResponse, "data"> & { readonly data?: string };
  /** Whether it was sent on a connection kept from an earlier request. */
  readonly isOnKeptConnection?: boolean;
  /** Host and port of the proxy that it went through. */
  readonly proxy?: string;
}

/** Code of a request that its signal has ended. */
export const cancelledCode = "ERR_CANCELED";

/** Code of an answer that is too large. */
export const tooLargeCode = "ERR_TOO_LARGE";

/** Code of a loopback name that resolves to another machine. */
export const elsewhereCode = "ERR_ELSEWHERE";

/** Code of an answer with status 101: no answer follows it. */
export const switchedCode = "ERR_SWITCHED_PROTOCOL";

/** A request without a successful answer. It holds nothing of what was sent. */
export class FailedRequest extends Error implements Progress {
  readonly response: Progress["response"];
  readonly isOnKeptConnection: boolean;
  readonly proxy: string | undefined;

  /** @param code why there is no answer, in the words of Node.js */
  constructor(
    message: string,
    readonly code: string | undefined,
    { response, isOnKeptConnection = false, proxy }: Progress = {},
  ) {
    super(message);
    this.response = response;
    this.isOnKeptConnection = isOnKeptConnection;
    this.proxy = proxy;
  }
}

/** The answer of a request, if its status is a successful one. */
export function successful(response: HttpResponse, progress: Progress = {}): HttpResponse {
  const { status } = response;
  if (status >= 200 && status < 300) return response;
  throw new FailedRequest(`status ${status}`, undefined, { ...progress, response });
}

/** The variables that name a proxy for https, in the order in which they count. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

function proxyVariable(): string | undefined {
  return proxyVariables.find((name) => process.env[name]);
}

/** Codes of failures before the request was sent. */
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Codes for a certificate that is not trusted, or has expired. */
const untrusted = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Whether a request without an answer cannot have reached the service. */
export function wasNotSent(error: FailedRequest): boolean {
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
export function isRefusedByProxy(error: FailedRequest): boolean {
  return error.response?.status === 407 && proxyOf(error) !== undefined;
}

/** The reason why a request was not sent, and what to do about it. */
export function whyNotSent(error: FailedRequest): string {
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
export function brokeOnKeptConnection({ isOnKeptConnection, response }: FailedRequest): boolean {
  return response === undefined && isOnKeptConnection;
}

/** How a request without an answer went, for a message: through a proxy of the environment, whose credentials are not shown. */
export function routeOf(error: FailedRequest): string {
  const proxy = proxyOf(error);
  return proxy ? ` through the proxy ${proxy}` : "";
}

/** The address of the proxy that a request went through, and the variable that names it. */
function proxyOf({ proxy }: FailedRequest): string | undefined {
  const variable = proxyVariable();
  return proxy && `${proxy}${variable ? ` of ${variable}` : ""}`;
}

/** The answer of a failed call, if it is complete. */
export function wholeAnswer(error: FailedRequest): HttpResponse | undefined {
  return typeof error.response?.data === "string" ? (error.response as HttpResponse) : undefined;
}

/** Why there is an answer and nobody can read it. Another attempt would end the same. */
export function whyUnreadable({ code = "" }: FailedRequest): string | undefined {
  if (code === switchedCode) return "the answer switches to another protocol, which nobody asked for";
  return code === tooLargeCode || code === "Z_DATA_ERROR"
    ? "the answer is too large or cannot be decoded"
    : undefined;
}

/** Whether another attempt does no harm and may end better. A 429 is no failure: it is waited out. */
export function mayBeRepeated(error: FailedRequest, isIdempotent: boolean): boolean {
  const status = wholeAnswer(error)?.status;
  if (status === undefined && wasNotSent(error)) return unsentCodes.has(error.code ?? "");
  if (!isIdempotent) return false;
  return status === undefined ? whyUnreadable(error) === undefined : status >= 500;
}
