import type { Store } from "./store";

/**
 * Ways in which answers may say the same in other words, as real servers do. What is stored never changes.
 *
 * - `defaults`: members that were not sent come back with default values
 * - `reorder`: arrays that are sets come back in another order (also the domains of `allowedOrigins`)
 * - `seriesAsConfig`: tiles come back with `config` in place of `series`
 * - `normalisedOrigins`: `allowedOrigins` comes back separated by `", "`
 * - `normalisedTimes`: `expireAt` comes back in UTC with milliseconds
 * - `dashboardId`: alerts come back with `dashboardId` in place of `dashboard`
 * - `laggingScaling`: the first two answers after a PATCH of the scaling (the PATCH's own is the first)
 *   still show the old values, the third shows 0 for the changed numbers
 * - `movingState`: `state` and `updatedAt` of an alert differ in each answer
 * - `numbersAsStrings`: numbers of services, dashboards and alerts come back as strings
 */
export const rewriteNames = [
  "defaults",
  "reorder",
  "seriesAsConfig",
  "normalisedOrigins",
  "normalisedTimes",
  "dashboardId",
  "laggingScaling",
  "movingState",
  "numbersAsStrings",
] as const;

export type Rewrite = (typeof rewriteNames)[number];

/** The objects that answers show and rewrites change. */
export type Kind = "service" | "key" | "queryEndpoint" | "dashboard" | "alert";

type View = Record<string, unknown>;
type Rewriter = (view: View, answers: Answers) => View;

const table: Record<Rewrite, Partial<Record<Kind, Rewriter>>> = {
  defaults: {
    key: (key) => ({ expireAt: null, ...key }),
    alert: (alert) => ({ silenced: false, ...alert, state: "OK" }),
    dashboard: eachSeriesTile((tile) => ({
      asRatio: false,
      ...tile,
      series: list(tile.series).map((series) => ({
        where: "",
        aggFn: "count",
        groupBy: [],
        whereLanguage: "lucene",
        ...series,
      })),
    })),
  },
  reorder: {
    service: reversed("ipAccessList"),
    key: reversed("roles", "ipAccessList"),
    queryEndpoint: (endpoint, answers) => ({
      ...reversed("roles", "openApiKeys")(endpoint, answers),
      allowedOrigins: origins(endpoint).reverse().join(","),
    }),
    dashboard: reversed("tags"),
  },
  seriesAsConfig: {
    dashboard: eachSeriesTile(({ series, asRatio, ...tile }, answers) => ({
      ...tile,
      config: tileConfig(list(series), asRatio === true, answers.store),
    })),
  },
  normalisedOrigins: {
    queryEndpoint: (endpoint) => ({ ...endpoint, allowedOrigins: origins(endpoint).join(", ") }),
  },
  normalisedTimes: {
    key: (key) =>
      typeof key.expireAt === "string" ? { ...key, expireAt: new Date(key.expireAt).toISOString() } : key,
  },
  dashboardId: {
    alert: ({ dashboard, ...alert }) =>
      dashboard === undefined ? alert : { ...alert, dashboardId: dashboard },
  },
  laggingScaling: {
    service: (service, answers) => ({ ...service, ...answers.laggingValues(String(service.id)) }),
  },
  movingState: {
    alert: (alert, answers) => {
      const count = answers.count();
      const updatedAt = new Date(Date.parse(String(alert.updatedAt)) + count * 1000).toISOString();
      return { ...alert, state: ["OK", "ALERT", "INSUFFICIENT_DATA", "inactive"][count % 4], updatedAt };
    },
  },
  numbersAsStrings: { service: numbersAsStrings, dashboard: numbersAsStrings, alert: numbersAsStrings },
};

/** Turns records into answers, by the rewrites that are on. */
export class Answers {
  private readonly lags = new Map<string, { old: View; shown: number }>();
  private counter = 0;

  constructor(
    readonly store: Store,
    readonly active: ReadonlySet<Rewrite>,
  ) {}

  /** What an answer shows of an object. Leaves `view` as it is. */
  show(kind: Kind, view: object): object {
    let shown = view as View;
    for (const name of rewriteNames) {
      const rewrite = this.active.has(name) ? table[name][kind] : undefined;
      if (rewrite) shown = rewrite(shown, this);
    }
    return shown;
  }

  /** Takes note of the values that a PATCH of a service's scaling has changed, for `laggingScaling`. */
  scalingChanged(serviceId: string, old: View): void {
    if (this.active.has("laggingScaling")) this.lags.set(serviceId, { old, shown: 0 });
  }

  /** The values to show in place of the current ones; each call counts as an answer. */
  laggingValues(serviceId: string): View {
    const lag = this.lags.get(serviceId);
    if (!lag) return {};
    lag.shown += 1;
    if (lag.shown <= 2) return lag.old;
    this.lags.delete(serviceId);
    return Object.fromEntries(
      Object.entries(lag.old).map(([name, value]) => [name, typeof value === "number" ? 0 : value]),
    );
  }

  /** A number that is higher each time. */
  count(): number {
    this.counter += 1;
    return this.counter;
  }

  /** Forgets everything that earlier answers have left. */
  clear(): void {
    this.lags.clear();
    this.counter = 0;
  }
}

function list(value: unknown): View[] {
  return value as View[];
}

function origins(endpoint: View): string[] {
  return String(endpoint.allowedOrigins)
    .split(",")
    .map((origin) => origin.trim());
}

function reversed(...names: string[]): Rewriter {
  return (view) => {
    const members = names.flatMap((name) => {
      const value = view[name];
      return Array.isArray(value) ? [[name, [...value].reverse()]] : [];
    });
    return { ...view, ...Object.fromEntries(members) };
  };
}

function eachSeriesTile(rewrite: Rewriter): Rewriter {
  return (dashboard, answers) => ({
    ...dashboard,
    tiles: list(dashboard.tiles).map((tile) => (tile.series === undefined ? tile : rewrite(tile, answers))),
  });
}

/** How newer servers answer the series of a tile. They have no member for `dataSource`. */
function tileConfig(series: View[], asRatio: boolean, store: Store): View {
  const [first = {}] = series;
  const groupBy = Array.isArray(first.groupBy) ? first.groupBy.join(",") : "";
  return {
    displayType: first.type === "time" ? "line" : first.type,
    sourceId: first.sourceId ?? [...store.sources.keys()][0],
    asRatio,
    ...(groupBy === "" ? {} : { groupBy }),
    select: series.map(
      ({ aggFn = "count", field = "", where = "", whereLanguage = "lucene", ...further }) => ({
        ...withoutAbsent({
          alias: further.alias,
          level: further.level,
          metricName: further.metricName,
          metricType: further.metricDataType,
        }),
        aggFn,
        valueExpression: field,
        where,
        whereLanguage,
      }),
    ),
  };
}

function withoutAbsent(view: View): View {
  return Object.fromEntries(Object.entries(view).filter(([, value]) => value !== undefined));
}

function numbersAsStrings<T>(value: T): T {
  const convert = (member: unknown): unknown => {
    if (typeof member === "number") return String(member);
    if (Array.isArray(member)) return member.map(convert);
    if (typeof member !== "object" || member === null) return member;
    return Object.fromEntries(Object.entries(member).map(([name, inner]) => [name, convert(inner)]));
  };
  return convert(value) as T;
}
