import { enums } from "../api/enums.golden";
import { pipeInputs } from "../resources/pipe/pipeInputs";
import { openSetOf } from "../values/schema";
import { Type } from "../values/schemaBuilders";
import { type Loose, loose, looseMembers, nullable } from "./answered";
import type { ResultOf } from "./definition";

/** All states that ClickHouse Cloud has for a pipe. */
export const pipeState = openSetOf(enums.pipeState);

const { source, destination, fieldMappings, scaling, settings } = pipeInputs.properties;
const { objectStorage, mysql } = source.properties;
const { sourceSchemaName, ...mysqlMapping } = mysql.properties.tableMappings.items.properties;

const sources = {
  ...source.properties,
  /** Object storage. */
  objectStorage: Type.Object({
    ...objectStorage.properties,
    /** Connection string of the object storage. Secret; present only with `includeSecrets: true`. */
    connectionString: Type.Optional(Type.String()),
  }),
  /** A MySQL or MariaDB database as the source of a pipe. */
  mysql: Type.Object({
    ...mysql.properties,
    /** The tables that the pipe loads, with their destination tables. */
    tableMappings: Type.Array(
      Type.Object({
        ...mysqlMapping,
        /** Database that has the table in the source. */
        sourceSchemaName,
      }),
    ),
  }),
};

/** The properties, at any depth of a source, that may be null in answers. */
const nulls = {
  kafka: [
    ...(["caCertificate", "consumerGroup", "exactlyOnce", "iamRole", "offset"] as const),
    ...(["schemaRegistry", "timestamp", "tombstoneMode"] as const),
  ],
  kinesis: ["glueRoleArn", "iamRole", "schemaRegistry", "timestamp", "useEnhancedFanOut"],
  objectStorage: [
    ...(["authentication", "azureContainerName", "compression", "connectionString", "delimiter"] as const),
    ...(["iamRole", "isContinuous", "path", "queueUrl", "skipInitialLoad", "startAfter"] as const),
  ],
  pubsub: ["ackDeadline", "enableOrdering", "filter", "seekTimestamp"],
  postgres: ["type"],
  mysql: ["type"],
  mongodb: [],
  bigquery: [],
} as const;

type Sources = typeof sources;
type SourceOf<Kind extends keyof Sources> = Loose<Sources[Kind], (typeof nulls)[Kind][number]>;
/** A Kafka broker as the source of a pipe. */
export interface KafkaSource extends SourceOf<"kafka"> {}
/** A Kinesis stream as the source of a pipe. */
export interface KinesisSource extends SourceOf<"kinesis"> {}
/** Object storage. */
export interface ObjectStorageSource extends SourceOf<"objectStorage"> {}
/** A topic of Google Cloud Pub/Sub as the source of a pipe. */
export interface PubsubSource extends SourceOf<"pubsub"> {}

/** How a PostgreSQL database is replicated. */
export interface PostgresSettings extends Loose<Sources["postgres"]["properties"]["settings"], "type"> {}
/** Maps a table of PostgreSQL to a destination table. */
export interface PostgresTableMapping
  extends Loose<Sources["postgres"]["properties"]["tableMappings"]["items"], "type"> {}
/** A PostgreSQL database as the source of a pipe. */
export interface PostgresSource extends SourceOf<"postgres"> {}

/** How a MySQL database is replicated. */
export interface MysqlSettings extends Loose<Sources["mysql"]["properties"]["settings"], "type"> {}
/** Maps a table of MySQL to a destination table. */
export interface MysqlTableMapping
  extends Loose<Sources["mysql"]["properties"]["tableMappings"]["items"], "type"> {}
/** A MySQL or MariaDB database as the source of a pipe. */
export interface MysqlSource extends SourceOf<"mysql"> {}

/** How a MongoDB database is replicated. */
export interface MongodbSettings extends Loose<Sources["mongodb"]["properties"]["settings"]> {}
/** Maps a MongoDB collection to a destination table. */
export interface MongodbTableMapping
  extends Loose<Sources["mongodb"]["properties"]["tableMappings"]["items"]> {}
/** A MongoDB database as the source of a pipe. */
export interface MongodbSource extends SourceOf<"mongodb"> {}

/** How a BigQuery dataset is loaded. */
export interface BigquerySettings extends Loose<Sources["bigquery"]["properties"]["settings"]> {}
/** Maps a table of BigQuery to a destination table. */
export interface BigqueryTableMapping
  extends Loose<Sources["bigquery"]["properties"]["tableMappings"]["items"]> {}
/** A BigQuery dataset as the source of a pipe. */
export interface BigquerySource extends SourceOf<"bigquery"> {}

type ByKind = { readonly [Kind in keyof Sources]?: SourceOf<Kind> | null };

/** The source of a pipe: one property is an object; the others are missing, or null on newer servers. */
export interface PipeSource extends ByKind {}

const pipeSourceSchema = Type.Unsafe<PipeSource>(
  Type.Object(
    Object.fromEntries(
      Object.entries(sources).map(([kind, schema]) => [
        kind,
        nullable(loose(schema, nulls[kind as keyof Sources])),
      ]),
    ),
  ),
);

const pipeScalingSchema = Type.Object({
  ...looseMembers(scaling),
  /**
   * Number of the pipe's concurrent workers.
   * @deprecated by the product, whose pipes scale by `replicas`
   */
  concurrency: Type.Optional(Type.Number()),
});

/** Replicas of a pipe, with their CPU and memory. */
export interface PipeScaling extends Loose<typeof scaling>, ResultOf<typeof pipeScalingSchema> {}

const { columns, ...ofDestination } = destination.properties;
const destinationSchema = Type.Object(ofDestination);
const columnsSchema = Type.Object({
  /** Columns of the destination table. */
  columns: Type.Optional(columns),
});

/** Destination of a pipe. */
export interface PipeDestination
  extends Loose<typeof destinationSchema, "versionColumnId">,
    ResultOf<typeof columnsSchema> {}

const pipeDestinationSchema = Type.Unsafe<PipeDestination>(
  Type.Object({ ...looseMembers(destinationSchema, ["versionColumnId"]), ...columnsSchema.properties }),
);

/**
 * Settings of a pipe, by the service's own names; all numbers are whole. Newer servers answer null for settings that are not set.
 * @see "Pipe settings" in the API document
 */
export interface PipeSettings extends Loose<typeof settings, keyof (typeof settings)["properties"]> {}

export const pipeSettingsSchema = Type.Unsafe<PipeSettings>(
  loose(settings, Object.keys(settings.properties)),
);

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
  scaling: Type.Optional(Type.Unsafe<PipeScaling>(pipeScalingSchema)),
  /** Source of the pipe's data: exactly one property is an object. */
  source: pipeSourceSchema,
  /** Destination of the pipe's data. */
  destination: pipeDestinationSchema,
  /** Maps source fields of the pipe to destination columns. */
  fieldMappings,
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
