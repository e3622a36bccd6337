import type { PropertyMap } from "../../../provider/values/data";
import type { Sandbox, Service } from "../../../sandbox/index";
import { type Example, type JsonObject, organizationId } from "./example";

const place = { provider: "aws", region: "eu-central-1" };
const lake = { name: "lake", ...place, ipAccessList: [{ source: "203.0.113.0/24" }] };
const open = { deletionProtection: false };

const valid: JsonObject = {
  ...{ organizationId, adoptId: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59", name: "lake", ...place },
  ipAccessList: [{ source: "203.0.113.0/24", description: "office" }, { source: "2001:db8::1" }],
  ...{ autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 6 },
  ...{ minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16, idleScaling: true, idleTimeoutMinutes: 15 },
  ...{ dataWarehouseId: "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91", isReadonly: true },
  backupId: "0f3e6a54-2a8d-4c9e-8b6b-7d5c1f2e9a10",
  backupEncryptionConfig: { key: "secret" },
  ...{ releaseChannel: "fast", mysqlEndpoint: true, tags: [{ key: "team", value: "data" }, { key: "cost" }] },
  ...{ hasTransparentDataEncryption: true, transparentDataEncryptionKeyId: "arn:aws:kms:key" },
  ...{ complianceType: "hipaa", byocId: "account", profile: "v1-highmem-m", enableCoreDumps: false },
  ...{ privatePreviewTermsChecked: true, password: "a password of its own" },
  ...{ passwordKeepers: { rotation: "2027-01" }, desiredState: "running", deletionProtection: false },
  ...{ waitMinutes: 45, allowSameName: true },
};

const wholes = {
  "that scales vertically": {
    ...{ ...lake, ...open, ipAccessList: valid.ipAccessList ?? [], tags: valid.tags ?? [] },
    ...{ autoscalingMode: "vertical", numReplicas: 3, minReplicaMemoryGb: 16, maxReplicaMemoryGb: 32 },
    ...{ idleScaling: true, idleTimeoutMinutes: 15, releaseChannel: "fast", mysqlEndpoint: true },
    ...{ enableCoreDumps: false, desiredState: "running", keepOtherAddresses: false },
  },
  "that scales horizontally, and reads a warehouse": {
    ...{ ...lake, ...open, autoscalingMode: "horizontal", minReplicas: 2, maxReplicas: 6 },
    ...{ minReplicaMemoryGb: 16, maxReplicaMemoryGb: 16, idleScaling: false },
    ...{ dataWarehouseId: "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91", isReadonly: true },
  },
  "of a backup, with a key of its own": {
    ...{ ...lake, ...open, backupId: "0f3e6a54-2a8d-4c9e-8b6b-7d5c1f2e9a10" },
    backupEncryptionConfig: { key: "secret" },
    ...{ hasTransparentDataEncryption: true, transparentDataEncryptionKeyId: "arn:aws:kms:key" },
  },
  "in an account of its own": {
    ...{ ...lake, ...open, byocId: "account", profile: "v1-highmem-m", complianceType: "hipaa" },
    ...{ minReplicaMemoryGb: 16, maxReplicaMemoryGb: 32, privatePreviewTermsChecked: true },
  },
};

const home = "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59";

export const serviceExample: Example = {
  valid,
  wholes,
  programs: () => [
    { ...lake, ...open },
    { ...lake, ...open, ipAccessList: [{ source: "198.51.100.0/24" }] },
  ],
  bodyOf: ({ mysqlEndpoint, desiredState, deletionProtection, keepOtherAddresses, ...all }) => ({
    ...without(all, "transparentDataEncryptionKeyId"),
    ...(mysqlEndpoint !== undefined && { endpoints: [{ protocol: "mysql", enabled: mysqlEndpoint }] }),
  }),
  createdBy: ({ transparentDataEncryptionKeyId: key }) => [
    "createService",
    ...(key === undefined ? [] : ["updateService" as const]),
  ],
  isUpdatedInParts: true,
  find: ({ store }, id) => store.services.get(id),
  asDeclared: ({ endpoints, ...record }) => ({
    ...record,
    mysqlEndpoint: (endpoints as PropertyMap[]).some(({ protocol }) => protocol === "mysql"),
  }),
  // The allowed addresses and the tags of a service have no order, so tests compare them sorted: a restored one comes last.
  lasting: ({ ipAccessList, tags, ...record }) => ({
    ...record,
    ...(Array.isArray(ipAccessList) && { ipAccessList: sorted(ipAccessList) }),
    ...(Array.isArray(tags) && { tags: sorted(tags) }),
  }),
  made: ["dataWarehouseId", "endpoints", "passwordHash"],
  home,
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbb10",
    add: ({ sandbox }, id) => addService(sandbox, id),
  },
};

const without = (program: PropertyMap, name: string) =>
  Object.fromEntries(Object.entries(program).filter(([member]) => member !== name));

function addService({ store, credentials }: Sandbox, id: string): void {
  const first = store.services.get(credentials.serviceId) as Service;
  store.services.set(id, { ...structuredClone(first), ...{ id, name: "by hand", dataWarehouseId: id } });
}

const sorted = (entries: readonly unknown[]) => entries.map((entry) => JSON.stringify(entry)).sort();
