import type { ApiName } from "./journal";

/** Names of the operations that the sandbox serves; both APIs use the same name for the same operation. */
export const operationNames = [
  "listKeys",
  "createKey",
  "getKey",
  "updateKey",
  "deleteKey",
  "getService",
  "updateScaling",
  "updateReplicaScaling",
  "getQueryEndpoint",
  "putQueryEndpoint",
  "deleteQueryEndpoint",
  "listPipes",
  "createPipe",
  "getPipe",
  "getPipeSettings",
  "putPipeSettings",
  "listReversePrivateEndpoints",
  "listDashboards",
  "createDashboard",
  "getDashboard",
  "updateDashboard",
  "deleteDashboard",
  "listAlerts",
  "createAlert",
  "getAlert",
  "updateAlert",
  "deleteAlert",
  "listSources",
  "listWebhooks",
  "getChartSeries",
] as const;

export type OperationName = (typeof operationNames)[number];

declare module "fastify" {
  interface FastifyContextConfig {
    /** Name of the operation that a route serves. Every route of the sandbox has one. */
    operation?: OperationName;
  }
}

/** The options of a route that say which operation it serves. */
export function serves(operation: OperationName): { config: { operation: OperationName } } {
  return { config: { operation } };
}

/** A request as far as it matters for which operation it calls. An unknown route has no operation. */
export interface Call {
  api: ApiName;
  operation?: OperationName;
}
