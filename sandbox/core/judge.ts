import type { ApiName } from "./request";

/**
 * Another reading of the API documents. A strict model refuses requests that the judge finds wrong, even if the model would
 * take them, and fails on such answers of its own.
 */
export interface Judge {
  /** The mistake in the body of a request; undefined without one. */
  requestFailure(api: ApiName, operation: string, body: unknown): string | undefined;
  /** The mistake in the result of an answer; undefined without one. */
  answerFailure(api: ApiName, operation: string, result: unknown): string | undefined;
}
