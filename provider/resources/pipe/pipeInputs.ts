import { enums } from "../../api/enums.golden";
import { adoptableByUuid, inService } from "../../lifecycle/scope";
import { oneOf, schemaAt } from "../../values/schema";
import { type TSchema, Type } from "../../values/schemaBuilders";
import { credentialsSchema, schemaRegistryCredentialsSchema } from "./credentials";
import { bigquerySchema, mongodbSchema, mysqlSchema, postgresSchema } from "./databaseSources";
import {
  inPlace,
  kafkaSchema,
  kinesisSchema,
  objectStorageSchema,
  pubsubSchema,
  text,
} from "./streamSources";

const fixed = { replaces: true } as const;
const bytes = { minimum: 0, maximum: 10737418240 };
const stays = { irremovable: "declare another value to change it" } as const;

const sourceSchema = Type.Object(
  {
    /** A Kafka broker or a compatible one from which the pipe reads. */
    kafka: Type.Optional(kafkaSchema),
    /** A Kinesis stream from which the pipe reads. */
    kinesis: Type.Optional(kinesisSchema),
    /** Object storage. */
    objectStorage: Type.Optional(objectStorageSchema),
    /** A Google Cloud Pub/Sub topic from which the pipe reads. */
    pubsub: Type.Optional(pubsubSchema),
    /** A PostgreSQL database that the pipe replicates. */
    postgres: Type.Optional(postgresSchema),
    /** A MySQL or MariaDB database that the pipe replicates. */
    mysql: Type.Optional(mysqlSchema),
    /** A MongoDB database that the pipe replicates. */
    mongodb: Type.Optional(mongodbSchema),
    /** A BigQuery dataset that the pipe replicates. */
    bigquery: Type.Optional(bigquerySchema),
  },
  { additionalProperties: false },
);

const destinationSchema = Type.Object(
  {
    /** Database of the table or tables that the pipe fills. */
    database: Type.String({ ...text, ...fixed }),
    /**
     * Name of the table that the pipe fills. Not for a source that is a database, since its `tableMappings` name the tables.
     */
    table: Type.Optional(Type.String({ ...text, ...fixed })),
    /** Whether the pipe creates its destination table. The service's default is true. Not for a source that is a database. */
    managedTable: Type.Optional(Type.Boolean({ ...fixed, default: true })),
    /** How the pipe creates its destination table, unless `managedTable` is false. Not for a source that is a database. */
    tableDefinition: Type.Optional(
      Type.Object(
        {
          /**
           * Engine of the destination table, which determines what happens to rows with the same sorting key. The service's
           * default is `MergeTree`.
           */
          engine: Type.Optional(
            Type.Object(
              {
                /** Name of the engine of the destination table. */
                type: oneOf(enums.destinationEngine, {
                  default: "MergeTree",
                }),
                /** Column that holds the version of a row, for the engine `ReplacingMergeTree`. */
                versionColumnId: Type.Optional(Type.String(text)),
                /** Columns whose values are summed up, for the engine `SummingMergeTree`. */
                columnIds: Type.Optional(Type.Array(Type.String(text), { default: [] })),
              },
              { additionalProperties: false },
            ),
          ),
          /** Columns or expressions by which the destination table is sorted, one in each entry. */
          sortingKey: Type.Optional(Type.Array(Type.String(text), { default: [] })),
          /** Expression by which the destination table is partitioned. */
          partitionBy: Type.Optional(Type.String(text)),
          /** Primary key of the destination table, as an expression. */
          primaryKey: Type.Optional(Type.String(text)),
          /** Expression that determines how long the destination table keeps a row. */
          ttl: Type.Optional(Type.String(text)),
        },
        { additionalProperties: false, ...fixed },
      ),
    ),
    /**
     * Columns of the destination table, in their order. Not for a source that is a database. Updated in place: the pipe then
     * fills other columns, but does not change the table itself.
     */
    columns: Type.Optional(
      Type.Array(
        Type.Object(
          {
            /** Name of the column in the destination table. */
            name: Type.String(text),
            /** Type of the column in the destination table. */
            type: Type.String(text),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, ...inPlace },
      ),
    ),
    /**
     * Database roles of the service that the pipe uses instead of a role of its own. They are sent only when the pipe is
     * created, and no answer shows them.
     */
    roles: Type.Optional(
      Type.Array(Type.String(text), { comparison: "set", ...fixed, shown: "never", default: [] }),
    ),
  },
  { additionalProperties: false },
);

const settingsSchema = Type.Object(
  {
    /** Milliseconds for which the pipe collects records before it inserts them: 500 to 60000. */
    streaming_max_insert_wait_ms: Type.Optional(Type.Integer({ minimum: 500, maximum: 60000 })),
    /** Number of objects that the pipe loads at once, 1 to 35. */
    object_storage_concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 35 })),
    /** Milliseconds between two searches of the pipe for new objects: 100 to 3600000. */
    object_storage_polling_interval_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 3600000 })),
    /** Largest number of bytes that the pipe inserts at once: 524288000 to 10737418240. */
    object_storage_max_insert_bytes: Type.Optional(
      Type.Integer({ minimum: 524288000, maximum: 10737418240 }),
    ),
    /** Largest number of objects that the pipe inserts at once: 1 to 10000. */
    object_storage_max_file_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10000 })),
    /** Whether all replicas of the service take part in loading the pipe's objects. */
    object_storage_use_cluster_function: Type.Optional(Type.Boolean()),
    /** Largest number of threads of one of the pipe's queries: 0 to 64. */
    engine_max_threads: Type.Optional(Type.Integer({ minimum: 0, maximum: 64 })),
    /** Largest number of threads of one of the pipe's inserts: 0 to 16. */
    engine_max_insert_threads: Type.Optional(Type.Integer({ minimum: 0, maximum: 16 })),
    /** Smallest number of bytes in a block that the pipe inserts: 0 to 10737418240. */
    engine_min_insert_block_size_bytes: Type.Optional(Type.Integer(bytes)),
    /** Largest number of threads with which the pipe downloads one object: 0 to 32. */
    engine_max_download_threads: Type.Optional(Type.Integer({ minimum: 0, maximum: 32 })),
    /** How an insert of the pipe is spread over the service's replicas, 0 to 2; needs `object_storage_use_cluster_function`. */
    engine_parallel_distributed_insert_select: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
    /** Whether an insert of the pipe fills materialized views in parallel. */
    engine_parallel_view_processing: Type.Optional(Type.Boolean()),
    /** Whether the pipe reads only committed records. Only for a Kafka source. */
    kafka_read_committed: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, ...stays },
);

/**
 * Inputs of a pipe (ClickPipe), which loads data into a service.
 * @see "Create ClickPipe" and "Update ClickPipe" in the documents of ClickHouse Cloud
 */
export const pipeInputs = inService({
  /**
   * Adopts the existing pipe with this id (uuid) instead of creating one. Has no effect once the pipe is in the Pulumi state; a
   * change that replaces the pipe is refused while `adoptId` is declared.
   */
  adoptId: adoptableByUuid,
  /** Name of the pipe, 1 to 255 characters. Default: the name of the resource. */
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  /** Where the pipe loads data to. */
  destination: destinationSchema,
  /** Where the pipe reads data from: exactly one kind of source. A change to another kind replaces the pipe. */
  source: sourceSchema,
  /**
   * Credentials with which the pipe reads its source, kept encrypted in the Pulumi state. Its `authentication` determines which
   * ones it needs. They are sent when the pipe is created, and when they change. A pipe that is imported or adopted needs none.
   */
  credentials: Type.Optional(credentialsSchema),
  /**
   * Credentials with which the pipe reads the registry in `kafka.schemaRegistry`, kept encrypted in the Pulumi state. They are
   * sent only when the pipe is created, so a change replaces the pipe. A pipe that is imported or adopted needs none.
   */
  schemaRegistryCredentials: Type.Optional(schemaRegistryCredentialsSchema),
  /**
   * Which field of the source goes into which column of the destination table, for all columns. Not for a source that is a
   * database.
   */
  fieldMappings: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** Name of the field in the source records. */
          sourceField: Type.String(text),
          /** Name of the column in the destination table. */
          destinationField: Type.String(text),
        },
        { additionalProperties: false },
      ),
      { comparison: "set", ...stays },
    ),
  ),
  /**
   * The replicas on which the pipe runs. Not for a source that is a database: such pipes share the replicas of
   * `PipeCdcScaling`.
   */
  scaling: Type.Optional(
    Type.Object(
      {
        /** Number of replicas on which the pipe runs, 1 to 40. */
        replicas: Type.Integer({ minimum: 1, maximum: 40 }),
        /** CPU of each replica of the pipe in thousandths of a core, 125 to 2000. */
        replicaCpuMillicores: Type.Integer({ minimum: 125, maximum: 2000 }),
        /** Memory of each replica of the pipe in GB, 0.5 to 8. */
        replicaMemoryGb: Type.Number({ minimum: 0.5, maximum: 8 }),
      },
      { additionalProperties: false, ...stays },
    ),
  ),
  /**
   * Settings of the pipe. Those that the service's pages call `clickhouse_…` are `engine_…` here. Undeclared settings stay as they are. Not for a source that is a
   * database.
   */
  settings: Type.Optional(settingsSchema),
  /**
   * Whether the pipe shall run or be stopped; `stopped` pauses a pipe that reads a database. A pipe that is `Completed` fits
   * both values. Default: an existing pipe stays as it is, and a new pipe runs.
   */
  state: Type.Optional(oneOf(["running", "stopped"], { shown: "declared" })),
  /**
   * Arbitrary text. If it changes, a pipe that reads Postgres or MySQL loads its tables anew. The request is never sent twice: if its
   * answer is lost, and the pipe does not show that it loads them, a warning says so, and only another text sends it again.
   */
  resyncTrigger: Type.Optional(Type.String({ sent: "never" })),
  /**
   * Whether a change may replace the pipe. Default: false, which refuses such a change: a new pipe begins to read anew, and
   * loads into the same table what it reads; one of a database loads everything again, and fails if the tables of the old pipe
   * still exist. A pipe that moves to another service needs no permission.
   */
  allowReplacement: Type.Optional(Type.Boolean({ sent: "never", default: false })),
  /**
   * Whether creating, updating or deleting the pipe may wake an idle service, which is billed while it runs. Default: false.
   * Reading the pipe never wakes the service.
   */
  wakeService: Type.Optional(Type.Boolean({ sent: "never", default: false })),
  /**
   * Whether creating or starting the pipe waits until it runs. Default: true. With false, the creation ends as soon as the
   * service shows the pipe, even if the pipe has failed.
   */
  awaitRunning: Type.Optional(Type.Boolean({ sent: "never", default: true })),
  /**
   * Minutes to wait when the pipe is created, started, stopped or deleted, 1 to 1440. Default: 10 to create a pipe, or 30 for
   * one that reads a database; 15 for everything else. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
  /**
   * Whether to create the pipe although another pipe with the same name, source and destination exists, whatever its age.
   * Default: false, which refuses to create the pipe, since an update that was killed may have created the existing one. A pipe
   * that the same update has created or deletes does not count.
   */
  allowSameName: Type.Optional(Type.Boolean({ sent: "never", default: false })),
});

/** The schema of a kind of source, such as `postgres`. */
export const schemaOfSource = (kind: string): TSchema => schemaAt(schemaAt(pipeInputs, "source"), kind);

/** Outputs of a pipe beyond its inputs. */
export const pipeOutputs = Type.Object({
  /** Status of the pipe, such as `Running`, `Paused` or `Failed`; it changes by itself and never counts as drift. */
  status: Type.Optional(Type.String({ volatile: true })),
  /** When the pipe was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
});
