import { operations } from "../api/operations";
import type { Reading } from "../lifecycle/lists";
import { inService } from "../lifecycle/scope";
import { webhookInputs, webhookOutputs } from "../resources/webhook/webhook";
import type { PropertyMap } from "../values/data";
import { opened } from "../values/schema";
import { type Static, type TArray, Type } from "../values/schemaBuilders";
import { type Answered, answeredObject } from "./answered";
import type { FunctionDefinition, ResultOf } from "./definition";
import { listOf, onlyOne, withoutSecrets } from "./listing";

const service = opened(webhookInputs.properties.service);

const ownMembers = Type.Object({
  /** Id of the webhook, for `webhookId` of an alert's channel. */
  id: Type.String(),
  /** The receiver of the webhook's alerts, if the service tells it. */
  service: Type.Optional(service),
  /** Address of the webhook. Secret; present only with `includeSecrets: true`. */
  url: Type.Optional(Type.String()),
});

/** A webhook that alerts can be sent to. */
export interface WebhookSummary
  extends ResultOf<typeof ownMembers>,
    Answered<typeof webhookInputs, "service" | "url">,
    Answered<typeof webhookOutputs> {}

const webhookSummarySchema = answeredObject<WebhookSummary>(ownMembers, webhookInputs, webhookOutputs);

const secrets = {
  /**
   * Whether to include the webhook's `url`: whoever knows it may send messages there. Default: false. If true, the `…Output`
   * form returns a secret.
   */
  includeSecrets: Type.Optional(Type.Boolean()),
};

const webhooksArguments = inService(secrets);

const webhookArguments = inService({
  /** Exact name of the webhook. */
  name: Type.String({ minLength: 1 }),
  /** The receiver of the webhook's alerts: webhooks of different receivers may share a name. Default: any. */
  service: Type.Optional(service),
  ...secrets,
});

/**
 * The webhooks of a service. The channel of an alert names one by its id. Without `includeSecrets`, their `url` is left out.
 * @throws Error if an argument is invalid, a setting is missing, or the service refuses the request or does not answer
 * @example
 * ```typescript
 * export const names = pipestack.getWebhooks().then((webhooks) => webhooks.map(({ name }) => name));
 * ```
 */
export const getWebhooks: FunctionDefinition<
  typeof webhooksArguments,
  TArray<typeof webhookSummarySchema>
> = {
  name: "getWebhooks",
  arguments: webhooksArguments,
  result: Type.Array(webhookSummarySchema),
  run: async (args, session) =>
    (await listOf("listWebhooks", args, session)).map((webhook) => summaryOf(webhook, args.includeSecrets)),
};

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
 * @example
 * ```typescript
 * export const webhookId = pipestack.getWebhookOutput({ name: "on-call" }).id;
 * ```
 */
export const getWebhook: FunctionDefinition<typeof webhookArguments, typeof webhookSummarySchema> = {
  name: "getWebhook",
  arguments: webhookArguments,
  result: webhookSummarySchema,
  run: async (args, session) => {
    const { name, service, includeSecrets } = args;
    const webhooks = (reading: Reading) => listOf("listWebhooks", args, session, reading);
    return summaryOf(await onlyOne(webhooks, "webhook", { name, service }), includeSecrets);
  },
};

function summaryOf(webhook: PropertyMap, includeSecrets: boolean | undefined): WebhookSummary {
  const shown = includeSecrets ? webhook : withoutSecrets(webhook, operations.createWebhook.secrets);
  return shown as unknown as WebhookSummary;
}

/** Arguments of {@link getWebhooks}. */
export interface GetWebhooksArgs extends Static<typeof webhooksArguments> {}
/** Arguments of {@link getWebhook}. */
export interface GetWebhookArgs extends Static<typeof webhookArguments> {}
