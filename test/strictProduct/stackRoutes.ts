import { randomBytes } from "node:crypto";
import { recordRoutes } from "./recordRoutes";
import {
  type Collections,
  createdAt,
  missing,
  type Outcome,
  path,
  type Routes,
  refusedBody,
  removed,
  type Stored,
} from "./routes";
import { failureIn } from "./schemas";
import type { Where } from "./tileSchemas";
import { answeredTile } from "./tiles";

/** The source that is there from the start. */
export const logs: Stored = {
  ...{ id: "77aa00000000000000000002", name: "Logs", kind: "log", connection: "77aa00000000000000000003" },
  from: { databaseName: "otel", tableName: "otel_logs" },
  timestampValueExpression: "Timestamp",
  defaultTableSelectExpression: "Timestamp, Body",
  ...{ disabled: false, querySettings: [], materializedViews: [], section: null },
};

/** Tiles that show these can have alerts. */
const withAlerts = ["line", "stacked_bar", "number"];

/** Dashboards, alerts and what they stand on, below a service of the management API or on the observability API. */
export function stackRoutes(where: Where, collections: Collections): Routes {
  const { dashboards, alerts, sources, webhooks, savedSearches } = collections;
  const at = (rest: string) =>
    where === "api" ? new RegExp(`^/api/v2/${rest}$`) : path(`/clickstack/${rest}`);
  /** Only HyperDX answers in pages. */
  const listed = (items: Stored[]): Outcome => {
    const meta = { total: items.length, limit: 1000, offset: 0 };
    return where === "api" ? { result: items, meta } : { result: items };
  };
  const saveDashboard = (known: Stored | undefined, body: Stored): Outcome => {
    const failure = referenceFailure(body, sources, known);
    if (failure) return refusedBody(failure);
    const ids = new Set((known?.tiles as Stored[] | undefined)?.map(({ id }) => id));
    const tiles = (body.tiles as Stored[]).map((tile) =>
      answeredTile(tile, ids.has(tile.id) ? tile.id : objectId()),
    );
    const filterIds = new Set((known?.filters as Stored[] | undefined)?.map(({ id }) => id));
    const filters = (body.filters as Stored[] | undefined)?.map((filter) => ({
      ...filter,
      id: filterIds.has(filter.id) ? filter.id : objectId(),
    }));
    const id = known?.id ?? objectId();
    const { savedQuery = known?.savedQuery ?? null, containers = known?.containers ?? [] } = body;
    const byDefault = body.savedQuery ? "lucene" : (known?.savedQueryLanguage ?? null);
    const { savedQueryLanguage = body.savedQuery === null ? null : byDefault } = body;
    const values = body.savedFilterValues as object[] | undefined;
    const result: Stored = {
      id,
      name: body.name,
      tiles,
      tags: [...new Set((body.tags ?? known?.tags ?? []) as string[])],
      filters: filters ?? known?.filters ?? [],
      ...{ savedQuery, savedQueryLanguage },
      savedFilterValues:
        values?.map((value) => ({ type: "sql", ...value })) ?? known?.savedFilterValues ?? [],
      ...((containers as object[]).length > 0 && { containers }),
    };
    dashboards.set(id, result);
    // Alerts go with their tiles, and with what the tiles show.
    const canHaveAlerts = new Set(
      tiles.filter(({ config }) => withAlerts.includes(config.displayType)).map((tile) => tile.id),
    );
    for (const alert of alerts.values()) {
      if (alert.dashboardId === id && !canHaveAlerts.has(String(alert.tileId))) alerts.delete(alert.id);
    }
    return { result };
  };
  const saveAlert = (known: Stored | undefined, body: Stored): Outcome => {
    const [first] = (body.channels as Stored[] | undefined) ?? [body.channel as Stored];
    if (first?.type === "webhook" && !webhooks.has(String(first.webhookId)))
      return refusedBody("Webhook not found");
    const tiles = dashboards.get(String(body.dashboardId))?.tiles as Stored[] | undefined;
    const isTile = body.source === "tile";
    if (isTile && !tiles?.some(({ id }) => id === body.tileId)) return refusedBody("Tile not found");
    if (!isTile && !savedSearches.has(String(body.savedSearchId)))
      return refusedBody("Saved search not found");
    const { name = null, message = null, note = null, numConsecutiveWindows = null, ...sent } = body;
    const { thresholdMax, scheduleStartAt, scheduleOffsetMinutes } = { ...known, ...sent };
    const schedule =
      typeof sent.scheduleStartAt === "string"
        ? { scheduleStartAt: new Date(sent.scheduleStartAt).toISOString(), scheduleOffsetMinutes: 0 }
        : {
            scheduleStartAt,
            scheduleOffsetMinutes:
              sent.scheduleStartAt === null ? (sent.scheduleOffsetMinutes ?? 0) : scheduleOffsetMinutes,
          };
    const { source, threshold, thresholdType, interval } = sent;
    const channels = body.channels ?? [first];
    const result: Stored = {
      id: known?.id ?? objectId(),
      ...{ name, message, note, numConsecutiveWindows, source, threshold, thresholdType, interval },
      ...(isTile
        ? { dashboardId: sent.dashboardId, tileId: sent.tileId }
        : { savedSearchId: sent.savedSearchId, groupBy: sent.groupBy ?? undefined }),
      thresholdMax,
      ...schedule,
      ...{ channel: first, ...(where === "api" && { channels }) },
      ...{ teamId: "team", state: "OK", createdAt, updatedAt: createdAt },
      // The document of the management API has these in every answer.
      ...(where === "clickstack" && { silenced: null, executionErrors: [] }),
    };
    alerts.set(result.id, result);
    return { result };
  };
  const validate = (_id: string, body: Stored): Outcome => {
    const failure = failureIn(`${where}Dashboard`, body) ?? referenceFailure(body, sources);
    const result = failure
      ? { valid: false, errors: [{ path: "", message: failure }], normalized: null }
      : { valid: true, errors: [], normalized: body };
    return where === "api" ? { result, isBare: true } : { result };
  };
  return [
    ...recordRoutes(where, { at, listed, newId: objectId }, collections),
    ["GET", at("dashboards"), () => ({ result: [...dashboards.values()] })],
    ["POST", at("dashboards/validate"), validate, "any"],
    ["POST", at("dashboards"), (_id, body) => saveDashboard(undefined, body), `${where}Dashboard`],
    [
      "PUT",
      at("dashboards/([^/]+)"),
      (id, body) => (dashboards.has(id) ? saveDashboard(dashboards.get(id), body) : missing("Dashboard")),
      `${where}DashboardUpdate`,
    ],
    [
      "DELETE",
      at("dashboards/([^/]+)"),
      (id) => {
        for (const alert of alerts.values()) if (alert.dashboardId === id) alerts.delete(alert.id);
        dashboards.delete(id);
        return {};
      },
    ],
    ["GET", at("alerts"), () => listed([...alerts.values()])],
    ["POST", at("alerts"), (_id, body) => saveAlert(undefined, body), `${where}Alert`],
    [
      "PUT",
      at("alerts/([^/]+)"),
      (id, body) => (alerts.has(id) ? saveAlert(alerts.get(id), body) : missing("Alert")),
      `${where}Alert`,
    ],
    ["DELETE", at("alerts/([^/]+)"), (id) => removed(alerts, id)],
  ];
}

/** The source, container or tab that a dashboard names and that is not there. */
function referenceFailure(body: Stored, sources: Map<string, Stored>, known?: Stored): string | undefined {
  const containers = (body.containers ?? known?.containers ?? []) as {
    id: string;
    tabs?: { id: string }[];
  }[];
  const filters = (body.filters ?? []) as { sourceId?: unknown }[];
  for (const tile of body.tiles as Stored[]) {
    const container = containers.find(({ id }) => id === tile.containerId);
    if (tile.containerId !== undefined && !container) return `no container ${tile.containerId}`;
    if (tile.tabId !== undefined && !container?.tabs?.some(({ id }) => id === tile.tabId))
      return `no tab ${tile.tabId}`;
  }
  const shown = (body.tiles as Stored[]).flatMap(({ series, config }) => [
    ...((series ?? []) as { sourceId?: unknown }[]),
    ...(config ? [config as { sourceId?: unknown }] : []),
  ]);
  const absent = [...shown, ...filters].find(
    ({ sourceId }) => sourceId !== undefined && !sources.has(String(sourceId)),
  );
  return absent && `no source ${absent.sourceId}`;
}

function objectId(): string {
  return randomBytes(12).toString("hex");
}
