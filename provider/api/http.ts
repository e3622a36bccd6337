/** A request to one API. */
export interface HttpRequest {
  readonly method: string;
  /** Path below the address of the API. */
  readonly url: string;
  /** Parameters that follow the path. */
  readonly params?: { readonly [name: string]: number };
  readonly headers: { readonly [name: string]: string };
  /** What is sent as JSON; absent for nothing. */
  readonly data?: unknown;
  /** Ends the request. */
  readonly signal: AbortSignal;
}

/** A complete answer with any status. */
export interface HttpResponse {
  readonly status: number;
  /** By names in lower case. */
  readonly headers: { readonly [name: string]: unknown };
  readonly data: string;
}

/** The HTTP side of one API. */
export interface Transport {
  /** @throws FailedRequest unless the whole of a successful answer arrives */
  request(request: HttpRequest): Promise<HttpResponse>;
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

/** No answer of either API comes near this; more is a fault or an attack. */
export const largestAnswerBytes = 64 * 1024 * 1024;

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
