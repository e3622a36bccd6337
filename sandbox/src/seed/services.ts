import type { Service } from "../records";

const dataWarehouseId = "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91";

function service(id: string, name: string, numReplicas: number, isPrimary: boolean): Service {
  const host = `${name}.eu-central-1.sandbox.example.com`;
  return {
    id,
    name,
    engineVersion: "25.6",
    endpoints: [
      { protocol: "https", host, port: 8443, username: "default" },
      { protocol: "nativesecure", host, port: 9440, username: "default" },
    ],
    minTotalMemoryGb: 24,
    maxTotalMemoryGb: 48,
    minReplicaMemoryGb: 8,
    maxReplicaMemoryGb: 16,
    numReplicas,
    idleScaling: true,
    idleTimeoutMinutes: 15,
    ipAccessList: [{ source: "0.0.0.0/0", description: "Anywhere" }],
    createdAt: "2025-01-15T09:00:00.000Z",
    encryptionKey: `sandbox-only-encryption-key-${id.slice(-12)}`,
    encryptionAssumedRoleIdentifier: "arn:aws:iam::000000000000:role/sandbox-encryption",
    iamRole: "arn:aws:iam::000000000000:role/sandbox-service",
    privateEndpointIds: [],
    availablePrivateEndpointIds: ["vpce-0a1b2c3d4e5f60718"],
    dataWarehouseId,
    isPrimary,
    isReadonly: false,
    byocId: "",
    hasTransparentDataEncryption: true,
    transparentDataEncryptionKeyId: "d2f7a9c4-58e1-4b06-83ad-6c9e0f1b7a35",
    encryptionRoleId: "arn:aws:iam::000000000000:role/sandbox-key-access",
  };
}

/** Two services of one warehouse: the first (2 to 20 replicas), and one created in it (1 to 20). */
export const services = [
  service("7c2d9b40-6e15-4a83-b1f7-24d8e6a03c59", "warehouse", 3, true),
  service("e95f3a17-0b6c-4d29-a8e4-91c7d5b2f06a", "reporting", 1, false),
] as const;
