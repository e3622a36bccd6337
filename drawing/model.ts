/** What pictures are drawn from: dashboards as they are declared, or as the service has them. */

/** Where a tile is on the grid of 24 columns, in columns and rows from the upper left corner. */
export interface Area {
  /** Column of the left edge, from 0. */
  readonly x: number;
  /** Row of the upper edge, from 0. */
  readonly y: number;
  /** Width in columns. */
  readonly w: number;
  /** Height in rows. */
  readonly h: number;
}

/** How a tile shows its values. What is none of the others is `other`, and drawn without a chart. */
export type Kind = "line" | "bar" | "number" | "table" | "text" | "other";

/** One series of a tile. */
export interface Series {
  /** How values are aggregated, such as `count`. */
  readonly aggFn?: string;
  /** Which quantile, 0 to 1, where `aggFn` is `quantile`. */
  readonly level?: number;
  /** What is aggregated, such as a column; not for counts. */
  readonly field?: string;
  /** Name of the metric, for a source of metrics. */
  readonly metricName?: string;
  /** Kind of that metric, such as `gauge`. */
  readonly metricType?: string;
  /** Which records count, as a filter expression; all without one. */
  readonly where?: string;
  /** Language of `where`, if not the usual one, which is Lucene's. */
  readonly whereLanguage?: string;
  /** By which fields the values are grouped. */
  readonly groupBy: readonly string[];
  /** The columns of tiles that list records or their patterns; these have no values. */
  readonly columns?: string;
  /** Where the data comes from: name or id of a source. */
  readonly source?: string;
  /** Name of the source, where the id is that of a known one. */
  readonly sourceName?: string;
}

/** An alert, on a tile or by itself. */
export interface Alert {
  readonly name?: string;
  /** Undefined where it is not known yet. */
  readonly threshold?: number;
  /** Upper end of the range, for the types that have one. */
  readonly thresholdMax?: number;
  /** When it fires, such as `above` or `below`. */
  readonly thresholdType: string;
  /** How often it is looked at, such as `5m`. */
  readonly interval?: string;
  /** Whether it fires now, as far as that is known. */
  readonly firing: boolean;
  /** What it looks at when it is on no tile of its dashboard, such as `a saved search`. */
  readonly subject?: string;
  /** Address of the page of its tile or search, where it is known. */
  readonly url?: string;
}

export interface Tile {
  readonly id?: string;
  readonly name: string;
  /** What somebody wrote about it. */
  readonly description?: string;
  /** Undefined where a part of it is not known yet, or is no number. */
  readonly area?: Area;
  readonly kind: Kind;
  /** The kind in the service's word, such as `time` or `stacked_bar`. */
  readonly kindName: string;
  /** Whether the first series is shown as a ratio of the second. */
  readonly asRatio: boolean;
  readonly series: readonly Series[];
  /** The columns, filter and source of a tile that lists records or their patterns. */
  readonly records?: Series;
  /** A query in SQL, where the server does not build one from series. */
  readonly query?: string;
  /** What a tile of kind `text` says. */
  readonly text?: string;
  readonly alerts: readonly Alert[];
  /** The tile as it was given, without its id. */
  readonly members: Members;
}

/** Members of any kind. A symbol stands for a value that is not known yet. */
export type Members = { readonly [name: string]: unknown };

/** A dashboard with the alerts on it. */
export interface Dashboard {
  /** Tells it from the others, and is the same before and after a change: an URN or an id. */
  readonly key: string;
  readonly id?: string;
  readonly name: string;
  /** Address of its page, where it is known. */
  readonly url?: string;
  readonly tags: readonly string[];
  readonly tiles: readonly Tile[];
  /** Alerts that cannot be tied to one of its tiles. */
  readonly alerts: readonly Alert[];
  /** Its other members as they were given. */
  readonly members: Members;
}

/** All that is to be drawn. */
export interface Dashboards {
  readonly dashboards: readonly Dashboard[];
  /** Alerts on none of the dashboards, such as those on saved searches. */
  readonly alerts: readonly Alert[];
  /** Whether a service shows the dashboards so, with members that nobody declared. */
  readonly isLive: boolean;
}

/** Values of one bucket of time, in the shape in which `getChartSeries` returns them. */
export interface Point {
  /** Start of the bucket, in milliseconds since 1970. */
  readonly tsBucket: number;
  /** Value of each series, in their order; null where one has none. */
  readonly values: readonly (number | null)[];
  /** Values of the `groupBy` fields. */
  readonly group?: readonly string[];
}

/** A range of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** The values that a tile shows, or why there are none. */
export type TileData =
  | {
      /** Start of the time range, in milliseconds since 1970. */
      readonly from: number;
      /** End of the time range, in milliseconds since 1970. */
      readonly until: number;
      /** Length of a bucket in milliseconds. Where it is not known it is guessed from when the points begin. */
      readonly bucket?: number;
      readonly points: readonly Point[];
      /** Times that are marked, such as those in which an alert fires. */
      readonly spans?: readonly Span[];
    }
  | { readonly problem: string };
