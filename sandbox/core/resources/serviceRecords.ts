import { seededAt } from "../credentials";
import type { IpAccess } from "../ipAccess";
import type { Lifecycle } from "./serviceStates";

type Seeded = ReturnType<typeof seededService>;

/** Members that a service has only if it was asked for. */
type Encryption =
  | ("encryptionKey" | "encryptionAssumedRoleIdentifier")
  | ("transparentDataEncryptionKeyId" | "encryptionRoleId");

/**
 * A service. Those of the product have more members: where one is absent, `productScaling.ts` adds it to answers as the services of
 * a new sandbox have it.
 */
export interface Service
  extends Omit<Seeded, Encryption>,
    Partial<Pick<Seeded, Encryption>>,
    Lifecycle,
    Partial<ProductMembers> {
  /** The product only. Absent: vertical, with `numReplicas`; horizontal has the range of replicas. */
  autoscalingMode?: "vertical" | "horizontal";
  minReplicas?: number;
  maxReplicas?: number;
  /** Absent: as usual. */
  backupConfiguration?: BackupConfiguration;
  upgradeWindow?: UpgradeWindow;
  /** Settings of the database that are set. Absent: none. */
  databaseSettings?: DatabaseSettings;
  /** The settings that reads show until a time, in milliseconds since 1970. */
  formerSettings?: { readonly settings: DatabaseSettings; readonly until: number };
  /** SHA-256 of the password of the user `default`, base64 as clients send it. No answer has it. */
  passwordHash?: string;
  /** For the protocol of MySQL, in hex. */
  passwordDoubleSha1?: string;
}

/** How a service is backed up. */
export interface BackupConfiguration {
  backupPeriodInHours: number;
  backupRetentionPeriodInHours: number;
  /** `HH:00` in UTC. */
  backupStartTime?: string;
}

/** When a service is upgraded. */
export interface UpgradeWindow {
  weekday: number;
  startHourUtc: number;
}

/** Values of settings of the database, by their names. */
export interface DatabaseSettings {
  readonly [name: string]: string | number;
}

/** A tag of a service. */
export interface Tag {
  key: string;
  value?: string;
}

/** What the product shows of a service besides. */
export interface ProductMembers {
  provider: "aws" | "gcp" | "azure";
  region: string;
  tier: string;
  releaseChannel: "slow" | "default" | "fast";
  profile: string;
  enableCoreDumps: boolean;
  tags: Tag[];
  complianceType?: "hipaa" | "pci";
  byocId?: string;
}

/** The addresses of a service, by protocol. That of MySQL exists once it is enabled. */
export function endpointsOf(host: string, hasMysql: boolean) {
  const all = [
    { protocol: "https", host, port: 8443, username: "default" },
    { protocol: "nativesecure", host, port: 9440, username: "default" },
    { protocol: "mysql", host, port: 3306, username: "default" },
  ];
  return hasMysql ? all : all.slice(0, 2);
}

const dataWarehouseId = "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91";

/** A service of a new sandbox. */
export function seededService(id: string, name: string, numReplicas: number, isPrimary: boolean) {
  const host = `${name}.eu-central-1.sandbox.example.com`;
  return {
    id,
    name,
    engineVersion: "25.6",
    endpoints: endpointsOf(host, false),
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
