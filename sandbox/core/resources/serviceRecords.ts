import { seededAt } from "../credentials";
import type { IpAccess } from "../ipAccess";
import type { Lifecycle } from "./serviceStates";

type Seeded = ReturnType<typeof seededService>;

/** Members of encryption, which a service has only if its create asked for them. */
type Encryption =
  | ("encryptionKey" | "encryptionAssumedRoleIdentifier")
  | ("transparentDataEncryptionKeyId" | "encryptionRoleId");

/**
 * A service. Members that only the product has may be absent: `productScaling.ts` then adds them to answers, with the
 * values of a new sandbox.
 */
export interface Service
  extends Omit<Seeded, Encryption>,
    Partial<Pick<Seeded, Encryption>>,
    Lifecycle,
    Partial<ProductMembers> {
  /**
   * The autoscaling mode, on the product only. Absent: vertical, with `numReplicas`. A horizontal service has the range
   * of replicas.
   */
  autoscalingMode?: "vertical" | "horizontal";
  minReplicas?: number;
  maxReplicas?: number;
  /** How the service is backed up. Absent: by default. */
  backupConfiguration?: BackupConfiguration;
  upgradeWindow?: UpgradeWindow;
  /** The settings of the database that are set. Absent: none. */
  databaseSettings?: DatabaseSettings;
  /** The old settings, which reads still show until a time in milliseconds since 1970. */
  formerSettings?: { readonly settings: DatabaseSettings; readonly until: number };
  /** SHA-256 of the password of the user `default`, in base64 as clients send it. No answer has it. */
  passwordHash?: string;
  /** The hash of the password for MySQL's protocol, in hex. */
  passwordDoubleSha1?: string;
}

/** The backup configuration of a service. */
export interface BackupConfiguration {
  backupPeriodInHours: number;
  backupRetentionPeriodInHours: number;
  /** The start time of backups, `HH:00` in UTC. */
  backupStartTime?: string;
}

/** The upgrade window of a service. */
export interface UpgradeWindow {
  weekday: number;
  startHourUtc: number;
}

/** Values of the database's settings, by name. */
export interface DatabaseSettings {
  readonly [name: string]: string | number;
}

/** A tag of a service. */
export interface Tag {
  key: string;
  value?: string;
}

/** Members of a service that only the product has. */
export interface ProductMembers {
  provider: "aws" | "gcp" | "azure";
  region: string;
  releaseChannel: "slow" | "default" | "fast";
  profile: string;
  enableCoreDumps: boolean;
  tags: Tag[];
  complianceType?: "hipaa" | "pci";
  byocId?: string;
}

/** The addresses of a service, by protocol. The address for MySQL exists only if that protocol is enabled. */
export function endpointsOf(host: string, hasMysql: boolean) {
  const all = [
    { protocol: "https", host, port: 8443, username: "default" },
    { protocol: "nativesecure", host, port: 9440, username: "default" },
    { protocol: "mysql", host, port: 3306, username: "default" },
  ];
  return hasMysql ? all : all.slice(0, 2);
}

const dataWarehouseId = "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91";

/** Makes a service of a new sandbox. */
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
