import type { Settings } from "../../api/settingsSchema";
import type { State } from "../../lifecycle/state";
import { type PropertyMap, pick } from "../../values/data";
import { isRenamedTile } from "../tiles/renames";
import { translatedTiles } from "../tiles/tileContent";
import { withoutLeftovers } from "../tiles/tileLeftovers";
import {
  declaredPositions,
  identified,
  idsByName,
  idsOfDeclared,
  inDeclaredOrder,
  liveTile,
  ownTiles,
  tileIdsIn,
  tilesIn,
} from "../tiles/tiles";
import { declarableFilters, updatedFilters } from "./dashboardFilters";

/** The body of a request that creates a dashboard, with the members that only some servers require. */
export function createBody({ tiles, ...body }: PropertyMap, settings: Settings): PropertyMap {
  return { ...withDefaults(body), tiles: translatedTiles(tilesIn(tiles), settings) };
}

/**
 * The body of a request that updates a dashboard. It repeats existing tiles and filters that a program cannot declare, since
 * the request replaces all tiles and filters.
 */
export function updateBody(
  desired: PropertyMap,
  settings: Settings,
  current: PropertyMap,
  state: State,
): PropertyMap {
  const body = createBody(desired, settings);
  const declared = tilesIn(body.tiles);
  const live = tilesIn(current.tiles);
  const programTiles = new Set(ownTiles(live, declared, tileIdsIn(state)));
  const foreign = live.filter((tile) => !programTiles.has(tile));
  return {
    ...body,
    tiles: withinContainers({ ...body, tiles: [...declared.map(withoutLeftovers), ...foreign] }),
    ...(body.filters === undefined ? {} : { filters: updatedFilters(body.filters, current) }),
    // When an update clears the dashboard's saved query, the query's language has to be cleared, too.
    ...(body.savedQuery === null ? { savedQueryLanguage: null } : {}),
  };
}

/**
 * The inputs and outputs of a dashboard in an answer, as the program declares them.
 *
 * @param state the last known Pulumi state, or the body of the request that is answered
 */
export function liveDashboard(answer: PropertyMap, declared: PropertyMap, state: PropertyMap): PropertyMap {
  // `pipestack orphans --recover` does not see secret tiles, and imports a placeholder for them into the state.
  const tilesDeclared = Array.isArray(declared.tiles)
    ? (declared.tiles as readonly PropertyMap[])
    : undefined;
  // Instead of a Pulumi state, `state` may be the body of an update request. Its first tiles are those of the program, and the
  // tiles of other people follow.
  const knownTiles = tilesIn(state.tiles).slice(0, tilesDeclared?.length);
  const knownIds = tileIdsIn({ ...state, tiles: knownTiles });
  const programTiles = ownTiles(tilesIn(answer.tiles), tilesDeclared ?? [], knownIds);
  const owned = new Set(programTiles);
  // If an answer omits the tiles, they are taken from `state`, but only if that is a Pulumi state and not the body of a
  // request. Only a Pulumi state has `tileIds`.
  const visible =
    !Array.isArray(answer.tiles) && state.tileIds !== undefined
      ? identified(tilesDeclared, knownTiles, knownIds, isRenamedTile)
      : tilesDeclared
        ? programTiles
        : tilesIn(answer.tiles);
  const ids = tilesDeclared ? idsOfDeclared(tilesDeclared, knownIds, visible) : [];
  const tiles = inDeclaredOrder(visible, ids);
  const positions = declaredPositions(tiles, ids);
  return {
    ...pick(answer, ["name", "tags", "savedQuery", "savedQueryLanguage"]),
    ...listsIn(answer, declared),
    tiles: tiles.map((tile, index) =>
      liveTile(tile, tilesDeclared && (tilesDeclared[positions[index] ?? -1] ?? {})),
    ),
    tileIds: idsByName(tiles.filter((tile) => owned.has(tile))),
    ...(Array.isArray(answer.filters) && { filterIds: idsByName(declarableFilters(answer)) }),
  };
}

/** Adds the members of a dashboard's containers and filters that servers require and programs may leave out. */
function withDefaults({ containers, filters, ...body }: PropertyMap): PropertyMap {
  return {
    ...body,
    ...(containers === undefined
      ? {}
      : { containers: tilesIn(containers).map((container) => ({ collapsed: false, ...container })) }),
    ...(filters === undefined
      ? {}
      : { filters: tilesIn(filters).map((filter) => ({ type: "QUERY_EXPRESSION", ...filter })) }),
  };
}

/**
 * The tiles for an update request. A tile that other people added loses a container or tab that the program no longer declares.
 */
function withinContainers({ tiles, containers }: PropertyMap): readonly PropertyMap[] {
  if (!Array.isArray(containers)) return tilesIn(tiles);
  const byId = new Map(tilesIn(containers).map((container) => [container.id, container]));
  return tilesIn(tiles).map(({ containerId, tabId, ...tile }) => {
    const container = byId.get(containerId);
    if (!container) return tile;
    const hasTab = tilesIn(container.tabs).some(({ id }) => id === tabId);
    return { ...tile, containerId, ...(hasTab ? { tabId } : {}) };
  });
}

/**
 * The lists of a dashboard in an answer, except its tiles. Servers show empty lists that nobody has set, so undeclared ones are
 * left out. If the program declares filters, those that no program can declare are left out, too.
 */
function listsIn(answer: PropertyMap, declared: PropertyMap): PropertyMap {
  const lists = pick(answer, ["filters", "savedFilterValues", "containers"]);
  const visible = Object.entries(lists).filter(
    ([name, list]) => name in declared || !Array.isArray(list) || list.length > 0,
  );
  return Object.fromEntries(
    visible.map(([name, list]) => [
      name,
      name === "filters" && name in declared ? declarableFilters(answer).map(withoutId) : list,
    ]),
  );
}

export function withoutId({ id, ...members }: PropertyMap): PropertyMap {
  return members;
}
