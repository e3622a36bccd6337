import type { Tag } from "./serviceRecords";

export type PostgresState =
  | ("creating" | "restarting" | "running" | "replaying_wal" | "restoring_backup" | "finalizing_restore")
  | ("unavailable" | "stopped" | "deleting" | "deleted");

/** A rule that lets an IPv4 network reach ports of a Postgres service. ClickHouse Cloud gives it the id. */
export interface PostgresAccess {
  id: string;
  source: string;
  portRange: string;
  description?: string;
}

/** Parameters of Postgres or PgBouncer that somebody has set. Answers have their values as texts. */
export interface PostgresParameters {
  [name: string]: string;
}

/** The members of a Postgres service that take a while to change, during which reads show the values from before. */
interface Resized {
  size: string;
  haType: "async" | "none" | "sync";
}

export interface PostgresService extends Resized {
  id: string;
  name: string;
  provider: "aws" | "gcp";
  region: string;
  postgresVersion: "17" | "18";
  tags: Tag[];
  ipAccessList: PostgresAccess[];
  hostname: string;
  createdAt: string;
  /** The state of the Postgres service, and the states into which it will pass, in their order. */
  state: PostgresState;
  steps?: PostgresStep[];
  /** The service of which this one is a read replica. No answer shows it. */
  parentId?: string;
  /** When the first backup is complete, in milliseconds since 1970. A read replica has no backups. */
  firstBackupAt?: number;
  pgConfig: PostgresParameters;
  pgBouncerConfig: PostgresParameters;
  /** The size and the kind of standbys that reads still show, and until when, in milliseconds since 1970. */
  former?: Resized & { until: number };
  /** SHA-256 of the superuser's password, in base64. No answer has it. */
  passwordHash: string;
}

interface PostgresStep {
  state: PostgresState;
  /** When the Postgres service enters this state, in milliseconds since 1970. */
  at: number;
}
