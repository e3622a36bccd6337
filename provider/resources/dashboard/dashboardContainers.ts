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
