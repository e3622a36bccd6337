/** The servers that the sandbox can stand in for: that of the API document, or ClickHouse Cloud with HyperDX. */
export const dialects = ["neutral", "clickhouse"] as const;

export type Dialect = (typeof dialects)[number];

/** Whether a threshold type has an upper bound as well. */
export function isRange(thresholdType: string): boolean {
  return thresholdType.endsWith("between");
}

/** The names and formats in which dialects differ. Records use those of `neutral`. */
export interface Vocabulary {
  dialect: Dialect;
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
  /** The valid threshold types. */
  thresholdTypes: readonly string[];
}

export const vocabularies: Record<Dialect, Vocabulary> = {
  neutral: {
    dialect: "neutral",
    stack: "stack",
    pipes: "pipes",
    reversePrivateEndpoints: "pipesReversePrivateEndpoints",
    engineSettings: "engine",
    engineVersion: "engineVersion",
    search: "search",
    thresholdTypes: ["above", "below"],
  },
  clickhouse: {
    dialect: "clickhouse",
    stack: "clickstack",
    pipes: "clickpipes",
    reversePrivateEndpoints: "clickpipesReversePrivateEndpoints",
    engineSettings: "clickhouse",
    engineVersion: "clickhouseVersion",
    search: "saved_search",
    thresholdTypes: [
      ...["above", "below", "above_exclusive", "below_or_equal"],
      ...["equal", "not_equal", "between", "not_between"],
    ],
  },
};
