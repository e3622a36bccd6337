/** The kinds of objects that an alert can watch; `inline` is a chart of its own. */
export type AlertSource = "tile" | "search" | "inline";

/** The chart of an inline alert, in the form of a tile's `config`. */
export type AlertChart = Record<string, unknown>;

/** Where an alert sends its notifications. */
export interface AlertChannel {
  /** `webhook`, or `email` on the product's management API. */
  type: string;
  webhookId?: string;
  emailRecipients?: string[];
  /** Only the product's management API has this and the following members. */
  webhookService?: string | null;
  slackChannelId?: string | null;
  severity?: string | null;
}

/** An alert of a service; answers omit `serviceId`. The optional members from `groupBy` on are the product's own. */
export interface Alert {
  id: string;
  serviceId: string;
  name: string | null;
  message: string | null;
  threshold: number;
  interval: string;
  thresholdType: string;
  source: AlertSource;
  /** The state of the alert. Answers of the product show `inactive` as `OK`. */
  state: string;
  /** The first one of `channels`. */
  channel: AlertChannel;
  channels?: AlertChannel[];
  team: string;
  tileId?: string;
  /** The id of the dashboard, which requests call `dashboardId`. */
  dashboard?: string;
  /** The id of the saved search, which requests call `savedSearchId`. */
  savedSearch?: string;
  groupBy?: string;
  /** The chart of an inline alert. */
  chartConfig?: AlertChart;
  /** The name of the alert in lists; absent if the name of what it watches is shown. */
  displayName?: string;
  /** The tags of the alert; absent if the tags of what it watches are shown. An empty list means no tags. */
  tags?: string[];
  /** The upper end of a range. */
  thresholdMax?: number;
  note?: string | null;
  /** The number of windows in a row for which the condition has to hold before the alert fires. */
  numConsecutiveWindows?: number | null;
  /** Minutes by which windows are shifted from full intervals; 0 with `scheduleStartAt`. */
  scheduleOffsetMinutes?: number;
  /** The time from which windows are counted. */
  scheduleStartAt?: string | null;
  silenced?: { by?: string; at: string; until: string };
  executionErrors?: { timestamp: string; type: string; message: string }[];
  createdAt: string;
  updatedAt: string;
}
