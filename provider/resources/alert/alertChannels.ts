import { enums } from "../../api/enums.golden";
import { equal } from "../../values/compare";
import type { PropertyMap } from "../../values/data";
import { oneOf, openSetOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";

/** Annotations of what only ClickHouse Cloud has: other servers of the observability API drop it. */
export const ofCloud = { dialect: "clickhouse", droppedBy: "observability" } as const;

const members = {
  /** Kind of the notification channel: `webhook`, or `email` (of ClickHouse Cloud). */
  type: openSetOf(enums.alertChannelType),
  /** Id of the webhook that the channel calls: `webhook.id`. Required unless `type` is `email`. */
  webhookId: Type.Optional(Type.String({ minLength: 1, of: "Webhook" })),
  /**
   * Kind of service that the channel's webhook calls, such as `slack_api`. Needs `dialect: clickhouse` through the management
   * API.
   */
  webhookService: Type.Optional(openSetOf(enums.webhookService, ofCloud)),
  /**
   * Slack channel that gets the notifications, if the webhook is one of Slack. Needs `dialect: clickhouse` through the
   * management API.
   */
  slackChannelId: Type.Optional(Type.String({ minLength: 1, ...ofCloud })),
  /** Severity of the incidents, if the webhook is one of PagerDuty. Needs `dialect: clickhouse` through the management API. */
  severity: Type.Optional(oneOf(enums.alertSeverity, ofCloud)),
  /** Mail addresses that get the notifications, in any order. Required if `type` is `email`. */
  emailRecipients: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), { comparison: "set", ...ofCloud }),
  ),
};

export const channel = Type.Object(members, {
  // Newer servers show the first of several `channels` of an alert as `channel`, too. If the program declares `channels`, an
  // update must not send this `channel` back.
  ...{ additionalProperties: false, identity: ["type", "webhookId"], notBeside: ["channels"] },
});

/** The target of an alert's notifications. */
export interface AlertChannel extends Static<typeof channel> {}

/** One of several notification channels of an alert. */
export const channelOfMany = Type.Object(members, { additionalProperties: false });

/** Puts a declared `channel` in the place of the first of an alert's `channels`, unless the list already has it. */
export function channelsBeside(declared: unknown, channels: unknown): PropertyMap {
  if (!Array.isArray(channels)) return {};
  if (declared === undefined) return { channels };
  const different = channels.filter((candidate) => !equal(channel, declared, candidate));
  const further = different.length < channels.length ? different : channels.slice(1);
  return further.length > 0 ? { channels: [declared, ...further] } : {};
}
