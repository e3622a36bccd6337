import type { ApiName } from "./request";

/**
 * Another reading of what an API takes and answers. A strict model refuses what the judge finds wrong, even if the model would
 * take it, and fails on an answer of its own that the judge finds wrong.
 */
export interface Judge {
  /** What is wrong with the body of a request; undefined if nothing is. */
  requestFailure(api: ApiName, operation: string, body: unknown): string | undefined;
  /** What is wrong with what an answer shows; undefined if nothing is. */
  answerFailure(api: ApiName, operation: string, result: unknown): string | undefined;
}
