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

/** All states that ClickHouse Cloud has for a pipe. */
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
  /** Number of replicas of the pipe. */
  replicas: Type.Optional(Type.Number()),
  /**
   * Number of the pipe's concurrent workers.
   * @deprecated by the product, whose pipes scale by `replicas`
   */
  concurrency: Type.Optional(Type.Number()),
  /** CPU of one replica of the pipe, in thousandths of a core. */
  replicaCpuMillicores: Type.Optional(Type.Number()),
  /** Memory of one replica of the pipe in GB; may be a fraction. */
  replicaMemoryGb: Type.Optional(Type.Number()),
});

/** Replicas of a pipe, with their CPU and memory. */
export interface PipeScaling extends ResultOf<typeof pipeScalingSchema> {}

const pipeSourceSchema = Type.Object({
  /** A Kafka broker as the source of a pipe. */
  kafka: nullable(kafkaSourceSchema),
  /** Object storage. */
  objectStorage: nullable(objectStorageSourceSchema),
  /** A Kinesis stream as the source of a pipe. */
  kinesis: nullable(kinesisSourceSchema),
  /** A topic of Google Cloud Pub/Sub as the source of a pipe. */
  pubsub: nullable(pubsubSourceSchema),
  /** A relational database (PostgreSQL) as the source of a pipe. */
  postgres: nullable(postgresSourceSchema),
  /** A MySQL or MariaDB database as the source of a pipe. */
  mysql: nullable(mysqlSourceSchema),
  /** A MongoDB database as the source of a pipe. */
  mongodb: nullable(mongodbSourceSchema),
  /** A BigQuery dataset as the source of a pipe. */
  bigquery: nullable(bigquerySourceSchema),
});

/** The source of a pipe: one property is an object; the others are missing, or null on newer servers. */
export interface PipeSource extends ResultOf<typeof pipeSourceSchema> {}

const pipeDestinationSchema = Type.Object({
  /** Database that has the pipe's destination table. */
  database: Type.Optional(Type.String()),
  /** Name of the pipe's destination table. */
  table: Type.Optional(Type.String()),
  /** Whether the pipe created its destination table. */
  managedTable: Type.Optional(Type.Boolean()),
  /** Definition of the destination table, if the pipe created it. */
  tableDefinition: Type.Optional(
    Type.Object({
      /** How the destination table merges rows with the same sorting key. */
      engine: Type.Optional(
        Type.Object({
          /** Name of the destination table's engine; may end with `()`. */
          type: Type.Optional(openSetOf(["MergeTree", "ReplacingMergeTree", "SummingMergeTree", "Null"])),
          /** Column that holds the version of a row, for the engine ReplacingMergeTree. */
          versionColumnId: nullable(Type.String()),
          /** Columns that the table sums up, for the engine SummingMergeTree. */
          columnIds: Type.Optional(Type.Array(Type.String())),
        }),
      ),
      /** Columns by which the destination table is sorted. */
      sortingKey: Type.Optional(Type.Array(Type.String())),
      /** Expression by which the destination table is partitioned. */
      partitionBy: Type.Optional(Type.String()),
      /** Primary key of the destination table, as an expression. */
      primaryKey: Type.Optional(Type.String()),
    }),
  ),
  /** Columns of the destination table. */
  columns: Type.Optional(
    Type.Array(
      Type.Object({
        /** Name of the column in the destination table. */
        name: Type.String(),
        /** Type of the column in the destination table. */
        type: Type.String(),
      }),
    ),
  ),
});

/** Destination of a pipe. */
export interface PipeDestination extends ResultOf<typeof pipeDestinationSchema> {}

export const pipeSettingsSchema = Type.Object({
  /** How long the pipe collects streamed records before it inserts them, in milliseconds. */
  streaming_max_insert_wait_ms: nullable(Type.Number()),
  /** Number of objects in a bucket that the pipe loads at once. */
  object_storage_concurrency: nullable(Type.Number()),
  /** Interval at which the pipe looks for new objects in the bucket, in milliseconds. */
  object_storage_polling_interval_ms: nullable(Type.Number()),
  /** Maximum size of one insert of the pipe in bytes. */
  object_storage_max_insert_bytes: nullable(Type.Number()),
  /** Maximum number of objects of the bucket in one insert of the pipe. */
  object_storage_max_file_count: nullable(Type.Number()),
  /** Maximum number of threads of one query of the pipe. */
  engine_max_threads: nullable(Type.Number()),
  /** Maximum number of threads of one insert of the pipe. */
  engine_max_insert_threads: nullable(Type.Number()),
  /** Minimum size in bytes of one block that the pipe inserts. */
  engine_min_insert_block_size_bytes: nullable(Type.Number()),
  /** Maximum number of threads that download one object of the bucket. */
  engine_max_download_threads: nullable(Type.Number()),
  /**
   * How an insert of the pipe is spread over the service's replicas: 0 to 2, as in ClickHouse's
   * `parallel_distributed_insert_select`.
   */
  engine_parallel_distributed_insert_select: nullable(Type.Number()),
  /** Whether all servers of the service take part in loading the pipe's objects. */
  object_storage_use_cluster_function: nullable(Type.Boolean()),
  /** Whether an insert of the pipe fills materialized views in parallel. */
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
  /** Id of the service that the pipe loads into (uuid). */
  serviceId: Type.String(),
  /** Name of the pipe. */
  name: Type.String(),
  /** State of the pipe, as the service reports it. */
  state: pipeState,
  /** The replicas that the pipe runs on. */
  scaling: Type.Optional(pipeScalingSchema),
  /** Source of the pipe's data: exactly one property is an object. */
  source: pipeSourceSchema,
  /** Destination of the pipe's data. */
  destination: pipeDestinationSchema,
  /** Maps source fields of the pipe to destination columns. */
  fieldMappings: Type.Optional(
    Type.Array(
      Type.Object({
        /** Field of the pipe's source. */
        sourceField: Type.String(),
        /** Column of the pipe's destination table. */
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
 * A pipe, which loads data from one source into a table of a service, continuously or once.
 * @see "Pipe" in the API document
 */
export interface PipeSummary extends ResultOf<typeof pipeSchema> {}
