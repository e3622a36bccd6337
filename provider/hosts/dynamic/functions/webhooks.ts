import type * as pulumi from "@pulumi/pulumi";
import type { GetWebhookArgs, GetWebhooksArgs, WebhookSummary } from "../../../functions/webhooks";
import * as functions from "../../../functions/webhooks";
import { call, callOutput, type FunctionOptions } from "../functionCall";
import type { InputsOf } from "../types";

/** Arguments of {@link getWebhooksOutput}. */
export interface GetWebhooksOutputArgs extends InputsOf<typeof functions.getWebhooks.arguments> {}
/** Arguments of {@link getWebhookOutput}. */
export interface GetWebhookOutputArgs extends InputsOf<typeof functions.getWebhook.arguments> {}

/**
 * The webhooks of a service. The channel of an alert names one by its id. Without `includeSecrets`, their `url` is left out.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, or
 *   no answer arrives
 *
 * @example
 * ```typescript
 * const names = (await pipestack.getWebhooks()).map((webhook) => webhook.name);
 * ```
 */
export function getWebhooks(args: GetWebhooksArgs = {}, opts?: FunctionOptions): Promise<WebhookSummary[]> {
  return call(functions.getWebhooks, args, opts);
}

/**
 * Same as {@link getWebhooks}, but accepts outputs and returns one. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * export const webhooks = pipestack.getWebhooksOutput({ serviceId: scaling.id });
 * ```
 */
export function getWebhooksOutput(
  args: GetWebhooksOutputArgs = {},
  opts?: FunctionOptions,
): pulumi.Output<WebhookSummary[]> {
  return callOutput(functions.getWebhooks, args, opts);
}

/**
 * The webhook of a service that has this name. Fails unless there is exactly one, and names those that there are. Without
 * `includeSecrets`, its `url` is left out.
 *
 * @throws Error if an argument is invalid (before any request), a setting is missing, the service refuses the request, no
 *   answer arrives, or there is not exactly one such webhook
 *
 * @example
 * ```typescript
 * const webhook = await pipestack.getWebhook({ name: "on-call", service: "slack" });
 * ```
 */
export function getWebhook(args: GetWebhookArgs, opts?: FunctionOptions): Promise<WebhookSummary> {
  return call(functions.getWebhook, args, opts);
}

/**
 * Same as {@link getWebhook}, but accepts outputs and returns one. With `includeSecrets` the result is a secret.
 *
 * @example
 * ```typescript
 * const webhookId = pipestack.getWebhookOutput({ name: "on-call" }).id;
 * ```
 */
export function getWebhookOutput(
  args: GetWebhookOutputArgs,
  opts?: FunctionOptions,
): pulumi.Output<WebhookSummary> {
  return callOutput(functions.getWebhook, args, opts);
}
