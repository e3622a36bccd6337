import { shownConfig } from "./resources/tileContents";

/** The types of objects whose responses can differ from the requests by a rewrite of the sandbox. */
export type Kind = "service" | "key" | "queryEndpoint" | "dashboard" | "alert";

type Members = Record<string, unknown>;
type Rewriter = (members: Members, answers: Answers) => Members;

const table = {
  defaults: {
    key: (key) => ({ expireAt: null, ...key }),
    // In the dialect `clickhouse`, responses about alerts have neither of the default values of `silenced` and `state`. Alerts
    // of this dialect have `teamId` in place of `team`.
    alert: (alert) => ("team" in alert ? { silenced: false, ...alert, state: "OK" } : alert),
    dashboard: eachTile((tile) =>
      tile.series === undefined
        ? { ...tile, config: shownConfig(tile.config as Members) }
        : {
            asRatio: false,
            ...tile,
            series: list(tile.series).map((series) => ({
              where: "",
              aggFn: "count",
              groupBy: [],
              whereLanguage: "lucene",
              ...series,
            })),
          },
    ),
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
  reorderedTiles: { dashboard: reversed("tiles") },
  seriesAsConfig: {
    dashboard: eachTile(({ series, asRatio, ...tile }, answers) =>
      series === undefined
        ? tile
        : { ...tile, config: tileConfig(list(series), asRatio === true, answers.firstSourceId()) },
    ),
  },
  normalizedOrigins: {
    queryEndpoint: (endpoint) => ({ ...endpoint, allowedOrigins: origins(endpoint).join(", ") }),
  },
  normalizedTimes: {
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
      return { ...alert, state: ["OK", "ALERT", "INSUFFICIENT_DATA", "PENDING"][count % 4], updatedAt };
    },
  },
  numbersAsStrings: { service: numbersAsStrings, dashboard: numbersAsStrings, alert: numbersAsStrings },
} satisfies Record<string, Partial<Record<Kind, Rewriter>>>;

/**
 * Changes that the sandbox makes to its responses, as real servers do: they differ from the request but mean the same. The
 * records never change.
 *
 * - `defaults`: omitted properties come back with default values
 * - `reorder`: arrays that are sets, and the domains of `allowedOrigins`, come back in another order
 * - `reorderedTiles`: the tiles of a dashboard come back in another order
 * - `seriesAsConfig`: tiles come back with `config` in place of `series`
 * - `normalizedOrigins`: `allowedOrigins` comes back separated by `", "`
 * - `normalizedTimes`: `expireAt` comes back in UTC with milliseconds
 * - `dashboardId`: alerts come back with `dashboardId` in place of `dashboard`
 * - `laggingScaling`: after a PATCH of the scaling, its response and the next one show the old values, and the third shows 0
 *   for the changed numbers
 * - `movingState`: `state` and `updatedAt` of an alert differ in each response
 * - `numbersAsStrings`: numbers of services, dashboards and alerts come back as strings
 */
export type Rewrite = keyof typeof table;

export const rewriteNames = Object.keys(table) as Rewrite[];

/** Converts objects to the form of the sandbox's responses, with the active rewrites. */
export class Answers {
  private readonly lags = new Map<string, { old: Members; answerCount: number }>();
  private counter = 0;

  constructor(
    /** Returns the id of the first data source. A tile gets it if its series name no source. */
    readonly firstSourceId: () => string | undefined,
    readonly active: ReadonlySet<Rewrite>,
  ) {}

  show(kind: Kind, members: object): object {
    let answer = members as Members;
    for (const name of rewriteNames) {
      const rewriters: Partial<Record<Kind, Rewriter>> = table[name];
      const rewrite = this.active.has(name) ? rewriters[kind] : undefined;
      if (rewrite) answer = rewrite(answer, this);
    }
    return answer;
  }

  /**
   * Records a service's values from before a PATCH of its scaling. With the rewrite `laggingScaling`, reads show these for a
   * while.
   */
  scalingChanged(serviceId: string, old: Members): void {
    if (this.active.has("laggingScaling")) this.lags.set(serviceId, { old, answerCount: 0 });
  }

  /**
   * Returns the old values of a service's scaling that the rewrite `laggingScaling` (late changes in responses) shows in place
   * of the current ones. Each call counts as one response.
   */
  laggingValues(serviceId: string): Members {
    const lag = this.lags.get(serviceId);
    if (!lag) return {};
    lag.answerCount += 1;
    if (lag.answerCount <= 2) return lag.old;
    this.lags.delete(serviceId);
    return Object.fromEntries(
      Object.entries(lag.old).map(([name, value]) => [name, typeof value === "number" ? 0 : value]),
    );
  }

  /**
   * Returns the number of this response, counted from 1. With it the rewrite `movingState` makes each response about an alert
   * differ from the last one.
   */
  count(): number {
    this.counter += 1;
    return this.counter;
  }

  /** Forgets what the rewrites of responses have recorded: the old scalings of services, and the number of responses. */
  clear(): void {
    this.lags.clear();
    this.counter = 0;
  }
}

function list(value: unknown): Members[] {
  return value as Members[];
}

function origins(endpoint: Members): string[] {
  return String(endpoint.allowedOrigins)
    .split(",")
    .map((origin) => origin.trim());
}

function reversed(...names: string[]): Rewriter {
  return (members) => {
    const lists = names.flatMap((name) => {
      const value = members[name];
      return Array.isArray(value) ? [[name, [...value].reverse()]] : [];
    });
    return { ...members, ...Object.fromEntries(lists) };
  };
}

function eachTile(rewrite: Rewriter): Rewriter {
  return (dashboard, answers) => ({
    ...dashboard,
    tiles: list(dashboard.tiles).map((tile) => rewrite(tile, answers)),
  });
}

/** Converts the series of a tile to the form of newer servers, which have no property `dataSource`. */
function tileConfig(series: Members[], asRatio: boolean, firstSourceId?: string): Members {
  const [first = {}] = series;
  const groupBy = Array.isArray(first.groupBy) ? first.groupBy.join(",") : "";
  return {
    displayType: first.type === "time" ? "line" : first.type,
    sourceId: first.sourceId ?? firstSourceId,
    asRatio,
    ...(groupBy === "" ? {} : { groupBy }),
    select: series.map(
      ({ aggFn = "count", field = "", where = "", whereLanguage = "lucene", ...further }) => ({
        ...present({
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

export function present<Members extends object>(members: Members): Members {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members;
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
