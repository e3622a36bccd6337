import type { TypeName } from "./program";
import type { Random } from "./random";
import type { Dialect } from "./world/behaviour";

/** The values of properties that programs declare. */

export const webhookIds = ["66f0c2d8a1b2c3d4e5f60718", "66f0c2d8a1b2c3d4e5f60719"] as const;

/** What everybody reads: a source, and the connection to its database. */
export const sourceId = "66f0c2d8a1b2c3d4e5f60750";
export const connectionId = "66f0c2d8a1b2c3d4e5f60751";

const intervals: { readonly [dialect in Dialect]: readonly string[] } = {
  neutral: ["1m", "5m", "60m", "1h"],
  clickhouse: ["1m", "5m", "30m", "1h"],
};
const words = ["Errors", "Slow queries", "Rows", "Errors "];

/** The values that a property of a type can have, by type and property. Optional ones may be dropped. */
export const values: Record<TypeName, Record<string, (random: Random, dialect: Dialect) => unknown>> = {
  Alert: {
    name: (random) => random.pick(words),
    message: (random) => random.pick(["Look at it", "Wake up"]),
    threshold: (random) => random.integer(1, 5),
    interval: (random, dialect) => random.pick(intervals[dialect]),
    thresholdType: (random) => random.pick(["above", "below"]),
    channel: (random) => ({ type: "webhook", webhookId: random.pick(webhookIds) }),
  },
  Dashboard: {
    name: (random) => random.pick(words),
    tags: (random) => random.pick([["a"], ["B", "a"], []]),
  },
  ApiKey: {
    name: (random) => random.pick(["reporting", "ingest"]),
    roles: (random) => random.pick([["developer"], ["developer", "query_endpoints"]]),
    state: (random) => random.pick(["enabled", "disabled"]),
    expireAt: (random) => random.pick(["2031-01-01T00:00:00Z", "2032-02-03T04:05:06+02:00"]),
    ipAccessList: () => [{ source: "203.0.113.0/24", description: "office" }],
    keepers: (random) => ({ rotation: String(random.integer(1, 9)) }),
  },
  Webhook: {
    // Only one webhook of each service may have a name.
    name: (random) => `team ${random.integer(1, 30)}`,
    url: (random) => `https://hooks.example.com/T0K3N${random.integer(1, 3)}`,
    description: (random) => random.pick(["Pages", "Mails"]),
    body: (random) => random.pick(["{{title}}", "{{body}}"]),
    headers: (random) => ({ "x-key": `h34d3r-${random.integer(1, 3)}` }),
    queryParams: (random) => ({ team: `p4r4m-${random.integer(1, 3)}` }),
  },
  SavedSearch: {
    name: (random) => random.pick(["Errors", "Failing", "Slow"]),
    where: (random) => random.pick(["level:error", "level:warn"]),
    orderBy: () => "Timestamp DESC",
    select: (random) => random.pick(["Timestamp", "Timestamp, Body"]),
    tags: (random) => random.pick([["a"], ["B", "a"], []]),
  },
  Connection: {
    name: (random) => random.pick(["Lake", "Warehouse"]),
    host: (random) => `https://db${random.integer(1, 3)}.example.com:8443`,
    username: (random) => random.pick(["reader", "writer", ""]),
    password: (random) => `p4ssw0rd-${random.integer(1, 3)}`,
    hyperdxSettingPrefix: (random) => random.pick(["lake_", "db_"]),
    isPrometheusEndpoint: (random) => random.chance(0.5),
  },
  Source: {
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
  QueryEndpoint: {
    roles: (random) => random.pick([["sql_console_read_only"], ["sql_console_admin"]]),
    allowedOrigins: (random) => random.pick([["https://a.example"], "https://a.example,https://b.example"]),
  },
  ServiceScaling: {
    numReplicas: (random) => random.integer(2, 5),
    idleScaling: (random) => random.chance(0.5),
    idleTimeoutMinutes: (random) => random.integer(5, 9),
    onDestroy: (random) => random.pick(["keep", "restore"]),
  },
};

export const required: Record<TypeName, readonly string[]> = {
  Alert: ["threshold", "interval", "thresholdType", "channel"],
  Dashboard: ["name"],
  ApiKey: ["roles", "name"],
  Webhook: ["name", "url"],
  SavedSearch: ["name"],
  Connection: ["name", "host", "username"],
  Source: ["name", "from", "timestampValueExpression", "defaultTableSelectExpression"],
  QueryEndpoint: ["roles"],
  ServiceScaling: ["numReplicas"],
};
