export interface HttpResponse {
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly data: string;
}

/** Error codes for failed requests for which neither Node.js nor axios has a code. */
export const failureCodes = {
  /** The server's answer is too large to be accepted. */
  tooLarge: "ERR_TOO_LARGE",
  /** The address of the proxy in the environment variables is invalid. */
  noProxy: "ERR_INVALID_PROXY",
  /** A loopback name such as `localhost` resolves to another machine, to which the provider sends nothing over plain http. */
  elsewhere: "ERR_ELSEWHERE",
  /** The server's answer has status 101, after which no HTTP answer follows. */
  switched: "ERR_SWITCHED_PROTOCOL",
};

/** The error of an HTTP request without a successful answer. It holds nothing of the request, so no credential. */
export class FailedRequest extends Error {
  /**
   * @param code why there is no answer, as an error code of Node.js
   * @param response the server's answer; without text if it broke off
   * @param proxy host and port of the proxy that the request went through
   */
  constructor(
    message: string,
    readonly code: string | undefined,
    readonly response: (Omit<HttpResponse, "data"> & { readonly data?: string }) | undefined,
    readonly isOnKeptConnection: boolean,
    readonly proxy: string | undefined,
  ) {
    super(message);
  }

  get isCancelled(): boolean {
    return this.code === "ERR_CANCELED";
  }

  /** The server's answer to the failed request, if it arrived completely. */
  get wholeAnswer(): HttpResponse | undefined {
    return typeof this.response?.data === "string" ? (this.response as HttpResponse) : undefined;
  }

  /** Whether the proxy asked for credentials (407), so that no server behind it has seen the request. */
  get isRefusedByProxy(): boolean {
    return this.response?.status === 407 && this.proxy !== undefined;
  }
}

/** The environment variables that name a proxy for https, in the order of precedence. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/** Error codes of failures that happen before a request is sent. */
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Matches error codes of TLS certificates that are not trusted or have expired. */
const untrusted = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Whether a failed request cannot have reached the service, so that it is safe to send it again. */
export function wasNotSent({ code = "", isRefusedByProxy }: FailedRequest): boolean {
  return (
    isRefusedByProxy ||
    unsentCodes.has(code) ||
    untrusted.test(code) ||
    /^(ERR_TLS_|EPROTO$)/.test(code) ||
    code === failureCodes.elsewhere ||
    code === failureCodes.noProxy
  );
}

/** The reason why a request could not be sent, with advice, for a message. */
export function whyNotSent({ code = "", message, isRefusedByProxy, proxy }: FailedRequest): string {
  if (isRefusedByProxy) return "(status 407); set the proxy's user and password in its address";
  if (code === failureCodes.noProxy)
    return `(${code}); ${proxyVariable() ?? "the proxy of the environment"} has to be an address, such as http://proxy.example.com:3128`;
  if (code === failureCodes.elsewhere) return `(${message}); check the address and DNS`;
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
    return `(${code}); check the address: its certificate is for another host`;
  if (untrusted.test(code)) {
    return `(${code}): its certificate is not trusted; renew it, or name the file of its authority's certificate in NODE_EXTRA_CA_CERTS`;
  }
  if (code === "EPROTO") return `(${code}); check the address: the server may speak plain http only`;
  return `(${code}); check ${proxy ? "the proxy" : "the address"} and the network`;
}

/** The environment variable that names the proxy of requests, for a message. */
function proxyVariable(): string | undefined {
  return proxyVariables.find((name) => process.env[name]);
}

/** The part of a message which says that a request went through a proxy, without the proxy's credentials. */
export function routeOf({ proxy }: FailedRequest): string {
  const variable = proxyVariable();
  return proxy ? ` through the proxy ${proxy}${variable ? ` of ${variable}` : ""}` : "";
}

/** The reason why a server's answer that arrived cannot be read. Another attempt would end in the same way. */
export function whyUnreadable({ code }: FailedRequest): string | undefined {
  if (code === failureCodes.switched)
    return "the answer switches to another protocol, which was not requested";
  return code === failureCodes.tooLarge || code === "Z_DATA_ERROR"
    ? "the answer is too large or cannot be decoded"
    : undefined;
}

/** Whether a failed request may be sent again without harm, and may then succeed; a 429, which only delays it, is separate. */
export function mayBeRepeated(error: FailedRequest, isIdempotent: boolean): boolean {
  const status = error.wholeAnswer?.status;
  if (status === undefined && wasNotSent(error)) return unsentCodes.has(error.code ?? "");
  if (!isIdempotent) return false;
  return status === undefined ? whyUnreadable(error) === undefined : status >= 500;
}
