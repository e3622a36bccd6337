import { seededAt } from "../credentials";
import type { IpAccess } from "../ipAccess";

/** A service. Those of the product have more members, which `productScaling.ts` adds to answers. */
export interface Service extends ReturnType<typeof seededService> {
  /** The product only. Absent: vertical, with `numReplicas`; horizontal has the range of replicas. */
  autoscalingMode?: "vertical" | "horizontal";
  minReplicas?: number;
  maxReplicas?: number;
}

const dataWarehouseId = "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91";

/** A service of a new sandbox. */
export function seededService(id: string, name: string, numReplicas: number, isPrimary: boolean) {
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
    ipAccessList: [{ source: "0.0.0.0/0", description: "Anywhere" }] as IpAccess[],
    createdAt: seededAt,
    encryptionKey: `sandbox-only-encryption-key-${id.slice(-12)}`,
    encryptionAssumedRoleIdentifier: "arn:aws:iam::000000000000:role/sandbox-encryption",
    iamRole: "arn:aws:iam::000000000000:role/sandbox-service",
    privateEndpointIds: [] as string[],
    availablePrivateEndpointIds: ["vpce-0a1b2c3d4e5f60718"],
    dataWarehouseId,
    /** True for the first service of its warehouse, which needs at least 2 replicas. */
    isPrimary,
    isReadonly: false,
    hasTransparentDataEncryption: true,
    transparentDataEncryptionKeyId: "d2f7a9c4-58e1-4b06-83ad-6c9e0f1b7a35",
    encryptionRoleId: "arn:aws:iam::000000000000:role/sandbox-key-access",
  };
}
