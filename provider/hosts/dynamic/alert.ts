import { type AlertChannel, type alertInputs, type alertOutputs, alertResource } from "../../resources/alert";
import { managedResource } from "./managedResource";
import type { ArgsOf, InputsOf, OutputsOf } from "./types";

/** Arguments of an {@link Alert}. */
export interface AlertArgs extends InputsOf<typeof alertInputs> {}

/** Where an alert is sent. */
export interface AlertChannelArgs extends ArgsOf<AlertChannel> {}

export interface Alert extends OutputsOf<typeof alertInputs, typeof alertOutputs> {}

/**
 * An alert on a tile of a dashboard or on a saved search. Created through the management API, updated through the
 * observability API with everything that is declared; listed and deleted through undocumented operations
 * (API document: "Create alert body", "Update alert body").
 *
 * A change of `organizationId` or `serviceId` replaces the alert, everything else is updated in place. A `name` or
 * `message` that is taken out of the program is cleared.
 *
 * @example
 * ```typescript
 * new pipestack.Alert("slow-queries", {
 *   name: "Slow queries",
 *   source: "tile",
 *   dashboardId: dashboard.id,
 *   tileId: dashboard.tileIds["Query time"],
 *   threshold: 500,
 *   thresholdType: "above",
 *   interval: "5m",
 *   channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
 * });
 * ```
 */
export class Alert extends managedResource<AlertArgs>(alertResource) {}
