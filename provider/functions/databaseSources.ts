import {
  bigquerySchema,
  mongodbSchema,
  mysqlSchema,
  postgresSchema,
} from "../resources/pipe/databaseSources";
import { opened, openSetOf } from "../values/schema";
import { Type } from "../values/schemaBuilders";
import type { ResultOf } from "./definition";
import { nullable } from "./nullable";

const postgres = postgresSchema.properties;
const mysql = mysqlSchema.properties;
const mongodb = mongodbSchema.properties;
const bigquery = bigquerySchema.properties;

const tableEngine = opened(postgres.tableMappings.items.properties.tableEngine);

/** Settings that all pipes have which replicate a database. */
const rounds = {
  /** Seconds between two rounds of replication from the database. */
  syncIntervalSeconds: Type.Optional(Type.Number()),
  /** Number of rows that the pipe fetches from the database at once. */
  pullBatchSize: Type.Optional(Type.Number()),
  /** How the pipe replicates: `cdc`: a first load, then every change; `snapshot`: only the load; `cdc_only`: only changes. */
  replicationMode: Type.Optional(opened(postgres.settings.properties.replicationMode)),
};

const firstLoad = {
  /** Whether columns of the destination table may be nullable. */
  allowNullableColumns: Type.Optional(Type.Boolean()),
  /** Number of workers that load one table in the initial load of the pipe. */
  initialLoadParallelism: Type.Optional(Type.Number()),
  /** Number of rows in one part of the pipe's initial load. */
  snapshotNumRowsPerPartition: Type.Optional(Type.Number()),
  /** Number of tables that the pipe's initial load loads in parallel. */
  snapshotNumberOfParallelTables: Type.Optional(Type.Number()),
};

const tls = {
  /** Host name for which the certificate of the database server is issued. */
  tlsHost: Type.Optional(Type.String()),
  /** Certificate of the authority that signed the database server's certificate. */
  caCertificate: Type.Optional(Type.String()),
  /** Whether the pipe's connection to the database is not encrypted. */
  disableTls: Type.Optional(Type.Boolean()),
  /** Whether the pipe does not verify the certificate of the database server. */
  skipCertVerification: Type.Optional(Type.Boolean()),
};

const login = {
  /** How the pipe authenticates to the database server. */
  authentication: Type.Optional(opened(postgres.authentication)),
  /** Identifier of the cloud role that the pipe assumes to reach the database. */
  iamRole: Type.Optional(Type.String()),
  ...tls,
};

const tableMapping = {
  /** Name of the table in the source database. */
  sourceTable: Type.Optional(Type.String()),
  /** Name of the table in the destination. */
  targetTable: Type.Optional(Type.String()),
  /** Columns of the source table that the pipe leaves out. */
  excludedColumns: Type.Optional(Type.Array(Type.String())),
  /** Whether the destination table is sorted by `sortingKeys` instead of the primary key of the source table. */
  useCustomSortingKey: Type.Optional(Type.Boolean()),
  /** Columns by which the destination table is sorted. */
  sortingKeys: Type.Optional(Type.Array(Type.String())),
  /** Engine of the destination table. */
  tableEngine: Type.Optional(tableEngine),
};

const postgresSettingsSchema = Type.Object({
  ...rounds,
  /** Publication of the PostgreSQL database that the pipe reads. */
  publicationName: Type.Optional(Type.String()),
  /** Replication slot of the PostgreSQL database that the pipe reads through. */
  replicationSlotName: Type.Optional(Type.String()),
  ...firstLoad,
  /** Whether the replication slot survives a failover of the PostgreSQL database. */
  enableFailoverSlots: Type.Optional(Type.Boolean()),
  /** Whether the pipe deletes rows in the destination that are deleted in the source. */
  deleteOnMerge: Type.Optional(Type.Boolean()),
});

/** How a PostgreSQL database is replicated. */
export interface PostgresSettings extends ResultOf<typeof postgresSettingsSchema> {}

const postgresTableMappingSchema = Type.Object({
  /** Schema that has the table in the source database. */
  sourceSchemaName: Type.Optional(Type.String()),
  ...tableMapping,
  /** Column by which the initial load of the table is divided. */
  partitionKey: Type.Optional(Type.String()),
  /** Expression by which the destination table is partitioned. */
  partitionByExpr: Type.Optional(Type.String()),
});

/** Maps a table of PostgreSQL to a destination table. */
export interface PostgresTableMapping extends ResultOf<typeof postgresTableMappingSchema> {}

export const postgresSourceSchema = Type.Object({
  /** Kind of the PostgreSQL database. */
  type: nullable(opened(postgres.type)),
  /** Host of the database server. */
  host: Type.Optional(Type.String()),
  /** Port of the database server. */
  port: Type.Optional(Type.Number()),
  /** Name of the database that the pipe reads. */
  database: Type.Optional(Type.String()),
  ...login,
  /** How the pipe replicates the database. */
  settings: Type.Optional(postgresSettingsSchema),
  /** The tables that the pipe loads, with their destination tables. */
  tableMappings: Type.Optional(Type.Array(postgresTableMappingSchema)),
});

/** A PostgreSQL database as the source of a pipe. */
export interface PostgresSource extends ResultOf<typeof postgresSourceSchema> {}

const mysqlSettingsSchema = Type.Object({
  ...rounds,
  /** How the pipe finds changes of the MySQL database: by transaction ids or by the position in a file of its log. */
  replicationMechanism: Type.Optional(opened(mysql.settings.properties.replicationMechanism)),
  /** Whether the pipe's connection to the database is compressed. */
  useCompression: Type.Optional(Type.Boolean()),
  ...firstLoad,
  /** Whether the pipe deletes rows in the destination that are deleted in the source. */
  deleteOnMerge: Type.Optional(Type.Boolean()),
});

/** How a MySQL database is replicated. */
export interface MysqlSettings extends ResultOf<typeof mysqlSettingsSchema> {}

const mysqlTableMappingSchema = Type.Object({
  /** Database that has the table in the source. */
  sourceSchemaName: Type.Optional(Type.String()),
  ...tableMapping,
  /** Column by which the initial load of the table is divided. */
  partitionKey: Type.Optional(Type.String()),
});

/** Maps a table of MySQL to a destination table. */
export interface MysqlTableMapping extends ResultOf<typeof mysqlTableMappingSchema> {}

export const mysqlSourceSchema = Type.Object({
  /** Kind of the MySQL or MariaDB database. */
  type: nullable(opened(mysql.type)),
  /** Host of the database server. */
  host: Type.Optional(Type.String()),
  /** Port of the database server. */
  port: Type.Optional(Type.Number()),
  ...login,
  /** Id with which the pipe registers as a replica of the database server. */
  serverId: Type.Optional(Type.Number()),
  /** How the pipe replicates the database. */
  settings: Type.Optional(mysqlSettingsSchema),
  /** The tables that the pipe loads, with their destination tables. */
  tableMappings: Type.Optional(Type.Array(mysqlTableMappingSchema)),
});

/** A MySQL or MariaDB database as the source of a pipe. */
export interface MysqlSource extends ResultOf<typeof mysqlSourceSchema> {}

const mongodbSettingsSchema = Type.Object({
  ...rounds,
  /** Number of rows in one part of the pipe's initial load. */
  snapshotNumRowsPerPartition: Type.Optional(Type.Number()),
  /** Number of tables that the pipe's initial load loads in parallel. */
  snapshotNumberOfParallelTables: Type.Optional(Type.Number()),
  /** Whether the pipe deletes rows in the destination that are deleted in the source. */
  deleteOnMerge: Type.Optional(Type.Boolean()),
  /** Whether the pipe stores MongoDB documents as JSON instead of text. */
  useJsonNativeFormat: Type.Optional(Type.Boolean()),
});

/** How a MongoDB database is replicated. */
export interface MongodbSettings extends ResultOf<typeof mongodbSettingsSchema> {}

const mongodbTableMappingSchema = Type.Object({
  /** Database that has the collection in the source. */
  sourceDatabaseName: Type.Optional(Type.String()),
  /** Name of the MongoDB collection in the source. */
  sourceCollection: Type.Optional(Type.String()),
  /** Name of the table in the destination. */
  targetTable: Type.Optional(Type.String()),
  /** Engine of the destination table. */
  tableEngine: Type.Optional(tableEngine),
});

/** Maps a MongoDB collection to a destination table. */
export interface MongodbTableMapping extends ResultOf<typeof mongodbTableMappingSchema> {}

export const mongodbSourceSchema = Type.Object({
  /** Address of the MongoDB database. */
  uri: Type.Optional(Type.String()),
  /** The member of the MongoDB replica set from which the pipe reads. */
  readPreference: Type.Optional(opened(mongodb.readPreference)),
  ...tls,
  /** How the pipe replicates the database. */
  settings: Type.Optional(mongodbSettingsSchema),
  /** The collections that the pipe loads, with their destination tables. */
  tableMappings: Type.Optional(Type.Array(mongodbTableMappingSchema)),
});

/** A MongoDB database as the source of a pipe. */
export interface MongodbSource extends ResultOf<typeof mongodbSourceSchema> {}

const bigquerySettingsSchema = Type.Object({
  /** How the pipe loads the dataset. `snapshot`: it loads the tables once. */
  replicationMode: Type.Optional(openSetOf(["snapshot"])),
  ...firstLoad,
});

/** How a BigQuery dataset is loaded. */
export interface BigquerySettings extends ResultOf<typeof bigquerySettingsSchema> {}

const bigqueryTableMappingSchema = Type.Object({
  /** Dataset that has the table in the source. */
  sourceDatasetName: Type.Optional(Type.String()),
  ...tableMapping,
});

/** Maps a table of BigQuery to a destination table. */
export interface BigqueryTableMapping extends ResultOf<typeof bigqueryTableMappingSchema> {}

export const bigquerySourceSchema = Type.Object({
  /** How the pipe signs in to BigQuery. */
  authentication: Type.Optional(opened(bigquery.authentication)),
  /** Google Cloud project that has the dataset. */
  projectId: Type.Optional(Type.String()),
  /** Path in a bucket in which the pipe keeps data while it loads the dataset. */
  snapshotStagingPath: Type.Optional(Type.String()),
  /** How the pipe loads the dataset. */
  settings: Type.Optional(bigquerySettingsSchema),
  /** The tables that the pipe loads, with their destination tables. */
  tableMappings: Type.Optional(Type.Array(bigqueryTableMappingSchema)),
});

/** A BigQuery dataset as the source of a pipe. */
export interface BigquerySource extends ResultOf<typeof bigquerySourceSchema> {}
