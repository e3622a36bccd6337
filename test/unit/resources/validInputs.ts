import type { TypeName } from "../../../provider/resources/registry";

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [name: string]: Json };

const organizationId = "3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10";
const serviceId = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";

/** Hashes that no message may show. */
export const hashData = {
  keyIdHash: "hash-of-key-id-5d41402abc",
  keyIdSuffix: "suffix-b4c7",
  keySecretHash: "hash-of-key-secret-7d793037a0",
};

/** One valid object for each type, with every property that the type has. */
export const validInputs: { readonly [Type in TypeName]: JsonObject } = {
  ServiceScaling: {
    organizationId,
    serviceId,
    numReplicas: 3,
    idleScaling: true,
    idleTimeoutMinutes: 15,
    minTotalMemoryGb: 24,
    maxTotalMemoryGb: 48,
    onDestroy: "keep",
  },
  ApiKey: {
    organizationId,
    adoptId: "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204",
    name: "reporting",
    roles: ["admin", "developer"],
    state: "enabled",
    expireAt: "2999-12-31T00:00:00Z",
    ipAccessList: [
      { source: "203.0.113.0/24", description: "office" },
      { source: "2001:db8::1", description: "" },
    ],
    hashData,
    keepers: { rotation: "2027-01" },
  },
  QueryEndpoint: {
    organizationId,
    serviceId,
    roles: ["sql_console_read_only", "sql_console_admin"],
    openApiKeys: ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204", "0b1c2d3e-4f50-4617-8293-a4b5c6d7e8f9"],
    allowedOrigins: ["https://app.example.com", "https://reports.example.com"],
  },
  Alert: {
    organizationId,
    serviceId,
    adoptId: "66f0c2d8a1b2c3d4e5f60701",
    name: "Slow queries",
    message: "Queries take longer than usual",
    threshold: 500,
    interval: "5m",
    thresholdType: "above",
    source: "tile",
    dashboardId: "66f0c2d8a1b2c3d4e5f60702",
    tileId: "66f0c2d8a1b2c3d4e5f60703",
    channel: { type: "webhook", webhookId: "66f0c2d8a1b2c3d4e5f60718" },
  },
  Dashboard: {
    organizationId,
    serviceId,
    adoptId: "66f0c2d8a1b2c3d4e5f60702",
    name: "Ingestion",
    tiles: [
      {
        id: "66f0c2d8a1b2c3d4e5f60703",
        name: "Errors",
        x: 0,
        y: 0,
        w: 12,
        h: 4,
        asRatio: true,
        series: [
          {
            type: "time",
            dataSource: "logs",
            aggFn: "count",
            where: "level:error",
            groupBy: ["service", "host"],
          },
          {
            type: "time",
            sourceId: "66f0c2d8a1b2c3d4e5f60704",
            aggFn: "quantile",
            level: 0.95,
            field: "Duration",
            where: "",
            whereLanguage: "lucene",
            alias: "slowest",
            metricName: "http.server.duration",
            metricDataType: "gauge",
            groupBy: [],
          },
        ],
      },
      { name: "Rows", x: 12, y: 0, w: 6, h: 4, series: [{ type: "number", aggFn: "sum", where: "" }] },
    ],
    tags: ["production", "ingestion"],
  },
};

/** Stands for a property that is taken out. */
export const absent = Symbol("absent");

/** A copy of the object in which the property at the path, such as `tiles[1].series[0].type`, is another one. */
export function withChange(object: JsonObject, path: string, value: Json | typeof absent): JsonObject {
  const copy = JSON.parse(JSON.stringify(object)) as JsonObject;
  const keys = path.split(/[.[\]]+/).filter((key) => key !== "");
  let inside = copy as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) inside = inside[key] as Record<string, unknown>;
  const last = keys.at(-1) ?? "";
  if (value === absent) delete inside[last];
  else inside[last] = value;
  return copy;
}

/** The paths of all places inside a value, at every depth. */
export function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => {
    const inside = Array.isArray(value) ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`;
    return [inside, ...pathsIn(member, inside)];
  });
}
