import type { DeclarableName } from "../../provider/resources/registry";
import type { Dialect } from "../../sandbox/core/vocabulary";
import type { Data } from "../promises/store";
import type { Random } from "./random";
import { signingKeyId, webhookIds } from "./world/contents";

const intervals: { readonly [dialect in Dialect]: readonly string[] } = {
  neutral: ["1m", "5m", "60m", "1h"],
  clickhouse: ["1m", "5m", "30m", "1h"],
};
const words = ["Errors", "Slow queries", "Rows", "Errors "];

/** How simulated histories generate the arguments of one resource type. A new type needs nothing else in the simulation. */
interface Draw {
  readonly values: { readonly [property: string]: (random: Random, dialect: Dialect) => unknown };
  readonly required: readonly string[];
  /** Returns new values for properties of an object that programs usually declare, as a person in the console changes them. */
  change(record: Data): Data;
  /** Returns values for properties of an object that few programs declare, as a person in the console sets them. */
  setUndeclared(record: Data): Data;
}

const query: Draw["values"] = {
  sql: (random) => random.pick(["SELECT 1", "SELECT {year:UInt16}\nFROM orders\n"]),
  database: (random) => random.pick(["default", "system"]),
  parameters: (random) => random.pick([{ year: "2026" }, { year: "2027", month: "" }, {}]),
};

export const draws = {
  Alert: {
    required: ["threshold", "interval", "thresholdType", "channel"],
    values: {
      name: (random) => random.pick(words),
      message: (random) => random.pick(["Look at it", "Wake up"]),
      threshold: (random) => random.integer(1, 5),
      interval: (random, dialect) => random.pick(intervals[dialect]),
      thresholdType: (random) => random.pick(["above", "below"]),
      channel: (random) => ({ type: "webhook", webhookId: random.pick(webhookIds) }),
    },
    change: ({ threshold, chartConfig: chart }) => {
      if (!chart) return { threshold: Number(threshold) + 1 };
      const displayType = (chart as Data).displayType === "line" ? "stacked_bar" : "line";
      return { chartConfig: { ...chart, displayType } };
    },
    setUndeclared: () => ({ message: "by hand", name: "By hand" }),
  },
  // An AlertSet needs no values of its own, since the simulation generates its entries like single alerts.
  AlertSet: { required: [], values: {}, change: () => ({}), setUndeclared: () => ({}) },
  Dashboard: {
    required: ["name"],
    values: {
      name: (random) => random.pick(words),
      tags: (random) => random.pick([["a"], ["B", "a"], []]),
    },
    change: ({ name }) => ({ name: `${name} 2` }),
    setUndeclared: () => ({ tags: ["by hand"] }),
  },
  ApiKey: {
    required: ["roles", "name"],
    values: {
      name: (random) => random.pick(["reporting", "ingest"]),
      roles: (random) => random.pick([["developer"], ["developer", "query_endpoints"]]),
      state: (random) => random.pick(["enabled", "disabled"]),
      expireAt: (random) => random.pick(["2031-01-01T00:00:00Z", "2032-02-03T04:05:06+02:00"]),
      ipAccessList: () => [{ source: "203.0.113.0/24", description: "office" }],
      keepers: (random) => ({ rotation: String(random.integer(1, 9)) }),
    },
    // ClickHouse Cloud uses `roles` only for an API key without `assignedRoles`, so the simulated person removes
    // `assignedRoles` on setting `roles`.
    change: () => ({ roles: ["admin"], assignedRoles: undefined }),
    setUndeclared: () => ({ state: "disabled", expireAt: "2040-01-01T00:00:00.000Z" }),
  },
  Webhook: {
    required: ["name", "url"],
    values: {
      // The service accepts no two webhooks with one name, so the simulation chooses one of many names.
      name: (random) => `team ${random.integer(1, 30)}`,
      url: (random) => `https://hooks.example.com/T0K3N${random.integer(1, 3)}`,
      description: (random) => random.pick(["Pages", "Mails"]),
      body: (random) => random.pick(["{{title}}", "{{body}}"]),
      headers: (random) => ({ "x-key": `h34d3r-${random.integer(1, 3)}` }),
      queryParams: (random) => ({ team: `p4r4m-${random.integer(1, 3)}` }),
    },
    change: ({ url }) => ({ url: `${url}2` }),
    setUndeclared: () => ({ description: "by hand", headers: { "x-by": "h34d3r-by-hand" } }),
  },
  SavedSearch: {
    required: ["name"],
    values: {
      name: (random) => random.pick(["Errors", "Failing", "Slow"]),
      where: (random) => random.pick(["level:error", "level:warn"]),
      orderBy: () => "Timestamp DESC",
      select: (random) => random.pick(["Timestamp", "Timestamp, Body"]),
      tags: (random) => random.pick([["a"], ["B", "a"], []]),
    },
    change: ({ where }) => ({ where: `${where} 2` }),
    setUndeclared: () => ({ orderBy: "by_hand", tags: ["by hand"] }),
  },
  Connection: {
    required: ["name", "host", "username"],
    values: {
      name: (random) => random.pick(["Lake", "Warehouse"]),
      host: (random) => `https://db${random.integer(1, 3)}.example.com:8443`,
      username: (random) => random.pick(["reader", "writer", ""]),
      password: (random) => `p4ssw0rd-${random.integer(1, 3)}`,
      hyperdxSettingPrefix: (random) => random.pick(["lake_", "db_"]),
      isPrometheusEndpoint: (random) => random.chance(0.5),
    },
    change: ({ username }) => ({ username: `${username} 2` }),
    setUndeclared: () => ({ hyperdxSettingPrefix: "by_hand" }),
  },
  Source: {
    required: ["name", "from", "timestampValueExpression", "defaultTableSelectExpression"],
    values: {
      name: (random) => random.pick(["Logs", "Requests"]),
      from: (random) => ({ databaseName: "otel", tableName: random.pick(["logs", "requests"]) }),
      timestampValueExpression: (random) => random.pick(["Timestamp", "TimestampTime"]),
      defaultTableSelectExpression: (random) => random.pick(["Timestamp", "Timestamp, Body"]),
      section: (random) => random.pick(["Web", "Jobs"]),
      disabled: (random) => random.chance(0.5),
      querySettings: (random) => [{ setting: "max_threads", value: String(random.integer(1, 4)) }],
      bodyExpression: (random) => random.pick(["Body", "Message"]),
      serviceNameExpression: () => "ServiceName",
    },
    change: ({ timestampValueExpression: old }) => ({ timestampValueExpression: `${old}2` }),
    setUndeclared: () => ({ section: "by hand", bodyExpression: "ByHand" }),
  },
  SavedQuery: {
    required: ["name", "sql", "database"],
    values: {
      ...query,
      name: (random) => `query ${random.integer(1, 30)}`,
    },
    change: ({ sql }) => ({ sql: `${sql} -- 2` }),
    setUndeclared: () => ({ parameters: { by: "hand" } }),
  },
  QueryApiEndpoint: {
    required: ["name", "sql", "database", "apiKeyIds", "roles"],
    values: {
      ...query,
      name: (random) => random.pick(words.slice(0, 3)),
      apiKeyIds: () => [signingKeyId],
      roles: (random) => random.pick([["sql_console_read_only"], ["b", "a"]]),
      allowedOrigins: (random) =>
        random.pick([["https://a.example"], ["https://b.example", "https://a.example"]]),
    },
    change: ({ sql }) => ({ sql: `${sql} -- 2` }),
    setUndeclared: () => ({ parameters: { by: "hand" }, allowedOrigins: ["https://by.hand.example"] }),
  },
  QueryEndpoint: {
    required: ["roles"],
    values: {
      roles: (random) => random.pick([["sql_console_read_only"], ["sql_console_admin"]]),
      allowedOrigins: (random) => random.pick([["https://a.example"], "https://a.example,https://b.example"]),
    },
    change: () => ({ roles: ["sql_console_read_only", "sql_console_admin"] }),
    setUndeclared: () => ({ allowedOrigins: "https://by.hand.example" }),
  },
  ServiceScalingSchedule: {
    required: ["entries"],
    values: {
      entries: (random) =>
        ["Nights", "Sale", "Weekend"]
          .filter((_, index) => index === 0 || random.chance(0.5))
          .map((name) => ({
            ...{
              name,
              weekdays: random.pick([
                [1, 2, 3],
                [6, 0],
              ]),
              startHourUtc: random.integer(0, 9),
            },
            ...{ endHourUtc: random.integer(10, 24), numReplicas: random.integer(2, 4) },
          })),
    },
    change: ({ entries }) => ({
      entries: (entries as Data[]).map((entry) => ({ ...entry, minReplicas: 7, maxReplicas: 7 })),
    }),
    setUndeclared: () => ({}),
  },
  ServiceScaling: {
    required: ["numReplicas"],
    values: {
      numReplicas: (random) => random.integer(2, 5),
      idleScaling: (random) => random.chance(0.5),
      idleTimeoutMinutes: (random) => random.integer(5, 9),
      onDestroy: (random) => random.pick(["keep", "restore"]),
    },
    change: ({ numReplicas }) => ({ numReplicas: Number(numReplicas) + 1 }),
    setUndeclared: ({ idleScaling }) => ({ idleTimeoutMinutes: 33, idleScaling: idleScaling !== true }),
  },
} as const satisfies { readonly [type: string]: Draw };

export type TypeName = keyof typeof draws;

/** Returns how simulated histories generate a type; only programs of types that they generate contain it. */
export function drawOf(type: DeclarableName): Draw {
  return draws[type as TypeName];
}
