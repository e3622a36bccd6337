import {
  type AlertSetEntry,
  type alertSetInputs,
  type alertSetOutputs,
  alertSetResource,
} from "../../resources/alert/alertSet";
import { managedResource } from "./managedResource";
import type { ArgsOf, InputsOf, OutputsOf } from "./types";

/** Arguments of an {@link AlertSet}. */
export interface AlertSetArgs extends InputsOf<typeof alertSetInputs> {}

/** An alert in an {@link AlertSet}: the arguments of an alert, without those that all alerts of the set have in common. */
export interface AlertSetEntryArgs extends ArgsOf<AlertSetEntry> {}

export interface AlertSet extends OutputsOf<typeof alertSetInputs, typeof alertSetOutputs> {}

/**
 * Many alerts in one resource, for which the Pulumi engine does the work of only one resource. Hundreds of alerts then take a
 * fraction of the time. Each alert is checked, created, compared and changed as an `Alert` is.
 *
 * An alert that fails stops none of the others: the update fails and names it, the others are in the Pulumi state, and the next
 * update tries the failed alert again. A change of `organizationId` or `serviceId` replaces the set.
 *
 * A set makes all of its alerts itself, and hands none over: an alert that moves into a set or out of it is made anew.
 * @example
 * ```typescript
 * const sourceId = pipestack.getSourceOutput({ kind: "log" }).id;
 * const services = ["checkout", "search", "billing"];
 * const dashboard = new pipestack.Dashboard("errors", {
 *   name: "Errors",
 *   tiles: services.map((service) => ({
 *     name: service,
 *     config: { displayType: "line", sourceId, select: [{ aggFn: "count", where: `ServiceName:${service}` }] },
 *   })),
 * });
 * const alertOn = (service: string) => ({
 *   source: "tile" as const,
 *   dashboardId: dashboard.id,
 *   tileId: dashboard.tileIds[service],
 *   threshold: 500,
 *   thresholdType: "above" as const,
 *   interval: "5m" as const,
 *   channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
 * });
 * const set = new pipestack.AlertSet("services", {
 *   alerts: Object.fromEntries(services.map((service) => [service, alertOn(service)])),
 * });
 * export const checkout = set.ids.apply((ids) => ids.checkout);
 * ```
 */
export class AlertSet extends managedResource<AlertSetArgs>(alertSetResource) {}
