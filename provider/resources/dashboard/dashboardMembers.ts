import { type Data, pick } from "../../values/data";
import { oneOf } from "../../values/schema";
import { type Static, Type } from "../../values/schemaBuilders";
import { identified, tilesIn } from "./tiles";

const name = { minLength: 1, longest: 256 };
const onlyObservability = { via: "observability" } as const;

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

const filter = Type.Object(
  {
    /** Kind of filter. Default: `QUERY_EXPRESSION`, the only one. */
    type: Type.Optional(oneOf(["QUERY_EXPRESSION"])),
    /** Name of the filter. */
    name: Type.String({ minLength: 1 }),
    /** Expression whose values people choose from. */
    expression: Type.String({ minLength: 1 }),
    /** Id of the source of these values; `getSources` lists them. */
    sourceId: Type.String({ minLength: 1 }),
    /** Kind of metric, where the source is one of metrics. */
    sourceMetricType: Type.Optional(oneOf(["sum", "gauge", "histogram", "summary", "exponential histogram"])),
    /** Condition on the records whose values people choose from. Default: all records. */
    where: Type.Optional(Type.String()),
    /** Language of `where`: `sql` or `lucene`. */
    whereLanguage: Type.Optional(oneOf(["sql", "lucene"])),
    /** Ids of the sources whose tiles it filters, in any order. Default: those of all tiles. */
    appliesToSourceIds: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { comparison: "set" })),
    /** Whether it filters tiles. Default: true. Observability API only. */
    isBroadcastEnabled: Type.Optional(Type.Boolean(onlyObservability)),
    /** Whether queries of tiles can name its value. Default: false. Observability API only. */
    isVariableEnabled: Type.Optional(Type.Boolean(onlyObservability)),
    /**
     * The name of its value in queries, as `$variableName`: a letter, then letters, digits and underscores, up to 64
     * characters. Only with `isVariableEnabled`. Default: from `name`. Observability API only.
     */
    variableName: Type.Optional(
      Type.String({
        pattern: "^[a-zA-Z][a-zA-Z0-9_]*$",
        maxLength: 64,
        rule: "a letter, then letters, digits and underscores, at most 64 characters",
        ...onlyObservability,
      }),
    ),
  },
  { additionalProperties: false },
);

/** A filter that people set above the dashboard. */
export interface DashboardFilter extends Static<typeof filter> {}

export const dashboardFilter = Type.Unsafe<DashboardFilter>(filter);

const savedValue = Type.Object(
  {
    /** Kind of condition. Default: `sql`, the only one. */
    type: Type.Optional(oneOf(["sql"])),
    /** Condition, such as `ServiceName IN ('api')`; up to 10,000 characters. */
    condition: Type.String({ longest: 10_000 }),
  },
  { additionalProperties: false },
);

/** A condition that holds when the dashboard is opened. */
export interface SavedFilterValue extends Static<typeof savedValue> {}

export const savedFilterValue = Type.Unsafe<SavedFilterValue>(savedValue);

/** Members that servers require and programs may leave out. */
export function withDefaults({ containers, filters, ...body }: Data): Data {
  return {
    ...body,
    ...(containers === undefined
      ? {}
      : { containers: tilesIn(containers).map((each) => ({ collapsed: false, ...each })) }),
    ...(filters === undefined
      ? {}
      : { filters: tilesIn(filters).map((each) => ({ type: "QUERY_EXPRESSION", ...each })) }),
  };
}

/** An update needs the id of each filter, and replaces an id that the service does not know. */
export function identifiedFilters(filters: unknown, current: Data): readonly Data[] {
  const known = identified(filters, tilesIn(current.filters), filterIdsIn(current));
  return known.map((filter, index) => ({ id: `new${index}`, ...filter }));
}

/** The tiles of a body. One that was carried over into a container or a tab that is no longer there leaves it. */
export function withinContainers({ tiles, containers }: Data): readonly Data[] {
  if (!Array.isArray(containers)) return tilesIn(tiles);
  return tilesIn(tiles).map(({ containerId, tabId, ...tile }) => {
    const container = tilesIn(containers).find(({ id }) => id === containerId);
    if (!container) return tile;
    const hasTab = tilesIn(container.tabs).some(({ id }) => id === tabId);
    return { ...tile, containerId, ...(hasTab ? { tabId } : {}) };
  });
}

/** The lists of a dashboard beside its tiles. Servers answer empty ones for those that nobody set. */
export function listsIn(found: Data, declared: Data): Data {
  const lists = pick(found, ["filters", "savedFilterValues", "containers"]);
  const shown = Object.entries(lists).filter(
    ([name, list]) => name in declared || !Array.isArray(list) || list.length > 0,
  );
  return Object.fromEntries(
    shown.map(([name, list]) => [
      name,
      name === "filters" && name in declared ? tilesIn(list).map(withoutId) : list,
    ]),
  );
}

/** A tile or a filter without the id that the service gave it. */
export function withoutId({ id, ...rest }: Data): Data {
  return rest;
}

/** The ids of the filters of a state by their keys. */
export function filterIdsIn({ filterIds }: Data): { readonly [name: string]: string } {
  return (filterIds as { [name: string]: string } | undefined) ?? {};
}
