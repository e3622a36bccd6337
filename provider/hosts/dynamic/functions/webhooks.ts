import type { GetWebhookArgs, GetWebhooksArgs, WebhookSummary } from "../../../functions/webhooks";
import * as functions from "../../../functions/webhooks";
import { plain, withOutputs } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getWebhooksOutput}. */
export interface GetWebhooksOutputArgs extends InputsOf<typeof functions.getWebhooks.arguments> {}
/** Arguments of {@link getWebhookOutput}. */
export interface GetWebhookOutputArgs extends InputsOf<typeof functions.getWebhook.arguments> {}

/**
 * The webhooks of a service. The channel of an alert names one by its id. Without `includeSecrets`, their `url` is left out.
 *
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 *
 * @example
 * ```typescript
 * const names = (await pipestack.getWebhooks()).map((webhook) => webhook.name);
 * ```
 */
export const getWebhooks = plain<GetWebhooksArgs, WebhookSummary[]>(functions.getWebhooks);

/**
 * Same as {@link getWebhooks}, but accepts outputs and returns one. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * export const webhooks = pipestack.getWebhooksOutput({ serviceId: scaling.id });
 * ```
 */
export const getWebhooksOutput = withOutputs<GetWebhooksOutputArgs, WebhookSummary[]>(functions.getWebhooks);

/**
 * The webhook of a service that has this name. Fails unless there is exactly one, and names those that there are. Without
 * `includeSecrets`, its `url` is left out.
 *
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such webhook
 *
 * @example
 * ```typescript
 * const webhook = await pipestack.getWebhook({ name: "on-call", service: "slack" });
 * ```
 */
export const getWebhook = plain<GetWebhookArgs, WebhookSummary>(functions.getWebhook);

/**
 * Same as {@link getWebhook}, but accepts outputs and returns one. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * const webhookId = pipestack.getWebhookOutput({ name: "on-call" }).id;
 * ```
 */
export const getWebhookOutput = withOutputs<GetWebhookOutputArgs, WebhookSummary>(functions.getWebhook);
