import { type webhookInputs, type webhookOutputs, webhookResource } from "../../resources/webhook/webhook";
import { managedResource } from "./managedResource";
import type { InputsOf, OutputsOf } from "./types";

/** Arguments of a {@link Webhook}. */
export interface WebhookArgs extends InputsOf<typeof webhookInputs> {}

export interface Webhook extends OutputsOf<typeof webhookInputs, typeof webhookOutputs> {}

/**
 * A webhook that alerts are sent to.
 *
 * `url`, `headers` and `queryParams` are kept encrypted in the Pulumi state, and never appear in logs or errors. A change of
 * `organizationId` or `serviceId` replaces the webhook, everything else is updated in place. A `description`, `body`, `headers`
 * or `queryParams` that is taken out of the program is cleared. The service does not delete a webhook while an alert has it as
 * its first channel.
 * @example
 * ```typescript
 * const config = new pulumi.Config();
 * const webhook = new pipestack.Webhook("on-call", {
 *   service: "slack",
 *   url: config.requireSecret("slackUrl"),
 * });
 * new pipestack.Alert("no-logs", {
 *   source: "search",
 *   savedSearch: pipestack.getSavedSearchOutput({ name: "Logs" }).id,
 *   threshold: 1,
 *   thresholdType: "below",
 *   interval: "1h",
 *   channel: { type: "webhook", webhookId: webhook.id },
 * });
 * ```
 */
export class Webhook extends managedResource<WebhookArgs>(webhookResource) {}
