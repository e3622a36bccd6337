import type { OperationName } from "../../api/operations";
import type { Session } from "../../lifecycle/session";
import type { TypeName } from "../../resources/registry";

export type ListOperation = Extract<OperationName, "listKeys" | "listDashboards" | "listAlerts">;

/** How the objects are listed of those types that a service has many of. */
export const lists: { readonly [type in TypeName]?: ListOperation } = {
  ApiKey: "listKeys",
  Dashboard: "listDashboards",
  Alert: "listAlerts",
};

/** Whether the settings give access to what only the management API has: services, keys and query endpoints. */
export function reachesManagement({ observabilityVia, settings }: Session): boolean {
  return (
    observabilityVia !== "observability" || (settings.keyId !== undefined && settings.keySecret !== undefined)
  );
}
