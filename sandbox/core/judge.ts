import type { ApiName } from "./request";

/**
 * The judge is an independent reading of the API documents, by which tests check the sandbox. A sandbox with a judge refuses
 * requests that the judge finds wrong, even if the sandbox itself would accept them, and fails if the judge finds the sandbox's
 * own responses wrong.
 */
export interface Judge {
  requestFailure(api: ApiName, operation: string, body: unknown): string | undefined;
  answerFailure(api: ApiName, operation: string, result: unknown): string | undefined;
}
