import { type Static, Type } from "../../values/schemaBuilders";

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
    /** Whether the container is collapsed at first. Default: false. */
    collapsed: Type.Optional(Type.Boolean()),
    /** Whether people can collapse the container. Default: true. */
    collapsible: Type.Optional(Type.Boolean()),
    /** Whether the container has a border. Default: true. */
    bordered: Type.Optional(Type.Boolean()),
    /** Tabs of the container, up to 20. A bar of tabs is shown if there are at least two. */
    tabs: Type.Optional(Type.Array(tab, { most: 20 })),
  },
  { additionalProperties: false },
);

/** A group of tiles, with a title and perhaps with tabs. */
export interface DashboardContainer extends Static<typeof container> {}

/**
 * The interface names the schema's type, since TypeScript would otherwise lose the documentation of the members in
 * other files.
 */
export const dashboardContainer = Type.Unsafe<DashboardContainer>(container);
