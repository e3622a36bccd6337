import type { Readable } from "node:stream";
import type { Answer } from "../answer";
import { ApiError, type ErrorShape } from "../apiError";
import type { Identifiers } from "../identifiers";
import type { ApiName } from "../request";
import type { Store } from "../store";

export interface FaultContext {
  fault: { readonly seconds?: number; readonly megabytes?: number; readonly location?: string };
  api: ApiName;
  method: string;
  url: string;
  requestId: string;
  now: number;
  /** The response that the request would get without the injected fault; an empty object if the request was not carried out. */
  realAnswer: Answer;
  store: Store;
  ids: Identifiers;
  errorAnswer(error: ApiError): Answer;
}

/** A function that makes the response which an injected fault sends in place of the real one. */
export type FaultAnswer = (context: FaultContext) => Answer | Answer<Readable>;

export function refusal(status: number, text: string, shape?: ErrorShape) {
  return ({ errorAnswer, fault: { seconds } }: FaultContext) =>
    errorAnswer(
      new ApiError(status, text, shape, seconds === undefined ? {} : { "retry-after": `${seconds}` }),
    );
}

export function limited(headers: (seconds: number, now: number) => Record<string, string>) {
  const text = "Too many requests, please try again later.";
  return ({ errorAnswer, now, fault: { seconds = 1 } }: FaultContext) =>
    errorAnswer(new ApiError(429, text, "html", headers(seconds, now)));
}

/**
 * Formats a time as the HTTP date for `retry-after`. The date has whole seconds, rounded up so that the client waits long
 * enough.
 */
export function dateIn(seconds: number, now: number): string {
  return new Date(Math.ceil(now / 1000 + seconds) * 1000).toUTCString();
}
