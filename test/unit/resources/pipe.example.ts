import { creationOf } from "../../../provider/resources/pipe/pipeCreation";
import { isObject, type PropertyMap } from "../../../provider/values/data";
import type { Pipe, Sandbox } from "../../../sandbox/index";
import { type Example, type JsonObject, placed } from "./example";

const columns = [
  { name: "id", type: "UInt64" },
  { name: "payload", type: "String" },
  { name: "version", type: "UInt32" },
];
const table = (name: string, tableDefinition: JsonObject = { engine: { type: "MergeTree" } }) => ({
  destination: { database: "default", table: name, columns, tableDefinition },
  fieldMappings: columns.map(({ name }) => ({ sourceField: `source_${name}`, destinationField: name })),
});
const scaling = { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 };
const login = { username: "reader", password: "a password of the reader" };
const accessKey = { accessKeyId: "AKIAREADERREADER", secretKey: "a secret of the reader" };
const serviceAccountKey = "a key of a service account";
const iamRole = "arn:aws:iam::000000000000:role/reader";
const certificate = "-----BEGIN CERTIFICATE-----\nsandbox\n-----END CERTIFICATE-----";
const tls = {
  ...{ tlsHost: "db.example.com", caCertificate: certificate },
  ...{ disableTls: false, skipCertVerification: true },
};
const firstLoad = {
  ...{ initialLoadParallelism: 2, snapshotNumRowsPerPartition: 50_000, snapshotNumberOfParallelTables: 3 },
};
const rounds = { syncIntervalSeconds: 30, pullBatchSize: 5000, replicationMode: "cdc" };
/** The SSH tunnel of a new sandbox. */
const sshKeyResourceId = "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a84";

const mapping = {
  ...{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" },
  ...{ tableEngine: "ReplacingMergeTree", excludedColumns: ["card"] },
  ...{ useCustomSortingKey: true, sortingKeys: ["id"], partitionKey: "id", partitionByExpr: "toYYYYMM(at)" },
};
const plain = { sourceSchemaName: "public", sourceTable: "refunds", targetTable: "refunds" };

export const kafka = {
  ...{ type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: "orders" },
  authentication: "SCRAM-SHA-512",
};
export const postgres = {
  ...{ host: "orders.db.example.com", port: 5432, database: "orders", settings: { replicationMode: "cdc" } },
  tableMappings: [plain],
};

const stream = { name: "orders", source: { kafka }, credentials: login, ...table("orders") };

const wholes: { readonly [title: string]: JsonObject } = {
  "from Kafka": {
    name: "orders",
    source: {
      kafka: {
        ...{ ...kafka, format: "AvroConfluent", topics: "orders,refunds", consumerGroup: "warehouse" },
        ...{ caCertificate: certificate, exactlyOnce: true, tombstoneMode: "delete" },
        ...{ reversePrivateEndpointIds: ["4a8e1f73-d5b2-4c90-8f16-e3b7a9c2d058"], sshKeyResourceId },
        offset: { strategy: "from_timestamp", timestamp: "2027-01-31T08:00" },
        schemaRegistry: {
          ...{ type: "confluent", url: "https://registry.example.com", authentication: "PLAIN" },
          caCertificate: certificate,
        },
      },
    },
    credentials: login,
    schemaRegistryCredentials: { username: "registry", password: "a password of the registry" },
    destination: {
      ...{ database: "default", table: "orders", managedTable: true, columns, roles: ["loader"] },
      tableDefinition: {
        engine: { type: "ReplacingMergeTree", versionColumnId: "version" },
        ...{
          sortingKey: ["id", "version"],
          partitionBy: "id % 8",
          primaryKey: "id",
          ttl: "at + INTERVAL 1 DAY",
        },
      },
    },
    fieldMappings: stream.fieldMappings,
    scaling,
    settings: {
      ...{ streaming_max_insert_wait_ms: 1000, kafka_read_committed: true },
      ...{ engine_max_threads: 4, engine_max_insert_threads: 2, engine_max_download_threads: 3 },
      engine_min_insert_block_size_bytes: 1048576,
      engine_parallel_view_processing: true,
    },
    ...{ state: "running", wakeService: false, awaitRunning: true },
  },
  "from Redpanda, by a certificate": {
    ...stream,
    source: { kafka: { ...kafka, type: "redpanda", authentication: "MUTUAL_TLS" } },
    credentials: { certificate, privateKey: "-----BEGIN PRIVATE KEY-----\na key of the reader" },
  },
  "from MSK, with a registry of Glue": {
    ...stream,
    source: {
      kafka: {
        ...{ ...kafka, type: "msk", format: "Protobuf", authentication: "IAM_ROLE", iamRole },
        schemaRegistry: {
          ...{ type: "glue", glueRegion: "eu-central-1", glueRegistryName: "orders", glueRoleArn: iamRole },
        },
        protobufSchema: 'syntax = "proto3";',
      },
    },
    credentials: undefined as never,
  },
  "from Kinesis": {
    name: "devices",
    source: {
      kinesis: {
        ...{
          format: "Avro",
          streamName: "devices",
          region: "eu-central-1",
          authentication: "IAM_ROLE",
          iamRole,
        },
        ...{ iteratorType: "AT_TIMESTAMP", timestamp: 1738368000, useEnhancedFanOut: true },
        schemaRegistry: {
          type: "glue",
          glueRegion: "eu-central-1",
          glueRegistryName: "devices",
          glueRoleArn: iamRole,
        },
        protobufSchema: 'syntax = "proto3";',
      },
    },
    ...table("devices", { engine: { type: "SummingMergeTree", columnIds: ["version"] }, sortingKey: ["id"] }),
  },
  "from S3": {
    name: "logs",
    source: {
      objectStorage: {
        ...{ type: "s3", format: "JSONEachRow", url: "https://logs.s3.amazonaws.com/**", isContinuous: true },
        ...{ authentication: "IAM_ROLE", iamRole },
      },
    },
    ...table("logs"),
  },
  "from S3, by a queue": {
    name: "files",
    source: {
      objectStorage: {
        ...{ type: "s3", format: "CSV", url: "https://files.s3.amazonaws.com/**/*.csv", delimiter: ";" },
        ...{ compression: "gzip", isContinuous: true, queueUrl: "https://sqs.example.com/files" },
        ...{ authentication: "IAM_USER", skipInitialLoad: true },
      },
    },
    credentials: accessKey,
    ...table("files"),
    settings: {
      ...{ object_storage_concurrency: 4, object_storage_polling_interval_ms: 1000 },
      ...{ object_storage_max_insert_bytes: 524288000, object_storage_max_file_count: 10 },
      ...{ object_storage_use_cluster_function: true, engine_parallel_distributed_insert_select: 1 },
    },
  },
  "from a container": {
    name: "archive",
    source: {
      objectStorage: {
        ...{
          type: "azureblobstorage",
          format: "Parquet",
          isContinuous: true,
          url: "https://archive.blob.example.com",
        },
        ...{ authentication: "CONNECTION_STRING", path: "events/*.parquet", azureContainerName: "events" },
        startAfter: "events/2026.parquet",
      },
    },
    credentials: { connectionString: "AccountName=archive;AccountKey=a key of the archive" },
    ...table("archive"),
  },
  "from Pub/Sub": {
    name: "signups",
    source: {
      pubsub: {
        ...{ format: "JSONEachRow", projectId: "shop", topic: "signups", authentication: "SERVICE_ACCOUNT" },
        ...{ seekType: "timestamp", seekTimestamp: "2027-01-31T08:00:00Z", filter: "attributes:id" },
        ...{ enableOrdering: true, ackDeadline: 30 },
      },
    },
    credentials: { serviceAccountKey },
    ...table("signups"),
  },
  "from Postgres": {
    name: "replica",
    source: {
      postgres: {
        ...{ ...postgres, ...tls, type: "rdspostgres", authentication: "IAM_ROLE", iamRole },
        sshKeyResourceId,
        settings: {
          ...{ ...rounds, ...firstLoad, replicationMode: "cdc_only", replicationSlotName: "warehouse_slot" },
          ...{ publicationName: "warehouse", allowNullableColumns: true },
          ...{ enableFailoverSlots: true, deleteOnMerge: true },
        },
        tableMappings: [mapping, plain],
      },
    },
    destination: { database: "default" },
    ...{ resyncTrigger: "1", allowReplacement: true },
  },
  "from MySQL": {
    name: "replica",
    source: {
      mysql: {
        ...{ ...tls, type: "mysql", host: "orders.db.example.com", port: 3306, serverId: 7 },
        ...{ authentication: "IAM_ROLE", iamRole, sshKeyResourceId },
        settings: {
          ...{ ...rounds, ...firstLoad, replicationMechanism: "GTID", useCompression: true },
          ...{ allowNullableColumns: true, deleteOnMerge: true },
        },
        tableMappings: [mapping, plain],
      },
    },
    destination: { database: "default" },
  },
  "from MongoDB": {
    name: "profiles",
    source: {
      mongodb: {
        ...{ ...tls, uri: "mongodb+srv://profiles.example.com/app", readPreference: "secondary" },
        sshKeyResourceId,
        settings: { ...rounds, ...firstLoad, deleteOnMerge: true, useJsonNativeFormat: true },
        tableMappings: [
          {
            ...{ sourceDatabaseName: "app", sourceCollection: "profiles", targetTable: "profiles" },
            tableEngine: "MergeTree",
            structuredIngestion: {
              ...{ enabled: true, columns: [{ name: "id", type: "String" }], dropUnexpectedValues: true },
              ...{ excludedColumns: ["photo"], sortingKeys: ["id"], partitionByExpr: "id" },
            },
          },
        ],
      },
    },
    credentials: login,
    destination: { database: "default" },
  },
  "from BigQuery": {
    name: "history",
    source: {
      bigquery: {
        ...{
          authentication: "SERVICE_ACCOUNT",
          projectId: "shop",
          snapshotStagingPath: "gs://staging/history",
        },
        settings: {
          ...{ replicationMode: "cdc", replicationMethod: "query_based", syncIntervalSeconds: 600 },
          ...{ syncDelaySeconds: 5, pullWindowSizeSeconds: 60, queryCdcPullSyncParallelism: 2 },
          ...{ ...firstLoad, allowNullableColumns: true },
        },
        tableMappings: [
          {
            ...{ sourceDatasetName: "archive", sourceTable: "events", targetTable: "events" },
            ...{ tableEngine: "ReplacingMergeTree", excludedColumns: ["raw"], useCustomSortingKey: true },
            ...{ sortingKeys: ["id"], eventsFunction: "APPENDS", queryCdcWatermarkColumn: "at" },
          },
        ],
      },
    },
    credentials: { serviceAccountKey },
    destination: { database: "default" },
  },
  "from BigQuery, by times": {
    name: "history",
    source: {
      bigquery: {
        ...{ authentication: "SERVICE_ACCOUNT_WORKLOAD_IDENTITY", projectId: "shop" },
        snapshotStagingPath: "gs://staging/history",
        settings: { replicationMode: "cdc", syncCron: "0 * * * *" },
        tableMappings: [{ sourceDatasetName: "archive", sourceTable: "events", targetTable: "events" }],
      },
    },
    destination: { database: "default" },
  },
};

/** Returns a program as JSON, without members that are undefined. */
const asJson = (program: JsonObject): JsonObject => JSON.parse(JSON.stringify(program));

const home = "1d7b4e92-c063-4f5a-9e28-b6a1d8f30c47";

/** Properties that the service requires in each update of such a source; columns and field mappings go together. */
const requiredInUpdates =
  /^(source\.(pubsub\.authentication|mysql\.(host|port)|mongodb\.(uri|readPreference))|destination\.columns|fieldMappings)$/;
const secretsInSources =
  /^source\.\w+\.(schemaRegistry\.)?(credentials|accessKey|connectionString|serviceAccountKey)/;

export const pipeExample: Example = {
  valid: placed("5b0e9d8c-7f6a-4b5c-8d9e-0f1a2b3c4d60", {
    ...wholes["from Kafka"],
    ...{ resyncTrigger: undefined as never, allowReplacement: false, allowSameName: true, waitMinutes: 30 },
  }),
  wholes: Object.fromEntries(Object.entries(wholes).map(([title, program]) => [title, asJson(program)])),
  programs: () => [stream, { ...stream, name: "purchases" }],
  bodyOf: ({ resyncTrigger, allowReplacement, wakeService, awaitRunning, ...sent }) =>
    clickhouseNames(creationOf(sent)),
  isUpdatedInParts: true,
  isSentBeside: (path, changed) =>
    requiredInUpdates.test(path) ||
    (secretsInSources.test(path) && changed.some((one) => /redentials/.test(one))),
  // The general tests change neither the state of a pipe, which also changes by itself, nor its service account key, whose
  // change replaces a pipe from BigQuery. Other tests of pipes change both.
  alternatives: { state: [], serviceAccountKey: [], sshKeyResourceId: [] },
  find: ({ store }, id) => store.pipes.get(id),
  lasting: withoutOrder,
  made: ["steps", "consumerGroup", "roles"],
  home,
  creatable: {
    id: "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbb12",
    add: ({ sandbox }, id) => addPipe(sandbox, { id, name: "by hand" }),
  },
};

/**
 * Returns a pipe's record without properties that change by themselves, and with its tables sorted, since their order has no
 * meaning.
 */
function withoutOrder({
  state: _,
  steps: _steps,
  scaledUntil: _until,
  source,
  ...record
}: PropertyMap): PropertyMap {
  if (!isObject(source)) return record;
  const ordered = structuredClone(source);
  for (const members of Object.values(ordered) as { tableMappings?: object[] }[])
    members.tableMappings?.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)));
  return { ...record, source: ordered };
}

function clickhouseNames({ settings, ...body }: PropertyMap): PropertyMap {
  if (!isObject(settings)) return body;
  const named = Object.entries(settings).map(([name, value]) => [
    name.replace(/^engine_/, "clickhouse_"),
    value,
  ]);
  return { ...body, settings: Object.fromEntries(named) };
}

export function addPipe({ store }: Sandbox, changed: Partial<Pipe>): void {
  const record = { ...structuredClone(store.pipes.get(home) as Pipe), ...changed };
  store.pipes.set(record.id, record);
}
