export type ApiName = "management" | "observability";

/** The operations that the sandbox serves. Where both APIs serve one, it has the same name on both. */
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
    /** The operation that a route serves. Every route of the sandbox has one. */
    operation?: OperationName;
  }
}

/** The route options that name the operation. */
export function serves(operation: OperationName): { config: { operation: OperationName } } {
  return { config: { operation } };
}

/** Which operation a request calls; none for an unknown route. */
export interface Call {
  api: ApiName;
  operation?: OperationName;
}
