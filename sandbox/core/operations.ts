import { resources } from "./resources/registry";
import type { ApiName } from "./routeContext";

export type { ApiName };

export type OperationName = (typeof resources)[keyof typeof resources]["operations"][number];

/** The operations that the sandbox serves. Where both APIs serve one, it has the same name on both. */
export const operationNames: readonly OperationName[] = Object.values(resources).flatMap(
  ({ operations }): readonly OperationName[] => operations,
);

/** Whether an operation changes something. */
export function isWrite(operation: string): boolean {
  return !/^(list|get|validate)/.test(operation);
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The operation that a route serves. Every route of the sandbox has one. */
    operation?: OperationName;
  }
}

/** Which operation a request calls; none for an unknown route. */
export interface Call {
  api: ApiName;
  operation?: OperationName;
}
