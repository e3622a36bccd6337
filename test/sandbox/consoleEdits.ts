import type { Row } from "../../sandbox/core/kinds";
import type { Store } from "../../sandbox/core/store";
import { seededCredentials } from "../../sandbox/index";
import { savedSearchId, webhookId } from "./requests";

interface ObjectEdit {
  /** The JSON of an object of this kind, for kinds of which a new sandbox has none. */
  readonly made?: object;
  /** What somebody changes in the last object of the kind. */
  readonly change: { readonly [member: string]: unknown };
}

const { serviceId } = seededCredentials;

const query = { name: "Daily", sql: "SELECT 1", database: "default" };
const night = {
  name: "nights",
  weekdays: [1],
  startHourUtc: 1,
  endHourUtc: 5,
  minReplicas: 2,
  maxReplicas: 2,
};
const watched = { source: "saved_search", savedSearchId, channel: { type: "webhook", webhookId } };

/** An edit for each kind of objects in a sandbox of the dialect `clickhouse`. */
export const edits: { readonly [kind: string]: ObjectEdit } = {
  organizations: { change: { name: "Renamed" } },
  keys: { change: { name: "by hand" } },
  roles: { change: { name: "by hand" } },
  members: { change: { roleIds: ["0d1f2a3b-4c5d-4e6f-8a7b-9c0d1e2f3a02"] } },
  invitations: { made: { email: "eve@example.com" }, change: { email: "ann@example.com" } },
  activities: { change: { actorDetails: "by hand" } },
  services: {
    change: {
      ...{ name: "by hand", tags: [{ key: "team", value: "data" }], numReplicas: 5 },
      ipAccessList: [{ source: "10.0.0.0/8", description: "office" }],
    },
  },
  backupBuckets: {
    made: {
      ...{ bucketProvider: "AWS", bucketPath: "https://backups.s3.amazonaws.com/lake" },
      iamRoleArn: "arn:aws:iam::000000000000:role/backups",
    },
    change: { bucketPath: "https://backups.s3.amazonaws.com/other" },
  },
  snapshotConfiguration: { change: { enabled: true } },
  replicaAwareRouting: { change: { httpEnabled: true } },
  backupConfiguration: { change: { backupPeriodInHours: 12 } },
  upgradeWindow: { made: { startHourUtc: 6, weekday: 2 }, change: { weekday: 3 } },
  clickhouseSettings: { change: { settings: [{ name: "async_insert", value: "1" }] } },
  scalingSchedules: {
    made: { entries: [night] },
    change: { entries: [{ ...night, endHourUtc: 6 }] },
  },
  queryEndpoints: { made: { openApiKeys: [], roles: [] }, change: { allowedOrigins: "https://a.example" } },
  pipes: { change: { name: "by hand" } },
  pipeCdcScaling: { change: { replicaMemoryGb: 16, replicaCpuMillicores: 4000 } },
  reversePrivateEndpoints: { change: { dnsNames: ["by-hand.example.com"] } },
  postgresServices: {
    made: { name: "orders", provider: "aws", region: "eu-central-1", size: "r8gd.large" },
    change: { size: "r8gd.xlarge", tags: [{ key: "team", value: "data" }], pgConfig: { work_mem: "8MB" } },
  },
  sshTunnels: { change: { host: "other.example.com" } },
  udfs: { change: { status: "error", error: "by hand" } },
  udfAttachments: { change: { status: "error" } },
  savedQueries: { made: query, change: { sql: "SELECT 2" } },
  queryApiEndpoints: {
    made: { ...query, apiKeyIds: ["c6a1e9d4-2b57-4f38-8d60-7e91b3a5f204"], roles: ["sql_console_admin"] },
    change: { sql: "SELECT 2" },
  },
  dashboards: { made: { name: "Overview", tiles: [] }, change: { name: "by hand" } },
  alerts: {
    made: { ...watched, threshold: 5, thresholdType: "above", interval: "5m" },
    change: { threshold: 9 },
  },
  connections: { change: { host: "https://by-hand.example.com" } },
  sources: { change: { name: "by hand" } },
  webhooks: { change: { description: "by hand" } },
  savedSearches: { change: { where: "SeverityText:fatal" } },
  clickStackRoles: {
    made: { name: "By hand", permissions: [] },
    change: { description: "by hand", permissions: [] },
  },
};

/** Puts objects into a sandbox of which no request makes one. */
export function furnish({ members, activities, organization, udfs, udfAttachments }: Store): void {
  const id = "0f2b6c1e-8d47-4a95-b3e0-61c9d2f7a8b5";
  const createdAt = "2026-01-15T09:00:00.000Z";
  members.set(id, { id, email: "bob@example.com", name: "Bob", joinedAt: createdAt, roleIds: [] });
  activities.set(id, {
    ...{ id, createdAt, type: "openapi_key_update", actorType: "user", actorId: id, actorDetails: "" },
    organizationId: organization.id,
  });
  const [functionName, version] = ["by_hand", 1];
  udfs.set(functionName, {
    ...{ id: functionName, functionName, version, status: "ready", error: null, older: [] },
    ...{ runtime: "python3.11", type: "executable", arguments: [], returnType: "String", returnName: null },
    ...{ format: "TabSeparated", deterministic: false, sendChunkHeader: false, memoryLimitMib: null },
    ...{
      commandReadTimeout: 10_000,
      commandWriteTimeout: 10_000,
      maxCommandExecutionTime: 10,
      poolSize: null,
    },
    ...{ sandboxType: "basic", sandboxVersion: "v2", createdAt, updatedAt: createdAt },
  });
  const attachment = { functionName, serviceId, version, status: "deployed" };
  udfAttachments.set(`${functionName}:${serviceId}`, { id: `${functionName}:${serviceId}`, ...attachment });
}

/** Finds the last object of a kind that belongs to the first service or the organization. */
export const lastOf = (rows: readonly Row[]): Row | undefined =>
  rows.filter((row) => row.id === serviceId || (row.serviceId ?? serviceId) === serviceId).at(-1);
