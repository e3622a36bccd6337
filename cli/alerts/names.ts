import { nameIn } from "../../provider/engine/names";
import { isObject, type PropertyMap } from "../../provider/values/data";
import { dashboardsOf, type Surroundings } from "./watched";

/** The title of an alert in a report: its name, or its key in an `AlertSet`, or what it watches, or else its id. */
export function nameOf(
  alert: PropertyMap,
  { dashboards, searches }: Pick<Surroundings, "dashboards" | "searches">,
): string {
  const resource = typeof alert.urn === "string" ? nameIn(alert.urn) : undefined;
  const candidates = [
    alert.name,
    resource?.endsWith("]") ? resource : undefined,
    tileNameOf(alert, dashboards),
    isObject(alert.chartConfig) ? alert.chartConfig.name : undefined,
    nameWith(searches, alert.savedSearch ?? alert.savedSearchId),
    resource,
    alert.id,
  ];
  return candidates.find((name): name is string => typeof name === "string" && name !== "") ?? "(no name)";
}

/** The dashboard and the tile that an alert watches, as in `Ingestion, "Errors"`. */
function tileNameOf(alert: PropertyMap, dashboards: readonly unknown[]): string | undefined {
  const { tileId } = alert;
  for (const { name, tiles } of dashboardsOf(alert, dashboards)) {
    const tile = tileId !== undefined && Array.isArray(tiles) && nameWith(tiles, tileId);
    if (tile) return typeof name === "string" ? `${name}, ${JSON.stringify(tile)}` : JSON.stringify(tile);
  }
  return undefined;
}

function nameWith(objects: readonly unknown[], id: unknown): string | undefined {
  const found = id === undefined ? undefined : objects.filter(isObject).find((object) => object.id === id);
  return typeof found?.name === "string" ? found.name : undefined;
}
