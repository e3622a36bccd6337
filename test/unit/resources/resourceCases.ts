import type { ResourceType } from "../hosts/dynamic/freshProvider";
import { absent, type Json } from "./validInputs";

/** Path of the property that is changed, its value, what the provider says, and of which property if of another. */
export type Case = readonly [path: string, value: Json | typeof absent, reason: string, about?: string];

const uuid = "must be a uuid, such as 7b0f0f0e-27a2-4f0c-9f43-9c1d6a0a3c11";
const text = "must be a non-empty string";
const required = "is required";

const place: readonly Case[] = [
  ["organizationId", "my-organization", uuid],
  ["organizationId", 7, uuid],
  ["serviceId", "", uuid],
  ["serviceId", "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59\n", uuid],
  ["serviceId", ["7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59"], uuid],
];

const replicas = "must be a whole number from 1 to 20";
const minutes = "must be a whole number of at least 5";
const memory = "must be a whole number from 24 to 1068, a multiple of 12";

const scaling: readonly Case[] = [
  ...place,
  ["numReplicas", 0, replicas],
  ["numReplicas", 21, replicas],
  ["numReplicas", 2.5, replicas],
  ["numReplicas", "3", replicas],
  ["numReplicas", null, replicas],
  ["idleScaling", "yes", "must be true or false"],
  ["idleScaling", 1, "must be true or false"],
  ["idleTimeoutMinutes", 4, minutes],
  ["idleTimeoutMinutes", 5.5, minutes],
  ["idleTimeoutMinutes", "15 minutes", minutes],
  ["minTotalMemoryGb", 12, memory],
  ["minTotalMemoryGb", 30, memory],
  ["minTotalMemoryGb", "24", memory],
  ["maxTotalMemoryGb", 1080, memory],
  ["maxTotalMemoryGb", 47.5, memory],
  ["maxTotalMemoryGb", {}, memory],
  ["minTotalMemoryGb", 60, "must be at most maxTotalMemoryGb"],
  ["onDestroy", "delete", "must be one of keep, restore"],
  ["onDestroy", true, "must be one of keep, restore"],
  ["minReplicaMemoryGb", 8, "needs the setting dialect to be clickhouse"],
  [
    "replicas",
    3,
    "is not a valid property; expected one of organizationId, serviceId, numReplicas, idleScaling, idleTimeoutMinutes, minTotalMemoryGb, maxTotalMemoryGb, minReplicaMemoryGb, maxReplicaMemoryGb, onDestroy",
  ],
];

const roles = "must be one of admin, developer, query_endpoints";
const expiry = "must be a date and time with a zone, such as 2027-01-31T00:00:00Z, or null for never";
const address = "must be an IP address or a CIDR range, such as 203.0.113.0/24";

const apiKey: readonly Case[] = [
  ["organizationId", "", uuid],
  ["adoptId", "", text],
  ["adoptId", 12, text],
  ["name", "", text],
  ["name", ["reporting"], text],
  ["roles", absent, required],
  ["roles", [], "must be a list with at least one entry"],
  ["roles", "admin", "must be a list with at least one entry"],
  ["roles", ["admin", "developer", "admin"], "contains a duplicate: entries 0 and 2 are equal"],
  ["roles[1]", "owner", roles],
  ["roles[0]", null, roles],
  ["state", "paused", "must be one of enabled, disabled"],
  ["state", true, "must be one of enabled, disabled"],
  ["expireAt", "tomorrow", expiry],
  ["expireAt", "2999-12-31", expiry],
  ["expireAt", "2999-12-31T00:00:00", expiry],
  ["expireAt", "2999-13-01T00:00:00Z", expiry],
  ["expireAt", "2999-02-30T00:00:00Z", expiry],
  ["expireAt", 1798761600000, expiry],
  ["expireAt", {}, expiry],
  ["ipAccessList", [], "must be a list with at least one entry"],
  ["ipAccessList", "203.0.113.0/24", "must be a list with at least one entry"],
  ["ipAccessList[0]", "203.0.113.0/24", "must be an object"],
  ["ipAccessList[0].source", absent, required],
  ["ipAccessList[0].source", "office", address],
  ["ipAccessList[0].source", "203.0.113.256", address],
  ["ipAccessList[0].source", "203.0.113.0/33", address],
  ["ipAccessList[1].source", "2001:db8::/129", address],
  ["ipAccessList[1].source", "", address],
  ["ipAccessList[1].source", 10, address],
  ["ipAccessList[1].description", 5, "must be a string"],
  ["ipAccessList[1].cidr", "203.0.113.0/24", "is not a valid property; expected one of source, description"],
  ["hashData", "hash", "must be an object"],
  ["hashData.keyIdHash", absent, required],
  ["hashData.keyIdHash", "", text],
  ["hashData.keyIdSuffix", 1234, text],
  ["hashData.keySecretHash", null, text],
  ["hashData.salt", "s", "is not a valid property; expected one of keyIdHash, keyIdSuffix, keySecretHash"],
  ["keepers", "2027-01", "must be an object"],
  ["keepers.rotation", 1, "must be a string"],
  [
    "secret",
    "s",
    "is not a valid property; expected one of organizationId, adoptId, name, roles, state, expireAt, ipAccessList, hashData, keepers",
  ],
];

const endpointRoles = "must be one of sql_console_read_only, sql_console_admin";
const origins = "must be a list of domains without spaces or commas, or a string of them separated by commas";

const queryEndpoint: readonly Case[] = [
  ...place,
  ["roles", absent, required],
  ["roles", [], "must be a list with at least one entry"],
  ["roles[1]", "admin", endpointRoles],
  ["roles[1]", "sql_console_read_only", "contains a duplicate: entries 0 and 1 are equal", "roles"],
  ["openApiKeys", absent, required],
  ["openApiKeys", [], "must be a list with at least one entry"],
  ["openApiKeys", "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204", "must be a list with at least one entry"],
  ["openApiKeys[1]", "", text],
  [
    "openApiKeys[1]",
    "c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204",
    "contains a duplicate: entries 0 and 1 are equal",
    "openApiKeys",
  ],
  ["allowedOrigins", 80, origins],
  ["allowedOrigins", ["https://a.example.com, https://b.example.com"], origins],
  ["allowedOrigins", [""], origins],
  ["allowedOrigins", "https://a.example.com https://b.example.com", origins],
  ["allowedOrigins", { all: true }, origins],
  [
    "origins",
    ["*"],
    "is not a valid property; expected one of organizationId, serviceId, roles, openApiKeys, allowedOrigins",
  ],
];

const interval = "must be a count and a unit (s, m, h or d), such as 5m";

const alert: readonly Case[] = [
  ...place,
  ["adoptId", "", text],
  ["name", "", text],
  ["message", 5, text],
  ["threshold", absent, required],
  ["threshold", "500", "must be a number"],
  ["threshold", null, "must be a number"],
  ["interval", absent, required],
  ["interval", "5 minutes", interval],
  ["interval", "0m", interval],
  ["interval", "m", interval],
  ["interval", 300, interval],
  ["thresholdType", absent, required],
  ["thresholdType", "over", "must be one of above, below"],
  ["source", absent, required],
  ["source", "saved_search", "must be one of tile, search"],
  ["dashboardId", absent, 'is required when source is "tile"'],
  ["dashboardId", "", text],
  ["tileId", absent, 'is required when source is "tile"'],
  ["tileId", {}, text],
  ["channel", absent, required],
  ["channel", "webhook", "must be an object"],
  ["channel", [], "must be an object"],
  ["channel.type", absent, required],
  ["channel.type", "", text],
  ["channel.webhookId", absent, required],
  ["channel.webhookId", 5, text],
  ["thresholdType", "equal", "must be one of above, below"],
  ["thresholdMax", 9, "needs the setting dialect to be clickhouse"],
  ["savedSearch", "s", "needs the setting dialect to be clickhouse"],
  ["channels", [{ type: "webhook", webhookId: "w" }], "needs the setting dialect to be clickhouse"],
  ["channel.url", "https://hooks.example.com", "is not a valid property; expected one of type, webhookId"],
  [
    "treshold",
    500,
    "is not a valid property; expected one of organizationId, serviceId, adoptId, name, message, threshold, thresholdMax, interval, thresholdType, source, dashboardId, tileId, savedSearch, groupBy, channel, channels",
  ],
];

const grid = "must be a number of at least 0";
const size = "must be a number of at least 1";

const dashboard: readonly Case[] = [
  ...place,
  ["adoptId", false, text],
  ["name", absent, required],
  ["name", "", text],
  ["tiles", absent, required],
  ["tiles", {}, "must be a list"],
  ["tiles[1]", "Rows", "must be an object"],
  ["tiles[1].id", "", text],
  ["tiles[1].id", "66f0c2d8a1b2c3d4e5f60703", "duplicates the id of tiles[0]"],
  ["tiles[1].name", absent, required],
  ["tiles[1].name", "", text],
  ["tiles[0].x", -1, grid],
  ["tiles[0].y", "0", grid],
  ["tiles[1].w", 0, size],
  ["tiles[1].w", absent, required],
  ["tiles[1].h", 0.5, size],
  ["tiles[1].h", null, size],
  ["tiles[0].asRatio", "no", "must be true or false"],
  ["tiles[0].series", absent, "is required unless config is declared"],
  ["tiles[1].series[0].type", "table", 'is required unless type is "number"', "tiles[1].series[0].groupBy"],
  ["tiles[0].series[1].sourceId", "", text],
  ["tiles[0].series[1].level", 95, "must be a number from 0 to 1"],
  ["tiles[0].series[1].whereLanguage", "promql", "must be one of lucene, sql"],
  ["tiles[0].series[1].field", 5, "must be a string"],
  ["tiles[0].series[1].alias", "", text],
  ["tiles[0].series[1].metricName", "", text],
  ["tiles[0].series[1].metricDataType", {}, text],
  [
    "tiles[1].series[0].source",
    "logs",
    "is not a valid property; expected one of type, dataSource, aggFn, where, groupBy, sourceId, field, level, whereLanguage, alias, metricName, metricDataType",
  ],
  ["tiles[1].config", { displayType: "line" }, "conflicts with config", "tiles[1].series"],
  [
    "tiles[1].width",
    6,
    "is not a valid property; expected one of id, name, x, y, w, h, asRatio, series, config",
  ],
  ["tags", "production", "must be a list"],
  ["tags[1]", "", text],
  ["tags[1]", "production", "contains a duplicate: entries 0 and 1 are equal", "tags"],
  [
    "description",
    "x",
    "is not a valid property; expected one of organizationId, serviceId, adoptId, name, tiles, tags",
  ],
];

/** Everything that can be wrong with the inputs of each type. */
export const cases: { readonly [Type in ResourceType]: readonly Case[] } = {
  ServiceScaling: scaling,
  ApiKey: apiKey,
  QueryEndpoint: queryEndpoint,
  Alert: alert,
  Dashboard: dashboard,
};
