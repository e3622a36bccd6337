import type { Request } from "../../../sandbox/core/request";
import type { Answer } from "./foreign";

/** This module replaces HTTP in the provider's API client, since sockets would take most of the time of a simulated history. */

export interface HttpRequest {
  readonly baseUrl: string;
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly Authorization: string };
  readonly params?: { readonly [name: string]: unknown };
  readonly data?: unknown;
  readonly signal: AbortSignal;
}

export function requestOf({ method, url: path, headers, params, data }: HttpRequest): Request {
  const query = new URLSearchParams(params as Record<string, string>).toString();
  const sent = { authorization: headers.Authorization, "content-type": "application/json" };
  return { method, url: query ? `${path}?${query}` : path, headers: sent, body: JSON.stringify(data) };
}

/** Delivers a request in the simulation. Returns an answer, or the code of a connection error. */
export type Delivery = (request: HttpRequest) => Promise<Answer | string>;

interface Outcomes {
  readonly FailedRequest: new (
    message: string,
    code: string | undefined,
    response: { status: number; headers: Answer["headers"]; data: string } | undefined,
    isOnKeptConnection: boolean,
    proxy: string | undefined,
  ) => Error;
}

let delivery: Delivery | undefined;

export function deliverBy(next: Delivery | undefined): void {
  delivery = next;
}

/** Returns the module that replaces, in the simulation, the module of the API client that sends requests. */
export function transportWith({ FailedRequest }: Outcomes) {
  const request = async (all: HttpRequest): Promise<object> => {
    if (!delivery) throw new Error("there is no network");
    const answer = await delivery(all);
    if (typeof answer === "string") throw new FailedRequest("no answer", answer, undefined, false, undefined);
    const { status, headers, body } = answer;
    const response = { status, headers, data: body };
    if (status >= 200 && status < 300) return response;
    throw new FailedRequest(`status ${status}`, undefined, response, false, undefined);
  };
  return {
    createTransport: (baseUrl: string) => ({
      request: (own: Omit<HttpRequest, "baseUrl">) => request({ ...own, baseUrl }),
    }),
  };
}
