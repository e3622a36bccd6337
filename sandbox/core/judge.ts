import type { ApiName } from "./request";

/**
 * An independent reading of the API documents, by which tests check the sandbox. A sandbox with a judge refuses requests that
 * the judge finds wrong, even if the sandbox itself would accept them, and fails if the judge finds the sandbox's own responses
 * wrong.
 */
export interface Judge {
  /** The mistake that the judge finds in the body of a request; undefined if it is correct. */
  requestFailure(api: ApiName, operation: string, body: unknown): string | undefined;
  /** The mistake that the judge finds in the result of a response; undefined if it is correct. */
  answerFailure(api: ApiName, operation: string, result: unknown): string | undefined;
}
