import { type Data, pick } from "../../values/data";
import { type Static, Type } from "../../values/schemaBuilders";
import { declarableFilters } from "./dashboardFilters";
import { tilesIn } from "./tiles";

const name = { minLength: 1, longest: 256 };

/** A tab of a container. */
const tab = Type.Object(
  {
    /** Id of the tab, chosen by the program; tiles name it as `tabId`. */
    id: Type.String(name),
    /** Title of the tab. */
    title: Type.String(name),
  },
  { additionalProperties: false },
);

const container = Type.Object(
  {
    /** Id of the container, chosen by the program; tiles name it as `containerId`. */
    id: Type.String(name),
    /** Title of the container. */
    title: Type.String(name),
    /** Whether it is collapsed at first. Default: false. */
    collapsed: Type.Optional(Type.Boolean()),
    /** Whether it can be collapsed. Default: true. */
    collapsible: Type.Optional(Type.Boolean()),
    /** Whether it has a border. Default: true. */
    bordered: Type.Optional(Type.Boolean()),
    /** Up to 20 tabs; a bar of tabs shows from two on. */
    tabs: Type.Optional(Type.Array(tab, { most: 20 })),
  },
  { additionalProperties: false },
);

/** A group of tiles, with a title and perhaps with tabs. */
export interface DashboardContainer extends Static<typeof container> {}

/** The schema's own type would lose the documentation of its members where another file uses it. */
export const dashboardContainer = Type.Unsafe<DashboardContainer>(container);

/** Members that servers require and programs may leave out. */
export function withDefaults({ containers, filters, ...body }: Data): Data {
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

/** The tiles of a body. One that was carried over into a container or a tab that is no longer there leaves it. */
export function withinContainers({ tiles, containers }: Data): readonly Data[] {
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
 * The lists of a dashboard beside its tiles. Servers answer empty ones for those that nobody set. Where a program declares
 * filters, those that no program can declare are not among them.
 */
export function listsIn(answer: Data, declared: Data): Data {
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

/** A tile or a filter without the id that the service gave it. */
export function withoutId({ id, ...members }: Data): Data {
  return members;
}
