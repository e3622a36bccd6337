import { seededAt } from "../credentials";
import type { IpAccess } from "../ipAccess";
import type { Lifecycle } from "./serviceStates";

type Seeded = ReturnType<typeof seededService>;

/** Properties about encryption, which a service has only if the request that created it asked for encryption. */
type Encryption =
  | ("encryptionKey" | "encryptionAssumedRoleIdentifier")
  | ("transparentDataEncryptionKeyId" | "encryptionRoleId");

/**
 * The record of a service. Properties that only ClickHouse Cloud has may be absent: `productScaling.ts` then adds the values of
 * a new sandbox to responses.
 */
export interface Service
  extends Omit<Seeded, Encryption>,
    Partial<Pick<Seeded, Encryption>>,
    Lifecycle,
    Partial<ProductMembers> {
  /**
   * The service's autoscaling mode, in the dialect `clickhouse` only. If absent, it is vertical, with `numReplicas`. A
   * horizontal service has a range of replicas.
   */
  autoscalingMode?: "vertical" | "horizontal";
  minReplicas?: number;
  maxReplicas?: number;
  /** The service's backup configuration. If absent, ClickHouse Cloud's defaults apply. */
  backupConfiguration?: BackupConfiguration;
  /** The service's snapshot configuration. If absent, it makes none. */
  snapshotConfiguration?: SnapshotConfiguration;
  /** The snapshots of the service. If absent, it has one of the time at which a new sandbox begins. */
  snapshots?: Snapshot[];
  /** Whether related requests go to the same replica. If absent, they do not. */
  replicaAwareRouting?: ReplicaAwareRouting;
  /** The backups of the service. If absent, it has one of the time at which a new sandbox begins. */
  backups?: Backup[];
  upgradeWindow?: UpgradeWindow;
  databaseSettings?: DatabaseSettings;
  /**
   * The old settings of the service's database, and the time (in milliseconds since 1970) until which reads still show them.
   */
  formerSettings?: { readonly settings: DatabaseSettings; readonly until: number };
  /** SHA-256 of the password of the database user `default`, in base64 as clients send it. No response contains it. */
  passwordHash?: string;
  /** The hash of the service's database password for MySQL's protocol, in hex. */
  passwordDoubleSha1?: string;
}

/** The backup configuration of a service: the hours between two backups, and the hours for which a backup is kept. */
export interface BackupConfiguration {
  backupPeriodInHours: number;
  backupRetentionPeriodInHours: number;
  /** The start time of the service's backups, as `HH:00` in UTC. */
  backupStartTime?: string;
}

/** How often a service makes snapshots, and for how long it keeps them, in minutes. */
export interface SnapshotConfiguration {
  enabled: boolean;
  gap: number;
  timeFrame: number;
}

/** A snapshot of a service. */
export interface Snapshot extends Omit<Backup, "status" | "type"> {
  status: Backup["status"] | "throttled";
  type: "full";
}

/** The protocols of a service over which related requests go to the same replica. */
export interface ReplicaAwareRouting {
  httpEnabled: boolean;
  nativeEnabled: boolean;
}

/** A backup of a service. */
export interface Backup {
  id: string;
  backupName?: string;
  status: "done" | "error" | "in_progress";
  type: "full" | "incremental";
  startedAt: string;
  finishedAt?: string;
  sizeInBytes: number;
  durationInSeconds: number;
}

/** The six hours of the week in which ClickHouse Cloud upgrades a service. */
export interface UpgradeWindow {
  weekday: number;
  startHourUtc: number;
}

export interface DatabaseSettings {
  readonly [name: string]: string | number;
}

export interface Tag {
  key: string;
  value?: string;
}

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

/** The addresses of a service, by protocol. It has an address for MySQL only if that protocol is enabled. */
export function endpointsOf(host: string, hasMysql: boolean) {
  const all = [
    { protocol: "https", host, port: 8443, username: "default" },
    { protocol: "nativesecure", host, port: 9440, username: "default" },
    { protocol: "mysql", host, port: 3306, username: "default" },
  ];
  return hasMysql ? all : all.slice(0, 2);
}

const dataWarehouseId = "b8e4d0f6-1c3a-4752-9f6d-0a7b5e2c8d91";

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
    /** Whether the service is the first of its warehouse. ClickHouse Cloud requires at least 2 replicas for it. */
    isPrimary,
    isReadonly: false,
    hasTransparentDataEncryption: true,
    transparentDataEncryptionKeyId: "d2f7a9c4-58e1-4b06-83ad-6c9e0f1b7a35",
    encryptionRoleId: "arn:aws:iam::000000000000:role/sandbox-key-access",
  };
}
