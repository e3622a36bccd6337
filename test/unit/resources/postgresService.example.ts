import type { PostgresService } from "../../../sandbox/index";
import { type Example, organizationId } from "./example";

const place = { provider: "aws", region: "eu-central-1", size: "r8gd.large" };
const orders = { name: "orders", ...place };
const open = { deletionProtection: false };
const rule = { source: "203.0.113.0/24", portRange: "5432" };

/** The Postgres service of somebody else. */
export const postgresServiceId = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190";
const parent = "4d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7191";

const whole = {
  ...{ ...orders, postgresVersion: "17", haType: "async" },
  ipAccessList: [{ ...rule, description: "office" }],
  ...{ keepOtherAddresses: false, tags: [{ key: "team", value: "data" }] },
  ...{ pgConfig: { max_connections: 200, work_mem: "8MB" }, pgBouncerConfig: { default_pool_size: "16" } },
};

export const postgresServiceExample: Example = {
  valid: {
    ...{ organizationId, adoptId: "5b0e9d8c-7f6a-4b5c-8d9e-0f1a2b3c4d62", ...whole, ...open },
    ...{ restoreOf: postgresServiceId, restoreTarget: "2026-10-01T08:00:00Z", restartForConfig: true },
    ...{ password: "Secret-12-Secret", passwordKeepers: { rotation: "2027-01" } },
    ...{ waitMinutes: 45, allowSameName: true },
  },
  // A read replica has tests of its own: the service changes nothing but its parameters.
  wholes: {
    "with all members": { ...whole, ...open },
    alone: { ...orders, ...open },
    "that is restored": {
      ...{ name: "restored", ...open, restoreOf: parent, restoreTarget: "2026-10-01T08:00:00Z" },
      pgConfig: { work_mem: "8MB" },
    },
  },
  programs: () => [
    { ...orders, ...open },
    { ...orders, ...open, size: "r8gd.xlarge" },
  ],
  createdBy: ({ restoreOf }) => [
    restoreOf === undefined ? "createPostgresService" : "restorePostgresService",
  ],
  alternatives: { size: ["r8gd.xlarge"], source: ["198.51.100.0/24"], portRange: ["6432"] },
  bodyOf: ({ deletionProtection, keepOtherAddresses, restoreOf, ...body }) => body,
  shownAt: (path) => (/^restore(Of|Target)\b/.test(path) ? undefined : path),
  isUpdatedInParts: true,
  isListedInPart: true,
  isSentBeside: (path) => path.startsWith("tags"),
  find: ({ store }, id) => store.postgresServices.get(id),
  made: ["hostname", "passwordHash", "firstBackupAt", "ipAccessList"],
  // The service gives each rule of access a new id.
  lasting: ({ former, ipAccessList, ...record }) => ({
    ...record,
    ...(Array.isArray(ipAccessList) && { ipAccessList: ipAccessList.map(({ id, ...rule }) => rule) }),
  }),
  furnish: ({ sandbox }) => {
    for (const [id, name] of [
      [postgresServiceId, "by hand"],
      [parent, "parent"],
    ] as const)
      addPostgres(sandbox.store, id, name);
  },
  home: postgresServiceId,
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbb14",
    add: ({ sandbox }, id) => addPostgres(sandbox.store, id, "by hand"),
  },
};

type Store = { readonly postgresServices: Map<string, PostgresService> };

/** Adds a Postgres service that runs and has backups. */
export function addPostgres({ postgresServices }: Store, id: string, name: string): void {
  postgresServices.set(id, {
    ...{ id, name, provider: "aws", region: "eu-central-1", size: "r8gd.large", haType: "none" },
    ...{ postgresVersion: "18", tags: [], state: "running", createdAt: "2026-09-01T08:00:00.000Z" },
    ipAccessList: [{ id: "1d7a1f36-9b52-4c8e-a0d3-6e2f8b5c7190", source: "0.0.0.0/0", portRange: "5432" }],
    hostname: `${id.slice(0, 8)}.eu-central-1.aws.pg.sandbox.example.com`,
    ...{
      pgConfig: {},
      pgBouncerConfig: {},
      passwordHash: "",
      firstBackupAt: Date.parse("2026-09-01T09:00:00Z"),
    },
  });
}
