/** The types of objects that an alert can watch; `inline` is a chart that belongs to the alert itself. */
export type AlertSource = "tile" | "search" | "inline";

/** The chart of an inline alert, in the form of a tile's `config`. */
export type AlertChart = Record<string, unknown>;

/** How an anomaly alert recognizes anomalies. The sandbox evaluates no alerts, so it only keeps these values. */
export interface AnomalyConfig {
  bucketSizeSeconds?: number;
  zScoreThreshold?: number;
  condition?: string;
  minAbsoluteDelta?: number;
  nonNegative?: boolean;
  maxSeries?: number;
  baselineLookbackMinutes?: number;
}

export interface AlertChannel {
  type: string;
  webhookId?: string;
  emailRecipients?: string[];
  /** Only the management API of ClickHouse Cloud has `webhookService`, `slackChannelId` and `severity`. */
  webhookService?: string | null;
  slackChannelId?: string | null;
  severity?: string | null;
}

/**
 * The record of an alert. Responses omit `serviceId`. Only servers of the dialect `clickhouse` have `groupBy` and the optional
 * properties listed after it.
 */
export interface Alert {
  id: string;
  serviceId: string;
  name: string | null;
  message: string | null;
  threshold: number;
  interval: string;
  thresholdType: string;
  source: AlertSource;
  /** Whether the alert fires. Responses of HyperDX show `inactive` as `OK`. */
  state: string;
  /** The first of the alert's `channels`, by which it sends notifications. */
  channel: AlertChannel;
  channels?: AlertChannel[];
  team: string;
  tileId?: string;
  /** The id of the dashboard that the alert watches, which requests call `dashboardId`. */
  dashboard?: string;
  /** The id of the saved search that the alert watches, which requests call `savedSearchId`. */
  savedSearch?: string;
  groupBy?: string;
  chartConfig?: AlertChart;
  /** Set if the alert fires on anomalies, as only alerts of ClickHouse Cloud can. Absent: it compares with its threshold. */
  detectionMode?: "anomaly";
  anomalyConfig?: AnomalyConfig;
  /** The name of the alert in lists; absent if lists show the name of the tile, search or chart that it watches. */
  displayName?: string;
  /**
   * The tags of the alert; absent if the API's lists of alerts show the tags of the tile, search or chart that the alert
   * watches. An empty list means no tags.
   */
  tags?: string[];
  /** The upper end of the alert's range of values, for conditions such as `between`. */
  thresholdMax?: number;
  note?: string | null;
  /** The number of windows in a row for which the condition has to hold before the alert fires. */
  numConsecutiveWindows?: number | null;
  /** Minutes by which the alert's evaluation windows are shifted from full intervals; 0 with `scheduleStartAt`. */
  scheduleOffsetMinutes?: number;
  /** The time from which the alert's evaluation windows are counted. */
  scheduleStartAt?: string | null;
  silenced?: { by?: string; at: string; until: string };
  executionErrors?: { timestamp: string; type: string; message: string }[];
  createdAt: string;
  updatedAt: string;
}
