/** The kinds of servers that the sandbox can be: that of the API document, or ClickHouse Cloud with HyperDX. */
export const dialects = ["neutral", "clickhouse"] as const;

export type Dialect = (typeof dialects)[number];

/** Whether alerts of a threshold type have an upper bound, too. */
export function isRange(thresholdType: string): boolean {
  return thresholdType.endsWith("between");
}

/** The words and formats in which dialects of the service differ, in one place. Records are in those of `neutral`. */
export interface Words {
  /** Path prefix of dashboards, alerts, sources and webhooks under a service. */
  stack: string;
  /** Path segment of the pipes of a service. */
  pipes: string;
  /** Path segment of the reverse private endpoints of a service. */
  reversePrivateEndpoints: string;
  /** Prefix of the pipe settings of the engine (`engine_max_threads`). */
  engineSettings: string;
  /** The version of the engine that a service runs. */
  engineVersion: string;
  /** What the source of an alert is called that watches a search. */
  search: string;
  /** What an alert accepts as interval, as a regular expression. */
  alertInterval: string;
  /** How an alert may compare. */
  thresholdTypes: readonly string[];
  /** Names of members in the answer about an alert. */
  alertMembers: { dashboard: string; savedSearch: string; team: string };
  /** Whether alerts have `savedSearchId`, `groupBy`, `thresholdMax` and `channels`. */
  newerAlerts: boolean;
}

export const wordsOf: Record<Dialect, Words> = {
  neutral: {
    stack: "stack",
    pipes: "pipes",
    reversePrivateEndpoints: "pipesReversePrivateEndpoints",
    engineSettings: "engine",
    engineVersion: "engineVersion",
    search: "search",
    alertInterval: "^[1-9]\\d*[smhd]$",
    thresholdTypes: ["above", "below"],
    alertMembers: { dashboard: "dashboard", savedSearch: "savedSearch", team: "team" },
    newerAlerts: false,
  },
  clickhouse: {
    stack: "clickstack",
    pipes: "clickpipes",
    reversePrivateEndpoints: "clickpipesReversePrivateEndpoints",
    engineSettings: "clickhouse",
    engineVersion: "clickhouseVersion",
    search: "saved_search",
    alertInterval: "^(1m|5m|15m|30m|1h|6h|12h|1d)$",
    thresholdTypes: [
      "above",
      "below",
      "above_exclusive",
      "below_or_equal",
      "equal",
      "not_equal",
      "between",
      "not_between",
    ],
    alertMembers: { dashboard: "dashboardId", savedSearch: "savedSearchId", team: "teamId" },
    newerAlerts: true,
  },
};
