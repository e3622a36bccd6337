import { dashboardContainer } from "../../provider/resources/dashboard/dashboardContainers";
import { dashboardFilter, savedFilterValue } from "../../provider/resources/dashboard/dashboardFilters";
import { kindOfTile } from "../../provider/resources/tiles/tileConfig";
import { isInPromql, tilesIn } from "../../provider/resources/tiles/tiles";
import { withApiFieldNames } from "../../provider/resources/tiles/uiFieldNames";
import { isObject, type PropertyMap, pick } from "../../provider/values/data";
import { kindOf, schemaAt } from "../../provider/values/schema";
import type { TSchema } from "../../provider/values/schemaBuilders";
import { quoted } from "../../provider/values/wording";
import { chartOfApi } from "./pageChart";
import { effective } from "./pageMembers";

/** A dashboard in the form of the API, and the properties that the API does not have, as ends of sentences. */
export interface TranslatedDashboard {
  readonly dashboard: PropertyMap;
  readonly lost: readonly string[];
}

/** Translates an export of HyperDX's dashboard page to the form of the API; tiles and filters of API responses stay. */
export function dashboardOfApi(page: PropertyMap): TranslatedDashboard {
  const containers = tilesIn(page.containers).map(containerOfApi);
  const tiles = tilesIn(page.tiles).map((tile) => tileOfApi(tile, heldIn(containers)));
  const filters = tilesIn(page.filters).map(filterOfApi);
  const values = tilesIn(page.savedFilterValues).map(valueOfApi);
  const lists = {
    containers: heldIn(containers),
    filters: heldIn(filters),
    savedFilterValues: heldIn(values),
  };
  return {
    dashboard: {
      name: "",
      ...effective(pick(page, ["name", "tags", "savedQuery", "savedQueryLanguage"])),
      ...effective(lists),
      tiles: heldIn(tiles),
    },
    lost: [
      ...Object.keys(effective(pick(page, ["description"]))).map((name) => `the ${name}`),
      ...[...tiles, ...containers, ...filters, ...values].flatMap(({ lost }) => lost),
    ],
  };
}

/**
 * A tile, a filter or a saved filter value, translated to the form of the API. The translation is in `held`, which is missing
 * if the API has no such object.
 */
interface Translated {
  readonly held?: PropertyMap;
  readonly lost: readonly string[];
}

/**
 * The tiles, filters or values of a dashboard of HyperDX's page in the form of the API, without those that the API does not
 * have.
 */
function heldIn(list: readonly Translated[]): readonly PropertyMap[] {
  return list.flatMap((entry) => (entry.held ? [entry.held] : []));
}

/**
 * Adds the name of a part of the dashboard, such as a tile, to the paths of its properties that the translation to the API's form
 * loses.
 */
function namedLosses(
  { held, lost }: { held: PropertyMap; lost: readonly string[] },
  subject: string,
): Translated {
  return { held, lost: lost.length > 0 ? [`${lost.join(", ")} of ${subject}`] : [] };
}

function containerOfApi(container: PropertyMap): Translated {
  const names = Object.keys(dashboardContainer.properties);
  return namedLosses(
    withApiFieldNames(effective(container), names),
    `the container ${quoted(container.title)}`,
  );
}

function tileOfApi(tile: PropertyMap, containers: readonly PropertyMap[]): Translated {
  const { config, containerId, tabId, ...shell } = tile;
  const subject = `the tile ${quoted(tile.name ?? (isObject(config) ? config.name : undefined) ?? "")}`;
  // The API's documentation does not describe the properties of tiles in PromQL, so such tiles are left out.
  if (isInPromql(tile)) return { lost: [`${subject} in PromQL`] };
  if (!isObject(config)) return { held: tile, lost: [] };
  if ("name" in tile) return { held: { ...tile, config: withoutIdle(config) }, lost: [] };

  const { name = "", description, ...chart } = config;
  const translated = chartOfApi(chart);
  const place = placeIn(containers, containerId, tabId);
  const members = { ...shell, name, ...effective({ description }), ...place.held, config: translated.config };
  return namedLosses({ held: members, lost: [...translated.lost, ...place.lost] }, subject);
}

/** A chart for the API, without empty and default properties that its type does not have: some servers refuse them. */
function withoutIdle(config: PropertyMap): PropertyMap {
  const kind = kindOfTile(config);
  if (!kind) return config;
  const withoutIdleIn = (members: PropertyMap, { properties = {} }: TSchema): PropertyMap => {
    const said = { ...effective(members), ...pick(members, Object.keys(properties)) };
    return pick(members, Object.keys(said));
  };
  const { select } = config;
  const entry = schemaAt(schemaAt(kind, "select"), 0);
  const series = Array.isArray(select) && {
    select: select.map((item) => (isObject(item) ? withoutIdleIn(item, entry) : item)),
  };
  return { ...withoutIdleIn(config, kind), ...series };
}

/**
 * The container and the tab that a tile is in. HyperDX's dashboard page also exports the ids of deleted ones, which the API
 * refuses, so these are left out.
 */
function placeIn(containers: readonly PropertyMap[], containerId: unknown, tabId: unknown) {
  const ids = effective({ containerId, tabId });
  const container = containers.find(({ id }) => id === ids.containerId);
  const hasTab = tilesIn(container?.tabs).some(({ id }) => id === ids.tabId);
  const known = [...(container ? ["containerId"] : []), ...(hasTab ? ["tabId"] : [])];
  return { held: pick(ids, known), lost: Object.keys(ids).filter((name) => !known.includes(name)) };
}

/**
 * Translates a filter of HyperDX's dashboard page to the form of the API. The filter's id is left out, and so are properties of
 * switched-off options, such as the name of a variable that the filter does not set.
 */
function filterOfApi({ id, variableName, appliesToSourceIds, ...filter }: PropertyMap): Translated {
  const { type = "QUERY_EXPRESSION", isVariableEnabled, isBroadcastEnabled } = filter;
  const subject = `the filter ${quoted(filter.name)}`;
  const kind = kindOf(dashboardFilter, filter);
  if (!kind) return { lost: [`${subject} of the type ${quoted(type)}`] };
  const members = {
    ...filter,
    ...(isVariableEnabled === true || type !== "QUERY_EXPRESSION" ? { variableName } : {}),
    ...(isBroadcastEnabled === false ? {} : { appliesToSourceIds }),
  };
  return namedLosses(withApiFieldNames(effective(members), Object.keys(kind.properties)), subject);
}

function valueOfApi(value: PropertyMap): Translated {
  if (kindOf(savedFilterValue, value)) return { held: value, lost: [] };
  return {
    lost: [
      `the saved filter value ${quoted(value.condition ?? value.left)} of the type ${quoted(value.type)}`,
    ],
  };
}
