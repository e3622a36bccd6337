/**
 * All words in which the servers behind the API document differ from it: addresses, path segments, members, values and
 * limits. Everything else in the provider speaks the words of the document; the client translates.
 */

/** At most so many requests with one credential in any period of so many seconds. */
export interface RateLimit {
  readonly requests: number;
  readonly seconds: number;
}

/** How one kind of server says what the API document says. */
export interface Dialect {
  /** Address of the management API, where the servers have one and the same. */
  readonly baseUrl?: string;
  /** Address of the observability API, likewise. */
  readonly obsBaseUrl?: string;
  /** Limits that the servers are known to have. */
  readonly limits: { readonly [api in "management" | "observability"]?: RateLimit };
  /** Path segments, by those of the document. */
  readonly segments: Words;
  /** Names of members of requests and answers, by those of the document. */
  readonly members: Words;
  /** Beginnings of the names of pipe settings, by those of the document. */
  readonly settingPrefixes: Words;
  /** Values of members, by those of the document. */
  readonly values: { readonly [member: string]: Words };
  /** The intervals that an alert may have; absent where any count and unit may do. */
  readonly alertIntervals?: readonly string[];
  /** Whether an alert on a search names a saved one. */
  readonly hasSavedSearches: boolean;
  /** How the value of an alert may be compared with its threshold. */
  readonly thresholdTypes: readonly string[];
}

interface Words {
  readonly [word: string]: string;
}

/** Names of the dialects: the words of the API document, and those of ClickHouse Cloud and HyperDX. */
export const dialectNames = ["neutral", "clickhouse"] as const;

export type DialectName = (typeof dialectNames)[number];

export const dialects: { readonly [name in DialectName]: Dialect } = {
  neutral: {
    limits: {},
    segments: {},
    members: {},
    settingPrefixes: {},
    values: {},
    hasSavedSearches: false,
    thresholdTypes: ["above", "below"],
  },
  clickhouse: {
    baseUrl: "https://api.clickhouse.cloud",
    obsBaseUrl: "https://api.hyperdx.io",
    limits: {
      management: { requests: 10, seconds: 10 },
      observability: { requests: 100, seconds: 60 },
    },
    segments: {
      stack: "clickstack",
      pipes: "clickpipes",
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
  },
};

/** A path, or the template of one, as the servers have it. */
export function pathIn(dialect: Dialect, path: string): string {
  return path
    .split("/")
    .map((segment) => word(dialect.segments, segment))
    .join("/");
}

/** The body of a request as the servers take it. */
export function requestIn(dialect: Dialect, body: unknown): unknown {
  return translate(body, dialect);
}

/** What a server answered, in the words of the API document. */
export function answerFrom(dialect: Dialect, answer: unknown): unknown {
  const { members, settingPrefixes, values } = dialect;
  return translate(answer, {
    members: reverse(members),
    settingPrefixes: reverse(settingPrefixes),
    values: Object.fromEntries(Object.entries(values).map(([member, words]) => [member, reverse(words)])),
  });
}

/**
 * Only the members of an object itself, of each object of a list, and of the `settings` in one have other words: what
 * is further inside, such as the `config` of a tile, is the user's.
 */
function translate(value: unknown, words: Pick<Dialect, "members" | "settingPrefixes" | "values">): unknown {
  if (Array.isArray(value)) return value.map((entry) => translate(entry, words));
  if (typeof value !== "object" || value === null) return value;
  const prefixes = Object.entries(words.settingPrefixes);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const [from, to] = prefixes.find(([prefix]) => name.startsWith(prefix)) ?? ["", ""];
      const named = from ? to + name.slice(from.length) : word(words.members, name);
      if (name === "settings") return [named, translate(member, words)];
      return [named, typeof member === "string" ? word(valuesOf(words, name), member) : member];
    }),
  );
}

/** A server may name a member like one that every object has. */
function valuesOf({ values }: Pick<Dialect, "values">, member: string): Words {
  return (Object.hasOwn(values, member) && values[member]) || {};
}

function word(words: Words, own: string): string {
  return Object.hasOwn(words, own) ? (words[own] as string) : own;
}

function reverse(words: Words): Words {
  return Object.fromEntries(Object.entries(words).map(([own, other]) => [other, own]));
}
