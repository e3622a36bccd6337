import { type JsonObject, organizationId } from "./example";

/** A service with every property that the type has. */
const valid: JsonObject = {
  ...{ organizationId, adoptId: "7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59", name: "lake" },
  ...{ provider: "aws", region: "eu-central-1" },
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

export const serviceExample = { valid };
