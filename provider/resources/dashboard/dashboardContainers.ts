import { type Static, Type } from "../../values/schemaBuilders";

const name = { minLength: 1, longest: 256 };

/** A tab of a container, which is a group of tiles on a dashboard. */
const tab = Type.Object(
  {
    /** Id of the tab, chosen by the program; tiles name it as `tabId`. */
    id: Type.String(name),
    /** Title of the tab in a container of a dashboard. */
    title: Type.String(name),
  },
  { additionalProperties: false },
);

const container = Type.Object(
  {
    /** Id of the container, chosen by the program; tiles name it as `containerId`. */
    id: Type.String(name),
    /** Title of the container, which is a group of tiles. */
    title: Type.String(name),
    /** Whether the group of tiles is collapsed when somebody opens the dashboard. Default: false. */
    collapsed: Type.Optional(Type.Boolean()),
    /** Whether people can collapse the group of tiles on the dashboard's page. Default: true. */
    collapsible: Type.Optional(Type.Boolean()),
    /** Whether the group of tiles has a border. Default: true. */
    bordered: Type.Optional(Type.Boolean()),
    /** Tabs of the group of tiles, up to 20. A bar of tabs is shown if there are at least two. */
    tabs: Type.Optional(Type.Array(tab, { most: 20 })),
  },
  { additionalProperties: false },
);

/** A group of tiles on a dashboard, with a title and perhaps with tabs. */
export interface DashboardContainer extends Static<typeof container> {}

/**
 * The interface `DashboardContainer` refers to the schema's type, since TypeScript would otherwise lose the docstrings of its
 * members in other files.
 */
export const dashboardContainer = Type.Unsafe<DashboardContainer>(container);
