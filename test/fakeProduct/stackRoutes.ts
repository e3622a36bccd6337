import { randomBytes } from "node:crypto";
import { missing, type Outcome, path, type Routes, refusedBody, removed, type Stored } from "./routes";

const webhooks = [
  { id: "77aa00000000000000000001", name: "on-call", service: "generic", url: "https://a.example" },
];
const sources = [{ id: "77aa00000000000000000002", name: "Logs", kind: "log" }];

interface Collections {
  dashboards: Map<string, Stored>;
  alerts: Map<string, Stored>;
}

/** Dashboards and alerts, below a service of the management API or on the observability API. */
export function stackRoutes(where: "clickstack" | "api", { dashboards, alerts }: Collections): Routes {
  const at = (rest: string) =>
    where === "api" ? new RegExp(`^/api/v2/${rest}$`) : path(`/clickstack/${rest}`);
  const saveDashboard = (
    known: Stored | undefined,
    { tags = known?.tags ?? [], ...body }: Stored,
  ): Outcome => {
    const ids = new Set((known?.tiles as Stored[] | undefined)?.map(({ id }) => id));
    const tiles = (body.tiles as Stored[]).map((tile) => answeredTile(tile, ids));
    const id = known?.id ?? objectId();
    const result = { ...body, id, tags, tiles };
    dashboards.set(id, result);
    // Alerts go with their tiles.
    for (const alert of alerts.values()) {
      if (alert.dashboardId === id && !tiles.some((tile) => tile.id === alert.tileId))
        alerts.delete(alert.id);
    }
    return { result };
  };
  const saveAlert = (known: Stored | undefined, body: Stored): Outcome => {
    const [channel] = (body.channels as Stored[] | undefined) ?? [body.channel as Stored];
    if (!webhooks.some(({ id }) => id === channel?.webhookId)) return refusedBody("Webhook not found");
    const tiles = dashboards.get(String(body.dashboardId))?.tiles as Stored[] | undefined;
    if (body.source === "tile" && !tiles?.some(({ id }) => id === body.tileId))
      return refusedBody("Tile not found");
    const id = known?.id ?? objectId();
    const { name = null, message = null } = body;
    const channels = body.channels ?? [channel];
    const result = { ...known, ...body, id, name, message, channel, channels, teamId: "team", state: "OK" };
    alerts.set(id, result);
    return { result };
  };
  return [
    ["GET", at("sources"), () => ({ result: sources })],
    ["GET", at("webhooks"), () => ({ result: webhooks })],
    ["GET", at("dashboards"), () => ({ result: [...dashboards.values()] })],
    ["POST", at("dashboards"), (_id, body) => saveDashboard(undefined, body), "dashboard"],
    [
      "PUT",
      at("dashboards/([^/]+)"),
      (id, body) => (dashboards.has(id) ? saveDashboard(dashboards.get(id), body) : missing("Dashboard")),
      "dashboard",
    ],
    [
      "DELETE",
      at("dashboards/([^/]+)"),
      (id) => {
        for (const alert of alerts.values()) if (alert.dashboardId === id) alerts.delete(alert.id);
        return removed(dashboards, id);
      },
    ],
    ["GET", at("alerts"), () => ({ result: [...alerts.values()] })],
    ["POST", at("alerts"), (_id, body) => saveAlert(undefined, body), "alert"],
    [
      "PUT",
      at("alerts/([^/]+)"),
      (id, body) => (alerts.has(id) ? saveAlert(alerts.get(id), body) : missing("Alert")),
      "alert",
    ],
    ["DELETE", at("alerts/([^/]+)"), (id) => removed(alerts, id)],
  ];
}

/** Newer servers return every tile with `config`, and have no `dataSource`. */
function answeredTile({ series, asRatio = false, ...tile }: Stored, known: ReadonlySet<string>): Stored {
  const id = known.has(tile.id) ? tile.id : objectId();
  if (series === undefined) return { ...tile, id };
  const all = series as { type: string; sourceId?: string; groupBy?: string[]; [member: string]: unknown }[];
  const displayType = all[0]?.type === "time" ? "line" : all[0]?.type;
  const groupBy = all[0]?.groupBy?.join(",");
  const select = all.map(({ aggFn = "count", field = "", where = "", whereLanguage = "lucene", ...one }) => ({
    aggFn,
    valueExpression: field,
    where,
    whereLanguage,
    ...(one.level === undefined ? {} : { level: one.level }),
    ...(one.alias === undefined ? {} : { alias: one.alias }),
  }));
  const sourceId = all[0]?.sourceId ?? sources[0]?.id;
  const config = { displayType, sourceId, asRatio, ...(groupBy ? { groupBy } : {}), select };
  return { ...tile, id, config };
}

function objectId(): string {
  return randomBytes(12).toString("hex");
}
