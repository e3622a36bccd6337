/**
 * The vocabularies of servers that differ from the API document: addresses, path segments, property names, values and limits.
 * The rest of the provider uses the document's names, and the API client translates.
 */

import { enums } from "./enums.golden";
import type { ObservabilityVia } from "./operations";

/** Maximum number of requests with one credential in any period of the given seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

export interface Dialect {
  /** Address of the management API, if all servers of the dialect share one. */
  readonly baseUrl?: string;
  /** Address of the observability API, if all servers of the dialect share one. */
  readonly obsBaseUrl?: string;
  /** The web console's pages of objects that the management API serves, if all servers of the dialect share one console. */
  readonly pages?: {
    readonly address: string;
    /** The query parameter that names the service in the address of a page of the web console. */
    readonly service: string;
  };
  readonly limits: { readonly [api in "management" | "observability"]?: RateLimit };
  /** The API to use for dashboards, alerts, sources and webhooks if there are credentials for both APIs. */
  readonly observabilityVia: ObservabilityVia;
  /** Whether the servers of the dialect are known to validate dashboards without writing them. */
  readonly validatesDashboards: boolean;
  /** The path segments of the dialect's servers, by those in the API document: `clickpipes` for `pipes`, for example. */
  readonly segments: Vocabulary;
  /** The servers' names of properties in requests and answers, by the names in the API document. */
  readonly members: Vocabulary;
  /** The servers' prefixes of the names of pipe settings, by the prefixes in the API document. */
  readonly settingPrefixes: Vocabulary;
  /** The servers' values of properties, by the property and the value in the API document. */
  readonly values: { readonly [member: string]: Vocabulary };
  /** The intervals that an alert may have; absent if every count and unit is allowed. */
  readonly alertIntervals?: readonly string[];
  /**
   * Whether the operation `replicaScaling` changes everything of a service's scaling except the total memory. On such servers
   * the operation `scaling`, which also changes the total memory, is deprecated.
   */
  readonly hasReplicaScaling: boolean;
  /** Whether an alert on a search refers to a saved search by its id. */
  readonly hasSavedSearches: boolean;
  readonly thresholdTypes: readonly string[];
  /** The kinds of channel that an alert may have (such as `webhook`); absent if they are not known. */
  readonly channelTypes?: readonly string[];
  /** Whether the servers of the dialect are known to refuse values beyond the limits of their API document. */
  readonly enforcesLimits: boolean;
  /** Whether it is documented which lists have pages, so that any other list is whole, whatever its length. */
  readonly documentsPages: boolean;
  /** The prefix of permissions' names, if the roles of API keys consist of permissions; absent if keys have fixed roles. */
  readonly permissionPrefix?: string;
  /** Whether a tile of a dashboard has `config`; its deprecated `series` then differs from that of the API document. */
  readonly hasTileConfig: boolean;
}

/** The terms of a server, such as path segments or names of properties, by the terms of the API document. */
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
    documentsPages: false,
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
    // All dashboards, alerts, sources and webhooks of a program have to be behind the same API. Only the management API
    // certainly serves all of them.
    observabilityVia: "management",
    validatesDashboards: true,
    segments: {
      stack: "clickstack",
      pipes: "clickpipes",
      pipesCdcScaling: "clickpipesCdcScaling",
      pipesReversePrivateEndpoints: "clickpipesReversePrivateEndpoints",
      pipesSshKeyResources: "clickpipesSshKeyResources",
    },
    members: {
      engineVersion: "clickhouseVersion",
      savedSearch: "savedSearchId",
      team: "teamId",
    },
    settingPrefixes: { engine_: "clickhouse_" },
    values: { source: { search: "saved_search" } },
    alertIntervals: enums.alertInterval,
    hasReplicaScaling: true,
    hasSavedSearches: true,
    thresholdTypes: enums.alertThresholdType,
    channelTypes: ["webhook", "email"],
    enforcesLimits: true,
    documentsPages: true,
    permissionPrefix: "control-plane:",
    hasTileConfig: true,
  },
};

/** A request path, or a path template, in the vocabulary of the servers. */
export function pathIn(dialect: Dialect, path: string): string {
  return path
    .split("/")
    .map((segment) => term(dialect.segments, segment))
    .join("/");
}

/** The body of a request, with the servers' names in place of those of the API document. */
export function requestIn(dialect: Dialect, body: unknown): unknown {
  return translate(body, dialect);
}

/** A server's answer, with its property names and values translated to those of the API document. */
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
 * Translates the property names of an object, of each object in a list, and of the object in `settings`. Names at greater depth
 * belong to the user's data, so they stay.
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
      // Only own properties count: a server may name a property as a method of every object, such as `toString`.
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
