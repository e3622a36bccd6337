/** The data that pictures are drawn from: dashboards as programs declare them, or as the service shows them. */

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

/** The way in which a tile shows its values. A tile of kind `other` is drawn without a chart. */
export type Kind = "line" | "bar" | "number" | "table" | "text" | "other";

/** One series of a tile. */
export interface Series {
  /** The function that aggregates values, such as `count`. */
  readonly aggFn?: string;
  /** The quantile, 0 to 1, if `aggFn` is `quantile`. */
  readonly level?: number;
  /** The aggregated expression, such as a column. Counts have none. */
  readonly field?: string;
  /** Name of the metric, for a source of metrics. */
  readonly metricName?: string;
  /** The kind of the metric, such as `gauge`. */
  readonly metricType?: string;
  /** A filter expression for the records that count. Default: all records. */
  readonly where?: string;
  /** The language of `where`, if it is not the usual one, Lucene. */
  readonly whereLanguage?: string;
  /** The fields by which the values are grouped. */
  readonly groupBy: readonly string[];
  /** The columns of a tile that lists records or their patterns. Such a tile has no values. */
  readonly columns?: string;
  /** The name or id of the data source. */
  readonly source?: string;
  /** The name of the source, if `source` is the id of a known one. */
  readonly sourceName?: string;
}

/** An alert, on a tile or on no tile. */
export interface Alert {
  readonly name?: string;
  /** The threshold; undefined if it is not known yet. */
  readonly threshold?: number;
  /** The upper end of the range, for threshold types that have a range. */
  readonly thresholdMax?: number;
  /** The threshold type, such as `above` or `below`. */
  readonly thresholdType: string;
  /** The interval at which the alert is evaluated, such as `5m`. */
  readonly interval?: string;
  /** Whether the alert is known to fire now. */
  readonly firing: boolean;
  /** What the alert watches if that is no tile of its dashboard, such as `a saved search`. */
  readonly subject?: string;
  /** The address of the page of the tile or search, if it is known. */
  readonly url?: string;
}

export interface Tile {
  readonly id?: string;
  readonly name: string;
  /** The description that somebody wrote for the tile. */
  readonly description?: string;
  /** The place of the tile; undefined if a part of it is not known yet, or is no number. */
  readonly area?: Area;
  readonly kind: Kind;
  /** The service's word for the kind of the tile, such as `time` or `stacked_bar`. */
  readonly kindName: string;
  /** Whether the tile shows the first series as a ratio of the second. */
  readonly asRatio: boolean;
  readonly series: readonly Series[];
  /** The columns, filter and source of a tile that lists records or their patterns. */
  readonly records?: Series;
  /** The query in SQL, if the server does not build the query from series. */
  readonly query?: string;
  /** The text of a tile of kind `text`. */
  readonly text?: string;
  readonly alerts: readonly Alert[];
  /** The members of the tile as they were given, without its id. */
  readonly members: Members;
}

/** Members of any kind. A symbol stands for a value that is not known yet. */
export type Members = { readonly [name: string]: unknown };

/** A dashboard with the alerts on it. */
export interface Dashboard {
  /** Identifies the dashboard before and after a change: a URN or an id. */
  readonly key: string;
  readonly id?: string;
  readonly name: string;
  /** The address of the dashboard's page, if it is known. */
  readonly url?: string;
  readonly tags: readonly string[];
  readonly tiles: readonly Tile[];
  /** Alerts that belong to no tile of the dashboard. */
  readonly alerts: readonly Alert[];
  /** The other members of the dashboard as they were given. */
  readonly members: Members;
}

/** All dashboards and alerts that are to be drawn. */
export interface Dashboards {
  readonly dashboards: readonly Dashboard[];
  /** Alerts that belong to no dashboard, such as those on saved searches. */
  readonly alerts: readonly Alert[];
  /** Whether the dashboards come from a service, and so have members that nobody declared. */
  readonly isLive: boolean;
}

/** The values of one bucket of time, in the form in which `getChartSeries` returns them. */
export interface Point {
  /** Start of the bucket, in milliseconds since 1970. */
  readonly tsBucket: number;
  /** The value of each series, in the order of the series; null for a series without a value. */
  readonly values: readonly (number | null)[];
  /** Values of the `groupBy` fields. */
  readonly group?: readonly string[];
}

/** A range of time, in milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** The values that a tile shows, or the reason why there are none. */
export type TileData =
  | {
      /** Start of the time range, in milliseconds since 1970. */
      readonly from: number;
      /** End of the time range, in milliseconds since 1970. */
      readonly until: number;
      /** The length of a bucket in milliseconds. If it is unknown, it is guessed from the times of the points. */
      readonly bucket?: number;
      readonly points: readonly Point[];
      /** Marked ranges of time, such as those in which an alert fires. */
      readonly spans?: readonly Span[];
    }
  | { readonly problem: string };
