import { openSetOf } from "../values/schema";
import { Type } from "../values/schemaBuilders";
import type { ResultOf } from "./definition";
import { nullable } from "./nullable";

const tableEngine = openSetOf(["MergeTree", "ReplacingMergeTree", "Null"]);

/** Common settings of the databases that a pipe keeps following. */
const rounds = {
  /** Seconds between two rounds of replication. */
  syncIntervalSeconds: Type.Optional(Type.Number()),
  /** Number of rows that are fetched at once. */
  pullBatchSize: Type.Optional(Type.Number()),
  /** `cdc`: a first load, then every change; `snapshot`: only the first load; `cdc_only`: only the changes. */
  replicationMode: Type.Optional(openSetOf(["cdc", "snapshot", "cdc_only"])),
};

const firstLoad = {
  /** Whether columns may be nullable in the destination. */
  allowNullableColumns: Type.Optional(Type.Boolean()),
  /** Number of workers that load a table in the initial load. */
  initialLoadParallelism: Type.Optional(Type.Number()),
  /** Number of rows in one part of the first load. */
  snapshotNumRowsPerPartition: Type.Optional(Type.Number()),
  /** Number of tables loaded in parallel by the initial load. */
  snapshotNumberOfParallelTables: Type.Optional(Type.Number()),
};

const tls = {
  /** Host name that the certificate of the server is for. */
  tlsHost: Type.Optional(Type.String()),
  /** Certificate of the authority that signed the server's certificate. */
  caCertificate: Type.Optional(Type.String()),
  /** Whether the connection is not encrypted. */
  disableTls: Type.Optional(Type.Boolean()),
  /** Whether the certificate of the server is not verified. */
  skipCertVerification: Type.Optional(Type.Boolean()),
};

const login = {
  /** How the pipe authenticates to the server. */
  authentication: Type.Optional(openSetOf(["basic", "IAM_ROLE"])),
  /** Identifier of the role that the pipe assumes. */
  iamRole: Type.Optional(Type.String()),
  ...tls,
};

const tableMapping = {
  /** Name of the table in the source. */
  sourceTable: Type.Optional(Type.String()),
  /** Name of the table in the destination. */
  targetTable: Type.Optional(Type.String()),
  /** Columns that are left out. */
  excludedColumns: Type.Optional(Type.Array(Type.String())),
  /** Whether `sortingKeys` are used instead of the primary key of the source. */
  useCustomSortingKey: Type.Optional(Type.Boolean()),
  /** Columns that the destination is sorted by. */
  sortingKeys: Type.Optional(Type.Array(Type.String())),
  /** Engine of the table in the destination. */
  tableEngine: Type.Optional(tableEngine),
};

const postgresSettingsSchema = Type.Object({
  ...rounds,
  /** Publication that the pipe reads. */
  publicationName: Type.Optional(Type.String()),
  /** Replication slot that the pipe reads through. */
  replicationSlotName: Type.Optional(Type.String()),
  ...firstLoad,
  /** Whether the replication slot survives a failover of the database. */
  enableFailoverSlots: Type.Optional(Type.Boolean()),
  /** Whether rows that are deleted in the source are deleted in the destination. */
  deleteOnMerge: Type.Optional(Type.Boolean()),
});

/** How a PostgreSQL database is replicated. */
export interface PostgresSettings extends ResultOf<typeof postgresSettingsSchema> {}

const postgresTableMappingSchema = Type.Object({
  /** Schema of the table in the source. */
  sourceSchemaName: Type.Optional(Type.String()),
  ...tableMapping,
  /** Column by which the first load is divided. */
  partitionKey: Type.Optional(Type.String()),
  /** Expression that the destination is partitioned by. */
  partitionByExpr: Type.Optional(Type.String()),
});

/** Maps a table of PostgreSQL to a destination table. */
export interface PostgresTableMapping extends ResultOf<typeof postgresTableMappingSchema> {}

export const postgresSourceSchema = Type.Object({
  /** Kind of database. */
  type: nullable(
    openSetOf([
      ...([
        "postgres",
        "supabase",
        "neon",
        "alloydb",
        "planetscale",
        "rdspostgres",
        "aurorapostgres",
      ] as const),
      ...(["cloudsqlpostgres", "azurepostgres", "crunchybridge", "tigerdata"] as const),
    ]),
  ),
  /** Host of the database server. */
  host: Type.Optional(Type.String()),
  /** Port of the database server. */
  port: Type.Optional(Type.Number()),
  /** Name of the database. */
  database: Type.Optional(Type.String()),
  ...login,
  /** How the database is replicated. */
  settings: Type.Optional(postgresSettingsSchema),
  /** Mapping of tables. */
  tableMappings: Type.Optional(Type.Array(postgresTableMappingSchema)),
});

/** A PostgreSQL database. */
export interface PostgresSource extends ResultOf<typeof postgresSourceSchema> {}

const mysqlSettingsSchema = Type.Object({
  ...rounds,
  /** How the pipe follows the database: by transaction ids or by the position in a file of its log. */
  replicationMechanism: Type.Optional(openSetOf(["GTID", "FILE_POS"])),
  /** Whether the connection is compressed. */
  useCompression: Type.Optional(Type.Boolean()),
  ...firstLoad,
  /** Whether rows that are deleted in the source are deleted in the destination. */
  deleteOnMerge: Type.Optional(Type.Boolean()),
});

/** How a MySQL database is replicated. */
export interface MysqlSettings extends ResultOf<typeof mysqlSettingsSchema> {}

const mysqlTableMappingSchema = Type.Object({
  /** Database of the table in the source. */
  sourceSchemaName: Type.Optional(Type.String()),
  ...tableMapping,
  /** Column by which the first load is divided. */
  partitionKey: Type.Optional(Type.String()),
});

/** Maps a table of MySQL to a destination table. */
export interface MysqlTableMapping extends ResultOf<typeof mysqlTableMappingSchema> {}

export const mysqlSourceSchema = Type.Object({
  /** Kind of database. */
  type: nullable(openSetOf(["mysql", "rdsmysql", "auroramysql", "mariadb", "rdsmariadb"])),
  /** Host of the database server. */
  host: Type.Optional(Type.String()),
  /** Port of the database server. */
  port: Type.Optional(Type.Number()),
  ...login,
  /** Id of the pipe among the replicas of the server. */
  serverId: Type.Optional(Type.Number()),
  /** How the database is replicated. */
  settings: Type.Optional(mysqlSettingsSchema),
  /** Mapping of tables. */
  tableMappings: Type.Optional(Type.Array(mysqlTableMappingSchema)),
});

/** A MySQL or MariaDB database. */
export interface MysqlSource extends ResultOf<typeof mysqlSourceSchema> {}

const mongodbSettingsSchema = Type.Object({
  ...rounds,
  /** Number of rows in one part of the first load. */
  snapshotNumRowsPerPartition: Type.Optional(Type.Number()),
  /** Number of tables loaded in parallel by the initial load. */
  snapshotNumberOfParallelTables: Type.Optional(Type.Number()),
  /** Whether rows that are deleted in the source are deleted in the destination. */
  deleteOnMerge: Type.Optional(Type.Boolean()),
  /** Whether documents are stored as JSON instead of text. */
  useJsonNativeFormat: Type.Optional(Type.Boolean()),
});

/** How a MongoDB database is replicated. */
export interface MongodbSettings extends ResultOf<typeof mongodbSettingsSchema> {}

const mongodbTableMappingSchema = Type.Object({
  /** Database of the collection in the source. */
  sourceDatabaseName: Type.Optional(Type.String()),
  /** Name of the collection in the source. */
  sourceCollection: Type.Optional(Type.String()),
  /** Name of the table in the destination. */
  targetTable: Type.Optional(Type.String()),
  /** Engine of the table in the destination. */
  tableEngine: Type.Optional(tableEngine),
});

/** Maps a collection to a destination table. */
export interface MongodbTableMapping extends ResultOf<typeof mongodbTableMappingSchema> {}

export const mongodbSourceSchema = Type.Object({
  /** Address of the database. */
  uri: Type.Optional(Type.String()),
  /** The member of a replica set to read from. */
  readPreference: Type.Optional(
    openSetOf(["primary", "primaryPreferred", "secondary", "secondaryPreferred", "nearest"]),
  ),
  ...tls,
  /** How the database is replicated. */
  settings: Type.Optional(mongodbSettingsSchema),
  /** Mapping of collections. */
  tableMappings: Type.Optional(Type.Array(mongodbTableMappingSchema)),
});

/** A MongoDB database. */
export interface MongodbSource extends ResultOf<typeof mongodbSourceSchema> {}

const bigquerySettingsSchema = Type.Object({
  /** `snapshot`: the tables are loaded once. */
  replicationMode: Type.Optional(openSetOf(["snapshot"])),
  ...firstLoad,
});

/** How a BigQuery dataset is loaded. */
export interface BigquerySettings extends ResultOf<typeof bigquerySettingsSchema> {}

const bigqueryTableMappingSchema = Type.Object({
  /** Dataset of the table in the source. */
  sourceDatasetName: Type.Optional(Type.String()),
  ...tableMapping,
});

/** Maps a table of BigQuery to a destination table. */
export interface BigqueryTableMapping extends ResultOf<typeof bigqueryTableMappingSchema> {}

export const bigquerySourceSchema = Type.Object({
  /** How the pipe signs in. */
  authentication: Type.Optional(openSetOf(["SERVICE_ACCOUNT", "SERVICE_ACCOUNT_WORKLOAD_IDENTITY"])),
  /** Project of the dataset. */
  projectId: Type.Optional(Type.String()),
  /** Path in a bucket where data is kept while it is loaded. */
  snapshotStagingPath: Type.Optional(Type.String()),
  /** How the dataset is loaded. */
  settings: Type.Optional(bigquerySettingsSchema),
  /** Mapping of tables. */
  tableMappings: Type.Optional(Type.Array(bigqueryTableMappingSchema)),
});

/** A BigQuery dataset. */
export interface BigquerySource extends ResultOf<typeof bigquerySourceSchema> {}
