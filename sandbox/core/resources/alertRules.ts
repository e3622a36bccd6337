import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { badRequest } from "../apiError";
import { isObjectId } from "../identifiers";
import type { Records } from "../records";
import type { Alert } from "./alertRecords";
import type { Dashboard } from "./dashboardRecords";
import { dashboards } from "./dashboards";
import { closed, words } from "./jsonSchema";
import { webhooks } from "./webhooks";

/** The rules by which a server of one dialect validates and shows alerts. */
export interface AlertRules {
  /**
   * The schemas of the request bodies that create and update alerts. Absent if the API documents of ClickHouse Cloud and
   * HyperDX have these schemas.
   */
  readonly bodies?: { readonly create: TSchema; readonly update: TSchema };
  /** Returns the changes of an alert that a valid request body makes. A property with the value undefined is removed. */
  changeOf(body: unknown, now: number): Partial<Alert>;
  check(records: Records, alert: Alert): void;
  show(alert: Alert, records: Records): object;
}

const text = Type.Unsafe<string | null>({ type: ["string", "null"] });

const required = {
  threshold: Type.Number(),
  interval: Type.String({ pattern: "^[1-9]\\d*[smhd]$" }),
  thresholdType: words("above", "below"),
  source: words("tile", "search"),
  channel: closed({ type: Type.Literal("webhook"), webhookId: Type.String() }),
};
const optional = { dashboardId: Type.String(), tileId: Type.String(), name: text, message: text };
const UpdateBody = closed({}, { ...required, ...optional });

/**
 * The rules for alerts in the dialect `neutral`, as in the API document. An update clears an omitted name or message, and keeps
 * other omitted properties.
 */
export const neutralAlerts: AlertRules = {
  bodies: { create: closed(required, optional), update: UpdateBody },
  changeOf(body) {
    const { dashboardId, name = null, message = null, ...members } = body as Static<typeof UpdateBody>;
    return { ...members, ...(dashboardId !== undefined && { dashboard: dashboardId }), name, message };
  },
  check(records, alert) {
    checkWebhooks(records, alert);
    if (alert.source === "tile") tileOf(records, alert);
  },
  show: ({ serviceId, ...alert }) => alert,
};

export function checkWebhooks(records: Records, { serviceId, channel, channels = [channel] }: Alert): void {
  for (const { type, webhookId = "" } of channels) {
    if (type === "webhook" && records.of(webhooks).get(webhookId)?.serviceId !== serviceId)
      throw badRequest("Webhook not found");
  }
}

export function tileOf(records: Records, alert: Alert): Dashboard["tiles"][number] {
  if (!isObjectId(alert.dashboard ?? "")) throw badRequest("Invalid dashboard ID");
  const dashboard = records.of(dashboards).get(alert.dashboard ?? "");
  if (dashboard?.serviceId !== alert.serviceId) throw badRequest("Dashboard not found");
  const tile = dashboard.tiles.find(({ id }) => id === alert.tileId);
  if (!tile) throw badRequest("Tile not found");
  return tile;
}
