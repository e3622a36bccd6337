import { openSetOf } from "../values/schema";
import { Type } from "../values/schemaBuilders";
import {
  bigquerySourceSchema,
  mongodbSourceSchema,
  mysqlSourceSchema,
  postgresSourceSchema,
} from "./databaseSources";
import type { ResultOf } from "./definition";
import { nullable } from "./nullable";
import {
  kafkaSourceSchema,
  kinesisSourceSchema,
  objectStorageSourceSchema,
  pubsubSourceSchema,
} from "./streamSources";

/** The states that ClickHouse Cloud knows. */
export const pipeState = openSetOf([
  ...([
    "Unknown",
    "Provisioning",
    "Running",
    "Degraded",
    "Stopping",
    "Stopped",
    "Failed",
    "Completed",
  ] as const),
  ...(["InternalError", "Setup", "Snapshot", "Paused", "Pausing", "Modifying", "Resync"] as const),
]);

const pipeScalingSchema = Type.Object({
  /** Number of replicas. */
  replicas: Type.Optional(Type.Number()),
  /**
   * Number of concurrent workers.
   *
   * @deprecated by the product, whose pipes scale by `replicas`
   */
  concurrency: Type.Optional(Type.Number()),
  /** CPU of one replica, in thousandths of a core. */
  replicaCpuMillicores: Type.Optional(Type.Number()),
  /** Memory of one replica in GB; may be a fraction. */
  replicaMemoryGb: Type.Optional(Type.Number()),
});

/** Resources of a pipe. */
export interface PipeScaling extends ResultOf<typeof pipeScalingSchema> {}

const pipeSourceSchema = Type.Object({
  /** A message-stream broker. */
  kafka: nullable(kafkaSourceSchema),
  /** Object storage. */
  objectStorage: nullable(objectStorageSourceSchema),
  /** A shard-based record stream. */
  kinesis: nullable(kinesisSourceSchema),
  /** A topic of Google Cloud Pub/Sub. */
  pubsub: nullable(pubsubSourceSchema),
  /** A relational database. */
  postgres: nullable(postgresSourceSchema),
  /** A MySQL or MariaDB database. */
  mysql: nullable(mysqlSourceSchema),
  /** A MongoDB database. */
  mongodb: nullable(mongodbSourceSchema),
  /** A BigQuery dataset. */
  bigquery: nullable(bigquerySourceSchema),
});

/** The source of a pipe: one member is an object; the others are missing, or null on newer servers. */
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
          /** Name of the engine; may end with `()`. */
          type: Type.Optional(openSetOf(["MergeTree", "ReplacingMergeTree", "SummingMergeTree", "Null"])),
          /** Column that holds the version of a row. */
          versionColumnId: nullable(Type.String()),
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

/** Destination of a pipe. */
export interface PipeDestination extends ResultOf<typeof pipeDestinationSchema> {}

export const pipeSettingsSchema = Type.Object({
  /** How long streamed records are collected before they are inserted, in milliseconds. */
  streaming_max_insert_wait_ms: nullable(Type.Number()),
  /** Number of objects that are loaded at once. */
  object_storage_concurrency: nullable(Type.Number()),
  /** Polling interval for new objects, in milliseconds. */
  object_storage_polling_interval_ms: nullable(Type.Number()),
  /** Maximum size of an insert in bytes. */
  object_storage_max_insert_bytes: nullable(Type.Number()),
  /** Number of objects in one insert, at most. */
  object_storage_max_file_count: nullable(Type.Number()),
  /** Number of threads of one query, at most. */
  engine_max_threads: nullable(Type.Number()),
  /** Number of threads of one insert, at most. */
  engine_max_insert_threads: nullable(Type.Number()),
  /** Size of one block of an insert in bytes, at least. */
  engine_min_insert_block_size_bytes: nullable(Type.Number()),
  /** Number of threads that download one object, at most. */
  engine_max_download_threads: nullable(Type.Number()),
  /** How an insert from a query is spread over the servers, as the engine counts it. */
  engine_parallel_distributed_insert_select: nullable(Type.Number()),
  /** Whether all servers take part in loading objects. */
  object_storage_use_cluster_function: nullable(Type.Boolean()),
  /** Whether materialized views are filled in parallel. */
  engine_parallel_view_processing: nullable(Type.Boolean()),
});

/**
 * Settings of a pipe, by the service's own names; all numbers are whole. Newer servers answer null for settings that are not set.
 * @see "Pipe settings" in the API document
 */
export interface PipeSettings extends ResultOf<typeof pipeSettingsSchema> {}

export const pipeSchema = Type.Object({
  /** Id of the pipe (uuid). */
  id: Type.String(),
  /** Service that the pipe loads into (uuid). */
  serviceId: Type.String(),
  /** Name of the pipe. */
  name: Type.String(),
  /** State of the pipe, as the service reports it. */
  state: pipeState,
  /** The replicas that the pipe runs on. */
  scaling: Type.Optional(pipeScalingSchema),
  /** Source of the data: exactly one member is an object. */
  source: pipeSourceSchema,
  /** Destination of the data. */
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

/**
 * A pipe: it loads data from one source into a table of a service, continuously or once.
 * @see "Pipe" in the API document
 */
export interface PipeSummary extends ResultOf<typeof pipeSchema> {}
