/** The servers that the sandbox can stand in for: that of the API document, or ClickHouse Cloud with HyperDX. */
export const dialects = ["neutral", "clickhouse"] as const;

export type Dialect = (typeof dialects)[number];

/** Whether a threshold type has an upper bound as well. */
export function isRange(thresholdType: string): boolean {
  return thresholdType.endsWith("between");
}

/** The names and formats in which dialects differ. Records use those of `neutral`. */
export interface Vocabulary {
  /** Path prefix of dashboards, alerts, sources and webhooks under a service. */
  stack: string;
  /** Path segment of the pipes of a service. */
  pipes: string;
  /** Path segment of the reverse private endpoints of a service. */
  reversePrivateEndpoints: string;
  /** Prefix of the engine's pipe settings, as in `engine_max_threads`. */
  engineSettings: string;
  /** Member with the version of a service's engine. */
  engineVersion: string;
  /** Source of an alert on a saved search. */
  search: string;
  /** Regular expression of valid alert intervals. */
  alertInterval: string;
  /** The valid threshold types. */
  thresholdTypes: readonly string[];
  /** Members of an alert in answers. */
  alertMembers: { dashboard: string; savedSearch: string; team: string };
  /** Whether alerts have `savedSearchId`, `groupBy`, `thresholdMax` and `channels`. */
  newerAlerts: boolean;
}

export const vocabularies: Record<Dialect, Vocabulary> = {
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
