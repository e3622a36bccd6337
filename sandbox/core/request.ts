import type { Readable } from "node:stream";
import type { Answer } from "./answer";

export type ApiName = "management" | "observability";

export interface Request {
  readonly method: string;
  readonly url: string;
  /** The address of the sandbox as the client has called it; absent in a process without a server. */
  readonly origin?: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: string;
  /** Whether the body of the request exceeded the sandbox's limit, so that it was not read. */
  readonly isTooLarge?: boolean;
  /** The address of the client that sent the request. The default is this machine. */
  readonly address?: string;
}

export interface Reply {
  /** The response of the sandbox; absent if it resets the connection without a response. */
  readonly answer?: Answer | Answer<Readable>;
  /** How the connection ends after half of the response. If absent, the sandbox sends the whole response. */
  readonly cut?: "reset" | "close";
  readonly delay?: number;
}

export function pathOf({ url }: Pick<Request, "url">): string {
  return url.split("?", 1)[0] ?? "";
}

export function authorizationOf({ headers }: Request): string {
  return String(headers.authorization ?? "");
}
