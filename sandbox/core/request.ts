import type { Readable } from "node:stream";
import type { Answer } from "./answer";

export type ApiName = "management" | "observability";

/** A request as it came, however it came. */
export interface Request {
  readonly method: string;
  /** Path and query string. */
  readonly url: string;
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Absent without one. */
  readonly body?: string;
  /** Whether the body was too large to be read. */
  readonly isTooLarge?: boolean;
  /** The address of the client. Default: this machine. */
  readonly address?: string;
}

/** The outcome for a client. */
export interface Reply {
  /** Absent: the connection is reset without one. */
  readonly answer?: Answer | Answer<Readable>;
  /** How the connection ends after half of the answer. Default: all of it is sent. */
  readonly cut?: "reset" | "close";
  /** Milliseconds by which the answer comes late. */
  readonly delay?: number;
}

/** The path of a request, without the query string. */
export function pathOf({ url }: Pick<Request, "url">): string {
  return url.split("?", 1)[0] ?? "";
}

/** The credentials that a request is signed with, as they were sent. */
export function authorizationOf({ headers }: Request): string {
  return String(headers.authorization ?? "");
}
