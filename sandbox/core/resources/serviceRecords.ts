import type { IpAccess } from "../ipAccess";

/** A service. Those of the product have more members, which `productScaling.ts` adds to answers. */
export interface Service {
  id: string;
  name: string;
  engineVersion: string;
  endpoints: { protocol: string; host: string; port: number; username: string }[];
  minTotalMemoryGb: number;
  maxTotalMemoryGb: number;
  minReplicaMemoryGb: number;
  maxReplicaMemoryGb: number;
  numReplicas: number;
  idleScaling: boolean;
  idleTimeoutMinutes: number;
  ipAccessList: IpAccess[];
  createdAt: string;
  encryptionKey: string;
  encryptionAssumedRoleIdentifier: string;
  iamRole: string;
  privateEndpointIds: string[];
  availablePrivateEndpointIds: string[];
  dataWarehouseId: string;
  /** True for the first service of its warehouse, which needs at least 2 replicas. */
  isPrimary: boolean;
  isReadonly: boolean;
  byocId: string;
  hasTransparentDataEncryption: boolean;
  transparentDataEncryptionKeyId: string;
  encryptionRoleId: string;
  /** The product only. Absent: vertical, with `numReplicas`; horizontal has the range of replicas. */
  autoscalingMode?: "vertical" | "horizontal";
  minReplicas?: number;
  maxReplicas?: number;
}
