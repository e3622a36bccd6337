/**
 * The vocabularies of servers that differ from the API document: addresses, path segments, members, values and limits.
 * The rest of the provider uses the document's vocabulary, and the client translates.
 */

import type { ObservabilityVia } from "./operations";

/** Maximum number of requests with one credential in any period of the given seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** The terms of one kind of server, by those of the API document, and the features of its servers. */
export interface Dialect {
  /** Address of the management API, if all these servers share one. */
  readonly baseUrl?: string;
  /** Address of the observability API, if all these servers share one. */
  readonly obsBaseUrl?: string;
  /** The console's pages of objects that the management API serves, if all servers of the dialect share one console. */
  readonly pages?: {
    readonly address: string;
    /** The query parameter that names the service on these pages. */
    readonly service: string;
  };
  /** Known rate limits. */
  readonly limits: { readonly [api in "management" | "observability"]?: RateLimit };
  /** The API to use for dashboards, alerts, sources and webhooks if there are credentials for both APIs. */
  readonly observabilityVia: ObservabilityVia;
  /** Whether the servers are known to validate dashboards without writing them. */
  readonly validatesDashboards: boolean;
  /** Path segments, by the document's words for them. */
  readonly segments: Vocabulary;
  /** Names of members of requests and answers, by the document's names. */
  readonly members: Vocabulary;
  /** Prefixes of the names of pipe settings, by the document's prefixes. */
  readonly settingPrefixes: Vocabulary;
  /** Values of members, by the document's values. */
  readonly values: { readonly [member: string]: Vocabulary };
  /** The intervals that an alert may have; absent if every count and unit is allowed. */
  readonly alertIntervals?: readonly string[];
  /**
   * Whether the operation `replicaScaling` changes every member of a scaling except the total memory, and `scaling` is
   * deprecated.
   */
  readonly hasReplicaScaling: boolean;
  /** Whether an alert on a search refers to a saved search. */
  readonly hasSavedSearches: boolean;
  /** The threshold types that an alert may have. */
  readonly thresholdTypes: readonly string[];
  /** The kinds of channel that an alert may have; absent if they are not known. */
  readonly channelTypes?: readonly string[];
  /** Whether the servers are known to refuse values beyond the limits of their document. */
  readonly enforcesLimits: boolean;
  /**
   * The prefix of the names of permissions, if roles of keys consist of permissions; absent if keys have fixed roles.
   */
  readonly permissionPrefix?: string;
  /**
   * Whether a tile of a dashboard has a member `config`. Its deprecated `series` then differs from that of the API
   * document.
   */
  readonly hasTileConfig: boolean;
}

/** Terms of a server, by the terms of the API document. */
interface Vocabulary {
  readonly [term: string]: string;
}

/** `neutral` is the vocabulary of the API document, `clickhouse` that of ClickHouse Cloud and HyperDX. */
export const dialectNames = ["neutral", "clickhouse"] as const;

export type DialectName = (typeof dialectNames)[number];

export const dialects: { readonly [name in DialectName]: Dialect } = {
  neutral: {
    limits: {},
    observabilityVia: "both",
    validatesDashboards: false,
    segments: {},
    members: {},
    settingPrefixes: {},
    values: {},
    hasReplicaScaling: false,
    hasSavedSearches: false,
    thresholdTypes: ["above", "below"],
    enforcesLimits: false,
    hasTileConfig: false,
  },
  clickhouse: {
    baseUrl: "https://api.clickhouse.cloud",
    obsBaseUrl: "https://api.hyperdx.io",
    pages: { address: "https://hyperdx.clickhouse.cloud", service: "chcServiceId" },
    limits: {
      management: { requests: 10, seconds: 10 },
      observability: { requests: 100, seconds: 60 },
    },
    // All objects have to be on one system. Only the management API certainly serves them all; the observability API
    // may belong to another server.
    observabilityVia: "management",
    validatesDashboards: true,
    segments: {
      stack: "clickstack",
      pipes: "clickpipes",
      pipesCdcScaling: "clickpipesCdcScaling",
      pipesReversePrivateEndpoints: "clickpipesReversePrivateEndpoints",
    },
    members: {
      engineVersion: "clickhouseVersion",
      savedSearch: "savedSearchId",
      team: "teamId",
    },
    settingPrefixes: { engine_: "clickhouse_" },
    values: { source: { search: "saved_search" } },
    alertIntervals: ["1m", "5m", "15m", "30m", "1h", "6h", "12h", "1d"],
    hasReplicaScaling: true,
    hasSavedSearches: true,
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
    channelTypes: ["webhook", "email"],
    enforcesLimits: true,
    permissionPrefix: "control-plane:",
    hasTileConfig: true,
  },
};

/** A path, or a path template, in the vocabulary of the servers. */
export function pathIn(dialect: Dialect, path: string): string {
  return path
    .split("/")
    .map((segment) => term(dialect.segments, segment))
    .join("/");
}

/** The body of a request in the vocabulary of the servers. */
export function requestIn(dialect: Dialect, body: unknown): unknown {
  return translate(body, dialect);
}

/** An answer in the vocabulary of the API document. */
export function answerFrom(dialect: Dialect, answer: unknown): unknown {
  const reversed = reversedTerms.get(dialect) ?? reversedOf(dialect);
  reversedTerms.set(dialect, reversed);
  return translate(answer, reversed);
}

const reversedTerms = new Map<Dialect, Terms>();

function reversedOf({ members, settingPrefixes, values }: Terms): Terms {
  return {
    members: reverse(members),
    settingPrefixes: reverse(settingPrefixes),
    values: Object.fromEntries(Object.entries(values).map(([member, terms]) => [member, reverse(terms)])),
  };
}

type Terms = Pick<Dialect, "members" | "settingPrefixes" | "values">;

/**
 * Translates the members of an object, of each object in a list, and of its `settings`. Deeper members, such as the
 * `config` of a tile, belong to the user and stay as they are.
 */
function translate(value: unknown, terms: Terms): unknown {
  if (Array.isArray(value)) return value.map((entry) => translate(entry, terms));
  if (typeof value !== "object" || value === null) return value;
  const prefixes = Object.entries(terms.settingPrefixes);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const [from, to] = prefixes.find(([prefix]) => name.startsWith(prefix)) ?? ["", ""];
      const named = from ? to + name.slice(from.length) : term(terms.members, name);
      if (name === "settings") return [named, translate(member, terms)];
      // Only own members count: a server may name a member like a method that every object inherits, such as
      // `toString`.
      const values = Object.hasOwn(terms.values, name) ? terms.values[name] : undefined;
      return [named, values && typeof member === "string" ? term(values, member) : member];
    }),
  );
}

function term(vocabulary: Vocabulary, word: string): string {
  return Object.hasOwn(vocabulary, word) ? (vocabulary[word] as string) : word;
}

function reverse(vocabulary: Vocabulary): Vocabulary {
  return Object.fromEntries(Object.entries(vocabulary).map(([neutral, translated]) => [translated, neutral]));
}
