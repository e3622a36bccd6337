/** A complete answer with any status. */
export interface HttpResponse {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: { readonly [name: string]: unknown };
  readonly data: string;
}

/** Codes of failures that neither Node.js nor axios has. */
export const failureCodes = {
  /** An answer is too large. */
  tooLarge: "ERR_TOO_LARGE",
  /** The proxy of the environment is no address. */
  noProxy: "ERR_INVALID_PROXY",
  /** A loopback name resolves to another machine. */
  elsewhere: "ERR_ELSEWHERE",
  /** An answer has status 101: no answer follows it. */
  switched: "ERR_SWITCHED_PROTOCOL",
};

/** A request without a successful answer. It holds nothing of the request. */
export class FailedRequest extends Error {
  /**
   * @param code why there is no answer, in the words of Node.js
   * @param response the answer; without text where it broke off
   * @param isOnKeptConnection whether it was sent on a connection kept from an earlier request
   * @param proxy host and port of the proxy that it went through
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

  /** Whether its signal has ended it. */
  get isCancelled(): boolean {
    return this.code === "ERR_CANCELED";
  }

  /** The answer, if it is complete. */
  get wholeAnswer(): HttpResponse | undefined {
    return typeof this.response?.data === "string" ? (this.response as HttpResponse) : undefined;
  }

  /** Whether the proxy wants to know who asks: no server behind it has seen the request. */
  get isRefusedByProxy(): boolean {
    return this.response?.status === 407 && this.proxy !== undefined;
  }
}

/** The variables that name a proxy for https, in the order in which they count. */
const proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];

/** Codes of failures before the request was sent. */
const unsentCodes = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"]);

/** Codes for a certificate that is not trusted, or has expired. */
const untrusted = /^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_)/;

/** Whether a request without an answer cannot have reached the service. */
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

/** The reason why a request was not sent, with advice. */
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

/** The variable of the environment that names the proxy. */
function proxyVariable(): string | undefined {
  return proxyVariables.find((name) => process.env[name]);
}

/** How a request without an answer went, for a message: through a proxy of the environment, whose credentials are not shown. */
export function routeOf({ proxy }: FailedRequest): string {
  const variable = proxyVariable();
  return proxy ? ` through the proxy ${proxy}${variable ? ` of ${variable}` : ""}` : "";
}

/** Why there is an answer and nobody can read it. Another attempt would end the same. */
export function whyUnreadable({ code }: FailedRequest): string | undefined {
  if (code === failureCodes.switched)
    return "the answer switches to another protocol, which was not requested";
  return code === failureCodes.tooLarge || code === "Z_DATA_ERROR"
    ? "the answer is too large or cannot be decoded"
    : undefined;
}

/** Whether another attempt does no harm and may end better. A 429 is no failure: it is waited out. */
export function mayBeRepeated(error: FailedRequest, isIdempotent: boolean): boolean {
  const status = error.wholeAnswer?.status;
  if (status === undefined && wasNotSent(error)) return unsentCodes.has(error.code ?? "");
  if (!isIdempotent) return false;
  return status === undefined ? whyUnreadable(error) === undefined : status >= 500;
}
