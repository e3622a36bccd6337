import type { ApiName } from "./request";
import { resources } from "./resources/registry";

export type OperationName = (typeof resources)[keyof typeof resources]["operations"][number];

/** The operations that the sandbox serves. An operation that both APIs serve has the same name on both. */
export const operationNames: readonly OperationName[] = Object.values(resources).flatMap(
  ({ operations }): readonly OperationName[] => operations,
);

export function isWrite(operation: string): boolean {
  return !/^(list|get|validate|discover|whoami$)/.test(operation);
}

/** The operation of an API that a request to the sandbox calls; absent for an unknown route. */
export interface CalledOperation {
  api: ApiName;
  operation?: OperationName;
}
