/** The kinds of objects that an alert can watch; `inline` is a chart of its own. */
export type AlertSource = "tile" | "search" | "inline";

/** The query of an inline alert, in the words of a tile's `config`. */
export type AlertChart = Record<string, unknown>;

/** Where an alert sends its notifications. */
export interface AlertChannel {
  /** `webhook`, or `email` on the product's management API. */
  type: string;
  webhookId?: string;
  emailRecipients?: string[];
  /** The product's management API only. */
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
  /** Answers of the product show `inactive` as `OK`. */
  state: string;
  /** The first of `channels`. */
  channel: AlertChannel;
  channels?: AlertChannel[];
  team: string;
  tileId?: string;
  /** The id of the dashboard; `dashboardId` in requests. */
  dashboard?: string;
  /** The id of the saved search; `savedSearchId` in requests. */
  savedSearch?: string;
  groupBy?: string;
  /** The chart of an inline alert. */
  chartConfig?: AlertChart;
  /** The name in lists; without one, that of what the alert watches. */
  displayName?: string;
  /** Without any list, those of what the alert watches; an empty one means none. */
  tags?: string[];
  /** Upper bound of a range. */
  thresholdMax?: number;
  note?: string | null;
  /** The alert fires only after that many windows in a row. */
  numConsecutiveWindows?: number | null;
  /** Minutes from the bounds of the interval; 0 with `scheduleStartAt`. */
  scheduleOffsetMinutes?: number;
  /** From when on windows are counted. */
  scheduleStartAt?: string | null;
  silenced?: { by?: string; at: string; until: string };
  executionErrors?: { timestamp: string; type: string; message: string }[];
  createdAt: string;
  updatedAt: string;
}
