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
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const names = pipestack.getWebhooks().then((webhooks) => webhooks.map(({ name }) => name));
 * ```
 */
export const getWebhooks = plain<GetWebhooksArgs, WebhookSummary[]>(functions.getWebhooks);

/**
 * Same as {@link getWebhooks}, but accepts outputs and returns an output. With `includeSecrets` the result is a secret.
 * @example
 * ```typescript
 * const reporting = pipestack.getServiceOutput({ name: "reporting" });
 * export const webhooks = pipestack.getWebhooksOutput({ serviceId: reporting.id });
 * ```
 */
export const getWebhooksOutput = withOutputs<GetWebhooksOutputArgs, WebhookSummary[]>(functions.getWebhooks);

/**
 * The webhook of a service that has this name. Fails unless exactly one exists; the error names all that exist. Without
 * `includeSecrets`, its `url` is left out.
 * @throws Error if an argument is invalid, a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such webhook
 * @example
 * ```typescript
 * const webhook = pipestack.getWebhook({ name: "on-call", service: "slack" });
 * export const webhookId = webhook.then(({ id }) => id);
 * ```
 */
export const getWebhook = plain<GetWebhookArgs, WebhookSummary>(functions.getWebhook);

/**
 * Same as {@link getWebhook}, but accepts outputs and returns an output. With `includeSecrets` the result is a secret.
 * @example
 * ```typescript
 * export const webhookId = pipestack.getWebhookOutput({ name: "on-call" }).id;
 * ```
 */
export const getWebhookOutput = withOutputs<GetWebhookOutputArgs, WebhookSummary>(functions.getWebhook);
