import type { Records } from "../records";
import type { Alert } from "./alertRecords";
import { dashboards } from "./dashboards";
import { savedSearches } from "./savedSearches";

/**
 * Returns the name and tags under which the console lists an alert: the alert's own, or else those of the tile, search or chart
 * that the alert watches.
 */
export function labelsOf(alert: Alert, records: Records): { displayName: string; tags: string[] } {
  const { source, dashboard: dashboardId = "", tileId, savedSearch = "", chartConfig } = alert;
  const dashboard = source === "tile" ? records.of(dashboards).get(dashboardId) : undefined;
  const search = source === "search" ? records.of(savedSearches).get(savedSearch) : undefined;
  const tile = dashboard?.tiles.find(({ id }) => id === tileId);
  const name = dashboard
    ? textIn(dashboard.name) && `${textIn(dashboard.name)} - ${textIn(tile?.name) ?? "Tile"}`
    : textIn(search ? search.name : chartConfig?.name);
  return {
    displayName: alert.displayName ?? name?.slice(0, 512) ?? "Alert",
    tags: alert.tags ?? [...(dashboard?.tags ?? search?.tags ?? [])],
  };
}

function textIn(name: unknown): string | undefined {
  return (typeof name === "string" && name.trim()) || undefined;
}
