/** A series of a tile. The members from `sourceId` on are the product's own. */
export interface TileSeries {
  type: string;
  dataSource?: string;
  aggFn?: string;
  where?: string;
  groupBy?: string[];
  sourceId?: string;
  field?: string;
  whereLanguage?: "lucene" | "sql";
  /** The quantile, 0 to 1. */
  level?: number;
  alias?: string;
  metricName?: string;
  metricDataType?: string;
  /** A line or stacked bars, for type `time`. */
  displayType?: string;
  numberFormat?: object;
  sortOrder?: string;
  /** The columns, for type `search`. */
  fields?: string[];
  /** The text, for type `markdown`. */
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
  /** A tile has either series or `config`. */
  series?: TileSeries[];
  /** In newer servers takes the place of `series` and `asRatio`. */
  config?: Record<string, unknown>;
  /** The container that the tile is in, and the tab there: the product only. */
  containerId?: string;
  tabId?: string;
}

/** A group of tiles on a dashboard of the product. */
export interface DashboardContainer {
  id: string;
  title: string;
  collapsed: boolean;
  collapsible?: boolean;
  bordered?: boolean;
  tabs?: { id: string; title: string }[];
}

/** A filter that a dashboard of the product offers. */
export interface DashboardFilter {
  id: string;
  sourceId?: string;
  [member: string]: unknown;
}

/** A dashboard of a service; answers omit `serviceId`. The members from `filters` on are the product's own. */
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

/** A tile as it is sent. */
export type TileBody = Omit<Tile, "id"> & { id?: string };

/** Something wrong with a body, and where. */
export interface BodyFailure {
  path: string;
  message: string;
}
