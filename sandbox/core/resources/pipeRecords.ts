import { seededCredentials } from "../credentials";
import type { PipeLifecycle } from "./pipeStates";
import { seededEndpointId } from "./reversePrivateEndpoints";

export type PipeSettings = Record<string, number | boolean>;

const { serviceId } = seededCredentials;
const createdAt = "2025-02-03T10:30:00.000Z";

export const defaultSettings: PipeSettings = {
  streaming_max_insert_wait_ms: 5000,
  object_storage_concurrency: 1,
  object_storage_polling_interval_ms: 30000,
  object_storage_max_insert_bytes: 10737418240,
  object_storage_max_file_count: 100,
  object_storage_use_cluster_function: false,
  engine_max_threads: 8,
  engine_max_insert_threads: 1,
  engine_min_insert_block_size_bytes: 1073741824,
  engine_max_download_threads: 4,
  engine_parallel_distributed_insert_select: 0,
  engine_parallel_view_processing: false,
};

export const settingNames = [...Object.keys(defaultSettings), "kafka_read_committed"];

const kafka = {
  brokers: "broker-1.example.com:9092,broker-2.example.com:9092",
  topics: "orders,refunds",
  consumerGroup: "warehouse",
  iamRole: "arn:aws:iam::000000000000:role/sandbox-kafka",
  offset: { timestamp: "2025-02-01T00:00" },
  schemaRegistry: { url: "https://registry.example.com", caCertificate: "sandbox registry certificate" },
  caCertificate: "sandbox broker certificate",
  reversePrivateEndpointIds: [seededEndpointId],
};

const objectStorage = {
  url: "https://sandbox.blob.example.com/events/**/*.csv",
  delimiter: ",",
  compression: "gzip",
  isContinuous: true,
  queueUrl: "https://queue.example.com/events",
  iamRole: "arn:aws:iam::000000000000:role/sandbox-storage",
  // The connection string contains a secret, the account key, although it is an ordinary property of the source.
  connectionString:
    "DefaultEndpointsProtocol=https;AccountName=sandbox;AccountKey=c2FuZGJveC1vbmx5LWFjY291bnQta2V5;EndpointSuffix=example.com",
  path: "events/**/*.csv",
  azureContainerName: "events",
};

const kinesis = {
  streamName: "devices",
  region: "eu-central-1",
  useEnhancedFanOut: true,
  timestamp: 1738368000,
  iamRole: "arn:aws:iam::000000000000:role/sandbox-kinesis",
};

const postgres = {
  host: "customers.db.example.com",
  port: 5432,
  database: "customers",
  settings: {
    syncIntervalSeconds: 60,
    pullBatchSize: 100000,
    publicationName: "warehouse",
    replicationSlotName: "warehouse_slot",
    allowNullableColumns: true,
    initialLoadParallelism: 4,
    snapshotNumRowsPerPartition: 100000,
    snapshotNumberOfParallelTables: 2,
    enableFailoverSlots: false,
  },
  tableMappings: [
    {
      sourceSchemaName: "public",
      sourceTable: "customers",
      targetTable: "customers",
      excludedColumns: ["password_hash"],
      useCustomSortingKey: true,
      sortingKeys: ["id"],
    },
  ],
};

export type KafkaSource = typeof kafka;
export type ObjectStorageSource = typeof objectStorage;
export type KinesisSource = typeof kinesis;
export type PostgresSource = typeof postgres;

/**
 * The source of a pipe: exactly one of these properties is set, which names the kind of the source. Responses of ClickHouse
 * Cloud show the other properties as null.
 */
export interface PipeSource {
  kafka?: KafkaSource;
  objectStorage?: ObjectStorageSource;
  kinesis?: KinesisSource;
  postgres?: PostgresSource;
  /** Only ClickHouse Cloud has these four kinds of sources: MySQL, MongoDB, BigQuery and Pub/Sub. */
  mysql?: object;
  mongodb?: object;
  bigquery?: object;
  pubsub?: object;
}

type Seeded = ReturnType<typeof seededPipe>;

/**
 * The record of a pipe. Responses omit the properties about the pipe's lifecycle. Those of ClickHouse Cloud differ from the
 * record in further properties.
 */
export interface Pipe
  extends Omit<Seeded, "destination" | "fieldMappings">,
    PipeLifecycle,
    Partial<OfCreation> {
  destination: { database: string; table?: string; columns?: readonly { name: string; type: string }[] };
  fieldMappings: { sourceField: string; destinationField: string }[];
}

/** Properties of a pipe that its creation sets, and no response shows. */
interface OfCreation {
  credentials: { readonly [name: string]: unknown };
  roles: string[];
  /** Until this time, in milliseconds since 1970, responses show no replicas of the pipe. */
  scaledUntil: number;
}

export function seededPipe(id: string, name: string, state: string, source: PipeSource) {
  return {
    id,
    serviceId,
    name,
    state,
    scaling: { replicas: 2, concurrency: 1, replicaCpuMillicores: 250, replicaMemoryGb: 0.5 },
    source,
    destination: {
      database: "default",
      table: name.replaceAll("-", "_"),
      managedTable: true,
      tableDefinition: {
        engine: { versionColumnId: "version", columnIds: ["id", "version"] },
        sortingKey: ["id"],
        partitionBy: "toYYYYMM(created_at)",
        primaryKey: "id",
      },
      columns: [
        { name: "id", type: "UInt64" },
        { name: "payload", type: "String" },
        { name: "created_at", type: "DateTime64(3)" },
        { name: "version", type: "UInt32" },
      ],
    },
    fieldMappings: [
      { sourceField: "event_id", destinationField: "id" },
      { sourceField: "body", destinationField: "payload" },
    ],
    settings: defaultSettings,
    createdAt,
    updatedAt: createdAt,
  };
}

/**
 * The pipes of a new sandbox in the dialect `neutral`: one for every kind of source in the API document, each with all of its
 * properties.
 */
export const seededPipes: Pipe[] = [
  seededPipe("1d7b4e92-c063-4f5a-9e28-b6a1d8f30c47", "orders-stream", "Running", { kafka }),
  seededPipe("5e0c8a36-72f9-4d1b-8b45-d9f2c7e16a80", "clickstream-files", "Running", { objectStorage }),
  seededPipe("92b6f1d8-3a4e-4c07-a5d1-8e70c4b9f263", "device-records", "Paused", { kinesis }),
  seededPipe("c8a3e5f7-096d-4b12-93fc-5d1e7b60a4d9", "customers-replica", "Running", { postgres }),
];
