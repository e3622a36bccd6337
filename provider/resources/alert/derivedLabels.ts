import { isDeepStrictEqual } from "node:util";
import { scopeOf } from "../../lifecycle/scope";
import type { Session } from "../../lifecycle/session";
import type { PropertyMap } from "../../values/data";
import { tilesIn } from "../tiles/tiles";

/** Maximum number of characters of an alert's name. */
const longest = 512;

/**
 * The inputs that `pulumi import` declares for an alert. The name and tags that the service derives from a dashboard or saved
 * search are left out, so that the alert still follows when somebody renames the dashboard.
 */
export async function withoutDerivedLabels(inputs: PropertyMap, session: Session): Promise<PropertyMap> {
  const { displayName, tags, ...others } = inputs;
  if (displayName === undefined && tags === undefined) return inputs;
  const watched = await watchedBy(inputs, session);
  if (!watched) return inputs;
  const { names } = watched;
  const [shown, first = "", last = ""] = [String(displayName), names[0], names.at(-1)];
  const isDerivedName = shown.startsWith(first) && (shown.endsWith(last) || shown.length === longest);
  const areDerivedTags = haveSame(tags, watched.tags);
  return {
    ...others,
    ...(displayName === undefined || isDerivedName ? {} : { displayName }),
    ...(tags === undefined || areDerivedTags ? {} : { tags }),
  };
}

function haveSame(some: unknown, others: unknown): boolean {
  return Array.isArray(some) && Array.isArray(others) && isDeepStrictEqual(new Set(some), new Set(others));
}

/** The names of which the service composes an alert's name, in their order, and the tags that the alert inherits. */
interface Watched {
  readonly names: readonly string[];
  readonly tags: unknown;
}

/**
 * The dashboard or saved search that an alert watches; undefined if the service shows none, or if the alert has its own chart.
 */
async function watchedBy(inputs: PropertyMap, session: Session): Promise<Watched | undefined> {
  const { dashboardId, tileId, savedSearch } = inputs;
  const place = scopeOf("observability", inputs, session);
  const found = <Name extends "listDashboards" | "listSavedSearches">(list: Name, id: unknown) =>
    typeof id === "string" ? session.lists.find(list, place, id).catch(() => undefined) : undefined;
  const search = await found("listSavedSearches", savedSearch);
  if (search) return { names: [String(search.name).trim()], tags: search.tags ?? [] };
  const dashboard = await found("listDashboards", dashboardId);
  if (!dashboard) return undefined;
  const tile = tilesIn(dashboard.tiles).find(({ id }) => id === tileId);
  // The service calls a tile without a name "Tile" when it derives an alert's name.
  const names = [dashboard.name, tile?.name || "Tile"].map((name) => String(name).trim());
  return { names, tags: dashboard.tags ?? [] };
}
