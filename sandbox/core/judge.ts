import type { ApiName } from "./request";

/**
 * An independent reading of the API documents. A strict model refuses requests that the judge finds wrong, even if the
 * model itself would accept them, and fails if the judge finds the model's own answers wrong.
 */
export interface Judge {
  /** The mistake in the body of a request; undefined if it is correct. */
  requestFailure(api: ApiName, operation: string, body: unknown): string | undefined;
  /** The mistake in the result of an answer; undefined if it is correct. */
  answerFailure(api: ApiName, operation: string, result: unknown): string | undefined;
}
