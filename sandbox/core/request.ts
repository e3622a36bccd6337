import type { Readable } from "node:stream";
import type { Answer } from "./answer";

export type ApiName = "management" | "observability";

/** A request to the sandbox, whether it came over HTTP or by a call in the process. */
export interface Request {
  readonly method: string;
  /** The request's path and query string. */
  readonly url: string;
  /** The request's headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The request's body; absent if there is none. */
  readonly body?: string;
  /** Whether the request's body was too large to be read. */
  readonly isTooLarge?: boolean;
  /** The address of the client that sent the request. Default: this machine. */
  readonly address?: string;
}

/** The reply to a client: a response, and how the connection ends. */
export interface Reply {
  /** The response of the reply; absent if the connection is reset without one. */
  readonly answer?: Answer | Answer<Readable>;
  /** How the connection ends after half of the response. Default: the whole response is sent. */
  readonly cut?: "reset" | "close";
  /** Milliseconds by which the response is delayed. */
  readonly delay?: number;
}

/** The path of a request to the sandbox, without the query string. */
export function pathOf({ url }: Pick<Request, "url">): string {
  return url.split("?", 1)[0] ?? "";
}

/** The value of a request's header `Authorization`, as the client sent it. */
export function authorizationOf({ headers }: Request): string {
  return String(headers.authorization ?? "");
}
