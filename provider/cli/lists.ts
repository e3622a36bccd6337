import type { OperationName } from "../api/operations";
import type { Data } from "../lifecycle/data";
import type { Session } from "../lifecycle/session";
import type { TypeName } from "./typeNames";

export type ListOperation = Extract<OperationName, "listKeys" | "listDashboards" | "listAlerts">;

/** How the objects are listed of those types that a service has many of. */
export const lists: { readonly [type in TypeName]?: ListOperation } = {
  ApiKey: "listKeys",
  Dashboard: "listDashboards",
  Alert: "listAlerts",
};

/**
 * Whether a key of the list can be the one with this `keyId`: the list shows only the last characters of it.
 *
 * @param keyId the `keyId` with which requests are signed
 */
export function isSigningKey({ keySuffix }: Data, keyId: string | undefined): boolean {
  return typeof keySuffix === "string" && keySuffix !== "" && keyId?.endsWith(keySuffix) === true;
}

/** Whether the settings give access to what only the management API has: services, keys and query endpoints. */
export function reachesManagement({ stackApi, settings }: Session): boolean {
  return stackApi !== "observability" || (settings.keyId !== undefined && settings.keySecret !== undefined);
}
