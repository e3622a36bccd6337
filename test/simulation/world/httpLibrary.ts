import type { Answer } from "./foreign";

/** What stands in for axios, the client's door to the network: no history needs a socket, or the time that it takes. */

/** A request as the client hands it over. */
export interface HttpRequest {
  readonly baseURL: string;
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly Authorization: string };
  readonly params?: { readonly [name: string]: unknown };
  readonly data?: unknown;
  readonly signal: AbortSignal;
}

/** An answer, or the code of the error that takes its place. */
export type Delivery = (request: HttpRequest) => Promise<Answer | string>;

/** A failed request, as axios throws it. */
class HttpError extends Error {
  readonly isAxiosError = true;
  readonly request = {};

  constructor(
    message: string,
    readonly code: string,
    readonly response?: object,
  ) {
    super(message);
  }
}

let delivery: Delivery | undefined;

/** Says who delivers the requests from here on. */
export function deliverBy(next: Delivery | undefined): void {
  delivery = next;
}

async function request(all: HttpRequest): Promise<object> {
  if (!delivery) throw new Error("there is no network");
  const answer = await delivery(all);
  if (typeof answer === "string") throw new HttpError("no answer", answer);
  const { status, headers, body } = answer;
  const response = { status, headers, data: body };
  if (status >= 200 && status < 300) return response;
  throw new HttpError(
    `Request failed with status code ${status}`,
    status < 500 ? "ERR_BAD_REQUEST" : "ERR_BAD_RESPONSE",
    response,
  );
}

/** The part of the module `axios` that the provider uses. */
export const httpLibrary = {
  __esModule: true,
  default: {
    create: (usual: Pick<HttpRequest, "baseURL">) => ({
      request: (own: Omit<HttpRequest, "baseURL">) => request({ ...usual, ...own }),
    }),
  },
  isAxiosError: (error: unknown) => error instanceof HttpError,
};
