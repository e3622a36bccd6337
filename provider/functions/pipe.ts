import type { ResultOf } from "../lifecycle/function";
import { Type } from "../typebox";

const pipeScalingSchema = Type.Object({
  /** Number of replicas. */
  replicas: Type.Optional(Type.Number()),
  /** Number of concurrent workers. */
  concurrency: Type.Optional(Type.Number()),
  /** CPU of one replica, in thousandths of a core. */
  replicaCpuMillicores: Type.Optional(Type.Number()),
  /** Memory of one replica in GB; may be a fraction. */
  replicaMemoryGb: Type.Optional(Type.Number()),
});

/** Resources of a pipe. */
export interface PipeScaling extends ResultOf<typeof pipeScalingSchema> {}

const kafkaSourceSchema = Type.Object({
  /** Addresses of the brokers, separated by commas. */
  brokers: Type.Optional(Type.String()),
  /** Topics, separated by commas. */
  topics: Type.Optional(Type.String()),
  /** Consumer group that the pipe reads as. */
  consumerGroup: Type.Optional(Type.String()),
  /** Identifier of the role that the pipe assumes. */
  iamRole: Type.Optional(Type.String()),
  /** Where reading starts: a date and time without zone, to the minute. */
  offset: Type.Optional(
    Type.Object({
      /** The date and time, such as `2026-01-31T12:00`. */
      timestamp: Type.Optional(Type.String()),
    }),
  ),
  /** Where the schemas of the messages are. */
  schemaRegistry: Type.Optional(
    Type.Object({
      /** Address of the registry. */
      url: Type.Optional(Type.String()),
      /** Certificate of the authority that signed the certificate of the registry. */
      caCertificate: Type.Optional(Type.String()),
    }),
  ),
  /** Certificate of the authority that signed the brokers' certificates. */
  caCertificate: Type.Optional(Type.String()),
  /** Reverse private endpoints that the brokers are reached through. */
  reversePrivateEndpointIds: Type.Optional(Type.Array(Type.String())),
});

/** A message-stream broker. */
export interface KafkaSource extends ResultOf<typeof kafkaSourceSchema> {}

const objectStorageSourceSchema = Type.Object({
  /** Address of the objects; may hold wildcards. */
  url: Type.Optional(Type.String()),
  /** What separates the fields of a line. */
  delimiter: Type.Optional(Type.String()),
  /** How the objects are compressed, in the service's words. */
  compression: Type.Optional(Type.String()),
  /** Whether new objects are loaded as they come. */
  isContinuous: Type.Optional(Type.Boolean()),
  /** Queue that announces new objects. */
  queueUrl: Type.Optional(Type.String()),
  /** Identifier of the role that the pipe assumes. */
  iamRole: Type.Optional(Type.String()),
  /** Secret; present only with `includeSecrets: true`. */
  connectionString: Type.Optional(Type.String()),
  /** Path of the objects; may hold wildcards. */
  path: Type.Optional(Type.String()),
  /** Container of the objects, where the storage has containers. */
  azureContainerName: Type.Optional(Type.String()),
});

/** Object storage. */
export interface ObjectStorageSource extends ResultOf<typeof objectStorageSourceSchema> {}

const kinesisSourceSchema = Type.Object({
  /** Name of the stream. */
  streamName: Type.Optional(Type.String()),
  /** Region of the stream. */
  region: Type.Optional(Type.String()),
  /** Whether the pipe has read throughput of its own. */
  useEnhancedFanOut: Type.Optional(Type.Boolean()),
  /** Where reading starts, since 1970. */
  timestamp: Type.Optional(Type.Number()),
  /** Identifier of the role that the pipe assumes. */
  iamRole: Type.Optional(Type.String()),
});

/** A shard-based record stream. */
export interface KinesisSource extends ResultOf<typeof kinesisSourceSchema> {}

const postgresSettingsSchema = Type.Object({
  /** Seconds between two rounds of replication. */
  syncIntervalSeconds: Type.Optional(Type.Number()),
  /** Number of rows that are fetched at once. */
  pullBatchSize: Type.Optional(Type.Number()),
  /** Publication that the pipe reads. */
  publicationName: Type.Optional(Type.String()),
  /** Replication slot that the pipe reads through. */
  replicationSlotName: Type.Optional(Type.String()),
  /** Whether columns may be nullable in the destination. */
  allowNullableColumns: Type.Optional(Type.Boolean()),
  /** Number of workers that load a table in the initial load. */
  initialLoadParallelism: Type.Optional(Type.Number()),
  /** Number of rows in one part of the first load. */
  snapshotNumRowsPerPartition: Type.Optional(Type.Number()),
  /** Number of tables loaded in parallel by the initial load. */
  snapshotNumberOfParallelTables: Type.Optional(Type.Number()),
  /** Whether the replication slot survives a failover of the database. */
  enableFailoverSlots: Type.Optional(Type.Boolean()),
});

/** How a relational database is replicated. */
export interface PostgresSettings extends ResultOf<typeof postgresSettingsSchema> {}

const postgresTableMappingSchema = Type.Object({
  /** Schema of the table in the source. */
  sourceSchemaName: Type.Optional(Type.String()),
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
});

/** Maps a source table to a destination table. */
export interface PostgresTableMapping extends ResultOf<typeof postgresTableMappingSchema> {}

const postgresSourceSchema = Type.Object({
  /** Host of the database server. */
  host: Type.Optional(Type.String()),
  /** Port of the database server. */
  port: Type.Optional(Type.Number()),
  /** Name of the database. */
  database: Type.Optional(Type.String()),
  /** How the database is replicated. */
  settings: Type.Optional(postgresSettingsSchema),
  /** Which table goes where. */
  tableMappings: Type.Optional(Type.Array(postgresTableMappingSchema)),
});

/** A relational database. */
export interface PostgresSource extends ResultOf<typeof postgresSourceSchema> {}

const pipeSourceSchema = Type.Object({
  /** A message-stream broker. */
  kafka: Type.Optional(kafkaSourceSchema),
  /** Object storage. */
  objectStorage: Type.Optional(objectStorageSourceSchema),
  /** A shard-based record stream. */
  kinesis: Type.Optional(kinesisSourceSchema),
  /** A relational database. */
  postgres: Type.Optional(postgresSourceSchema),
});

/** The source of a pipe, one of four kinds. */
export interface PipeSource extends ResultOf<typeof pipeSourceSchema> {}

const pipeDestinationSchema = Type.Object({
  /** Database of the table. */
  database: Type.Optional(Type.String()),
  /** Name of the table. */
  table: Type.Optional(Type.String()),
  /** Whether the pipe created the table. */
  managedTable: Type.Optional(Type.Boolean()),
  /** Table definition, if the pipe created the table. */
  tableDefinition: Type.Optional(
    Type.Object({
      /** How rows with the same sorting key are merged. */
      engine: Type.Optional(
        Type.Object({
          /** Column that holds the version of a row. */
          versionColumnId: Type.Optional(Type.String()),
          /** Columns that are summed up. */
          columnIds: Type.Optional(Type.Array(Type.String())),
        }),
      ),
      /** Columns that the table is sorted by. */
      sortingKey: Type.Optional(Type.Array(Type.String())),
      /** Expression that the table is partitioned by. */
      partitionBy: Type.Optional(Type.String()),
      /** Primary key of the table, as an expression. */
      primaryKey: Type.Optional(Type.String()),
    }),
  ),
  /** Columns of the table. */
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        /** Name of the column. */
        name: Type.String(),
        /** Type of the column. */
        type: Type.String(),
      }),
    ),
  ),
});

/** Where a pipe loads its data into. */
export interface PipeDestination extends ResultOf<typeof pipeDestinationSchema> {}

export const pipeSettingsSchema = Type.Object({
  /** How long streamed records are collected before they are inserted, in milliseconds. */
  streaming_max_insert_wait_ms: Type.Optional(Type.Number()),
  /** Number of objects that are loaded at once. */
  object_storage_concurrency: Type.Optional(Type.Number()),
  /** Polling interval for new objects, in milliseconds. */
  object_storage_polling_interval_ms: Type.Optional(Type.Number()),
  /** Maximum size of an insert in bytes. */
  object_storage_max_insert_bytes: Type.Optional(Type.Number()),
  /** Number of objects in one insert, at most. */
  object_storage_max_file_count: Type.Optional(Type.Number()),
  /** Number of threads of one query, at most. */
  engine_max_threads: Type.Optional(Type.Number()),
  /** Number of threads of one insert, at most. */
  engine_max_insert_threads: Type.Optional(Type.Number()),
  /** Size of one block of an insert in bytes, at least. */
  engine_min_insert_block_size_bytes: Type.Optional(Type.Number()),
  /** Number of threads that download one object, at most. */
  engine_max_download_threads: Type.Optional(Type.Number()),
  /** How an insert from a query is spread over the servers, as the engine counts it. */
  engine_parallel_distributed_insert_select: Type.Optional(Type.Number()),
  /** Whether all servers take part in loading objects. */
  object_storage_use_cluster_function: Type.Optional(Type.Boolean()),
  /** Whether materialized views are filled in parallel. */
  engine_parallel_view_processing: Type.Optional(Type.Boolean()),
});

/** Settings of a pipe, by the service's own names; all numbers are whole (API document: "Pipe settings"). */
export interface PipeSettings extends ResultOf<typeof pipeSettingsSchema> {}

export const pipeSchema = Type.Object({
  /** Id of the pipe (uuid). */
  id: Type.String(),
  /** Service that the pipe loads into (uuid). */
  serviceId: Type.String(),
  /** Name of the pipe. */
  name: Type.String(),
  /** State of the pipe, as the service reports it. */
  state: Type.String(),
  /** What the pipe runs on. */
  scaling: Type.Optional(pipeScalingSchema),
  /** Source of the data: exactly one member is present. */
  source: pipeSourceSchema,
  /** Where the data goes. */
  destination: pipeDestinationSchema,
  /** Maps source fields to destination columns. */
  fieldMappings: Type.Optional(
    Type.Array(
      Type.Object({
        /** Field of the source. */
        sourceField: Type.String(),
        /** Column of the destination. */
        destinationField: Type.String(),
      }),
    ),
  ),
  /** Settings of the pipe. */
  settings: Type.Optional(pipeSettingsSchema),
  /** When the pipe was created. */
  createdAt: Type.Optional(Type.String()),
  /** When the pipe was last changed. */
  updatedAt: Type.Optional(Type.String()),
});

/** A pipe: it loads data from one source into a table of a service, continuously or once (API document: "Pipe"). */
export interface Pipe extends ResultOf<typeof pipeSchema> {}
