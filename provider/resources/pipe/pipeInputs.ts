import { inService } from "../../lifecycle/scope";
import { oneOf } from "../../values/schema";
import { Type } from "../../values/schemaBuilders";
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
    /** A broker of Kafka, in any of its flavours. */
    kafka: Type.Optional(kafkaSchema),
    /** A stream of Kinesis. */
    kinesis: Type.Optional(kinesisSchema),
    /** Object storage. */
    objectStorage: Type.Optional(objectStorageSchema),
    /** A topic of Google Cloud Pub/Sub. */
    pubsub: Type.Optional(pubsubSchema),
    /** A PostgreSQL database. */
    postgres: Type.Optional(postgresSchema),
    /** A MySQL or MariaDB database. */
    mysql: Type.Optional(mysqlSchema),
    /** A MongoDB database. */
    mongodb: Type.Optional(mongodbSchema),
    /** A BigQuery dataset. */
    bigquery: Type.Optional(bigquerySchema),
  },
  { additionalProperties: false },
);

const destinationSchema = Type.Object(
  {
    /** Database of the table or tables. */
    database: Type.String({ ...text, ...fixed }),
    /** Name of the table. Not for databases, whose mappings name their tables. */
    table: Type.Optional(Type.String({ ...text, ...fixed })),
    /** Whether the pipe creates the table. The service's default is true. Not for databases. */
    managedTable: Type.Optional(Type.Boolean(fixed)),
    /** How the pipe creates the table, unless `managedTable` is false. Not for databases. */
    tableDefinition: Type.Optional(
      Type.Object(
        {
          /** What becomes of rows of the same sorting key. The service's default is `MergeTree`. */
          engine: Type.Optional(
            Type.Object(
              {
                /** Name of the engine. */
                type: oneOf(["MergeTree", "ReplacingMergeTree", "SummingMergeTree", "Null"]),
                /** Column that holds the version of a row, of a `ReplacingMergeTree`. */
                versionColumnId: Type.Optional(Type.String(text)),
                /** Columns that are summed up, of a `SummingMergeTree`. */
                columnIds: Type.Optional(Type.Array(Type.String(text))),
              },
              { additionalProperties: false },
            ),
          ),
          /** Columns or expressions that the table is sorted by, one in each entry. */
          sortingKey: Type.Optional(Type.Array(Type.String(text))),
          /** Expression that the table is partitioned by. */
          partitionBy: Type.Optional(Type.String(text)),
          /** Primary key, as an expression. */
          primaryKey: Type.Optional(Type.String(text)),
          /** Expression that says until when a row is kept. */
          ttl: Type.Optional(Type.String(text)),
        },
        { additionalProperties: false, ...fixed },
      ),
    ),
    /**
     * Columns of the table, in their order. Not for databases. Updated in place: the pipe then fills other columns, and the table
     * stays as it is.
     */
    columns: Type.Optional(
      Type.Array(
        Type.Object(
          {
            /** Name of the column. */
            name: Type.String(text),
            /** Type of the column. */
            type: Type.String(text),
          },
          { additionalProperties: false },
        ),
        { minItems: 1, ...inPlace },
      ),
    ),
    /** Roles of the service's database that the pipe has, in place of its own. Only a create takes them, and no answer shows them. */
    roles: Type.Optional(Type.Array(Type.String(text), { comparison: "set", ...fixed })),
  },
  { additionalProperties: false },
);

const settingsSchema = Type.Object(
  {
    /** How long records are collected before they are inserted: 500 to 60000 milliseconds. */
    streaming_max_insert_wait_ms: Type.Optional(Type.Integer({ minimum: 500, maximum: 60000 })),
    /** Number of objects that are loaded at once, 1 to 35. */
    object_storage_concurrency: Type.Optional(Type.Integer({ minimum: 1, maximum: 35 })),
    /** Interval of looks for new objects: 100 to 3600000 milliseconds. */
    object_storage_polling_interval_ms: Type.Optional(Type.Integer({ minimum: 100, maximum: 3600000 })),
    /** Bytes of one insert, at most: 524288000 to 10737418240. */
    object_storage_max_insert_bytes: Type.Optional(
      Type.Integer({ minimum: 524288000, maximum: 10737418240 }),
    ),
    /** Number of objects in one insert, at most: 1 to 10000. */
    object_storage_max_file_count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10000 })),
    /** Whether all replicas of the service take part in loading objects. */
    object_storage_use_cluster_function: Type.Optional(Type.Boolean()),
    /** Threads of one query, at most: 0 to 64. */
    engine_max_threads: Type.Optional(Type.Integer({ minimum: 0, maximum: 64 })),
    /** Threads of one insert, at most: 0 to 16. */
    engine_max_insert_threads: Type.Optional(Type.Integer({ minimum: 0, maximum: 16 })),
    /** Bytes of a block of an insert, at least: 0 to 10737418240. */
    engine_min_insert_block_size_bytes: Type.Optional(Type.Integer(bytes)),
    /** Threads that download one object, at most: 0 to 32. */
    engine_max_download_threads: Type.Optional(Type.Integer({ minimum: 0, maximum: 32 })),
    /** How an insert is spread over the replicas, 0 to 2; needs `object_storage_use_cluster_function`. */
    engine_parallel_distributed_insert_select: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 })),
    /** Whether materialized views are filled in parallel. */
    engine_parallel_view_processing: Type.Optional(Type.Boolean()),
    /** Whether only committed records are read; of Kafka alone. */
    kafka_read_committed: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, ...stays },
);

/**
 * Inputs of a pipe.
 * @see "Create ClickPipe" and "Update ClickPipe" in the documents of ClickHouse Cloud
 */
export const pipeInputs = inService({
  /**
   * Takes over the existing pipe with this id (uuid) instead of creating one. Has no effect once the pipe is in state; a change that
   * replaces the pipe is refused while it is declared.
   */
  adoptId: Type.Optional(Type.String({ minLength: 1, sent: "never", ...fixed })),
  /** Name of the pipe, 1 to 255 characters. Default: the name of the resource. */
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
  /** Where the data goes. */
  destination: destinationSchema,
  /** Where the data comes from: exactly one member. Another one replaces the pipe. */
  source: sourceSchema,
  /**
   * Credentials of the source, kept encrypted in state: those that its `authentication` takes. Sent by a create, and when they
   * change. A pipe that is imported or taken over needs none.
   */
  credentials: Type.Optional(credentialsSchema),
  /**
   * Credentials of the registry of `kafka.schemaRegistry`, kept encrypted in state. Only a create takes them; a change replaces the
   * pipe. A pipe that is imported or taken over needs none.
   */
  schemaRegistryCredentials: Type.Optional(schemaRegistryCredentialsSchema),
  /** Which field of the source goes into which column, for all columns. Not for databases. */
  fieldMappings: Type.Optional(
    Type.Array(
      Type.Object(
        {
          /** Field of the source. */
          sourceField: Type.String(text),
          /** Column of the destination. */
          destinationField: Type.String(text),
        },
        { additionalProperties: false },
      ),
      { comparison: "set", ...stays },
    ),
  ),
  /** The replicas that the pipe runs on. Not for databases, which share those of the service. */
  scaling: Type.Optional(
    Type.Object(
      {
        /** Number of replicas, 1 to 40. */
        replicas: Type.Integer({ minimum: 1, maximum: 40 }),
        /** CPU of a replica in thousandths of a core, 125 to 2000. */
        replicaCpuMillicores: Type.Integer({ minimum: 125, maximum: 2000 }),
        /** Memory of a replica in GB, 0.5 to 8. */
        replicaMemoryGb: Type.Number({ minimum: 0.5, maximum: 8 }),
      },
      { additionalProperties: false, ...stays },
    ),
  ),
  /** Settings by the service's own names. Those that are not declared stay as they are. Not for databases. */
  settings: Type.Optional(settingsSchema),
  /**
   * Whether the pipe shall run or be stopped; one of a database is then paused. One that is `Completed` counts as either. Default:
   * whatever it is, and a new pipe runs.
   */
  state: Type.Optional(oneOf(["running", "stopped"], { shown: "declared" })),
  /** Arbitrary text. Changing it has a pipe of Postgres or MySQL load its tables anew. */
  resyncTrigger: Type.Optional(Type.String({ sent: "never" })),
  /**
   * Whether a change may replace a pipe of a database. Default: it is refused, since a new pipe is a new full load, and the tables of
   * the old one stay in its way.
   */
  allowReplacement: Type.Optional(Type.Boolean({ sent: "never", default: false })),
  /** Whether a create, an update or a deletion may wake an idle service, which is then billed. Default: false. No read does. */
  wakeService: Type.Optional(Type.Boolean({ sent: "never", default: false })),
  /** Whether a create waits until the pipe runs. Default: true. With false any state ends it, even that of a failed pipe. */
  awaitRunning: Type.Optional(Type.Boolean({ sent: "never", default: true })),
  /**
   * Minutes for which a create, a change of the state, and a deletion wait, 1 to 1440. Default: 10 for a create, 30 of a database,
   * and 15 for the others. The option `customTimeouts` may end a wait sooner.
   */
  waitMinutes: Type.Optional(Type.Integer({ minimum: 1, maximum: 1440, sent: "never" })),
  /**
   * Whether a pipe of the same name and source that is younger than a day, and not of this program, may be another one. Default: the
   * create is refused, since an update that was killed may have left it.
   */
  allowSameName: Type.Optional(Type.Boolean({ sent: "never", default: false })),
});

/** Outputs of a pipe beyond its inputs. */
export const pipeOutputs = Type.Object({
  /** Status of the pipe, such as `Running`, `Paused` or `Failed`; it changes by itself and never counts as drift. */
  status: Type.Optional(Type.String({ volatile: true })),
  /** When the pipe was created (ISO 8601). */
  createdAt: Type.Optional(Type.String()),
});
