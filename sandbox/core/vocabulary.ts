/** The servers that the sandbox can imitate: the server of the API document, or ClickHouse Cloud with HyperDX. */
export const dialects = ["neutral", "clickhouse"] as const;

export type Dialect = (typeof dialects)[number];

/** The versions of ClickStack that the sandbox's observability server can imitate, oldest first. */
export const versions = ["2.36", "2.46"] as const;

export type Version = (typeof versions)[number];

export function isRange(thresholdType: string): boolean {
  return thresholdType.endsWith("between");
}

/** The names and formats in which the dialects of the APIs differ. Records in the sandbox use those of `neutral`. */
export interface Vocabulary {
  dialect: Dialect;
  /** The path segment before dashboards, alerts, sources and webhooks, below the path of a service: `stack` or `clickstack`. */
  stack: string;
  pipes: string;
  reversePrivateEndpoints: string;
  sshTunnels: string;
  /** The prefix of those pipe settings that belong to the database engine, as in `engine_max_threads`. */
  engineSettings: string;
  engineVersion: string;
  /** The value of an alert's `source` for a saved search: `search` or `saved_search`. */
  search: string;
}

/** The names and formats of a server's dialect, and the features of its version. */
export interface ServerVocabulary extends Vocabulary {
  /** The ClickStack version of HyperDX's server; absent in the dialect `neutral`. */
  readonly version?: Version;
  /** Whether HyperDX's server has this version of ClickStack or a later one. */
  isSince(version: `2.${number}`): boolean;
}

export function vocabularyOf(dialect: Dialect, version: Version = "2.46"): ServerVocabulary {
  if (dialect === "neutral") return { ...vocabularies.neutral, isSince: () => false };
  const minor = (text: string) => Number(text.split(".")[1]);
  return { ...vocabularies[dialect], version, isSince: (since) => minor(version) >= minor(since) };
}

const vocabularies: Record<Dialect, Vocabulary> = {
  neutral: {
    dialect: "neutral",
    stack: "stack",
    pipes: "pipes",
    reversePrivateEndpoints: "pipesReversePrivateEndpoints",
    sshTunnels: "pipesSshKeyResources",
    engineSettings: "engine",
    engineVersion: "engineVersion",
    search: "search",
  },
  clickhouse: {
    dialect: "clickhouse",
    stack: "clickstack",
    pipes: "clickpipes",
    reversePrivateEndpoints: "clickpipesReversePrivateEndpoints",
    sshTunnels: "clickpipesSshKeyResources",
    engineSettings: "clickhouse",
    engineVersion: "clickhouseVersion",
    search: "saved_search",
  },
};
