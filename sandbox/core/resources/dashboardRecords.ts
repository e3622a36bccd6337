/** A series of a dashboard tile. Only HyperDX has `sourceId` and the properties listed after it. */
export interface TileSeries {
  type: string;
  dataSource?: string;
  aggFn?: string;
  where?: string;
  groupBy?: string[];
  sourceId?: string;
  field?: string;
  whereLanguage?: "lucene" | "sql";
  /** The quantile that the series of a tile computes, 0 to 1. */
  level?: number;
  alias?: string;
  metricName?: string;
  metricDataType?: string;
  /** Whether a tile's series of type `time` is shown as a line or as stacked bars. */
  displayType?: string;
  numberFormat?: object;
  sortOrder?: string;
  fields?: string[];
  content?: string;
}

export interface Tile {
  id: string;
  name: string;
  x: number;
  y: number;
  w: number;
  h: number;
  asRatio?: boolean;
  series?: TileSeries[];
  /** The content of a dashboard's tile on newer servers, in place of `series` and `asRatio`. */
  config?: Record<string, unknown>;
  /** The container (group of tiles) and the tab that the tile is in; only HyperDX has them. */
  containerId?: string;
  tabId?: string;
}

/** A group of tiles on a dashboard, which only HyperDX has. */
export interface DashboardContainer {
  id: string;
  title: string;
  collapsed: boolean;
  collapsible?: boolean;
  bordered?: boolean;
  tabs?: { id: string; title: string }[];
}

/** A filter of a dashboard, which only HyperDX has. */
export interface DashboardFilter {
  id: string;
  sourceId?: string;
  [member: string]: unknown;
}

/** The record of a dashboard. Responses omit `serviceId`. Only HyperDX has the optional properties. */
export interface Dashboard {
  id: string;
  serviceId: string;
  name: string;
  tiles: Tile[];
  tags: string[];
  filters?: DashboardFilter[];
  savedQuery?: string | null;
  savedQueryLanguage?: string | null;
  savedFilterValues?: { type: string; [member: string]: unknown }[];
  containers?: DashboardContainer[];
}

export type TileBody = Omit<Tile, "id"> & { id?: string };

export interface BodyFailure {
  path: string;
  message: string;
}
