import type { Pipe, PipeSettings, ReversePrivateEndpoint } from "../records";
import { services } from "./services";

const serviceId = services[0].id;
const createdAt = "2025-02-03T10:30:00.000Z";
const reversePrivateEndpointId = "4a8e1f73-d5b2-4c90-8f16-e3b7a9c2d058";

const settings: PipeSettings = {
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

/** The names of all settings that a pipe has. */
export const settingNames = Object.keys(settings);

function pipe(id: string, name: string, state: string, source: Pipe["source"]): Pipe {
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
    settings,
    createdAt,
    updatedAt: createdAt,
  };
}

/** A pipe of every source kind, each with all its fields. */
export const pipes: Pipe[] = [
  pipe("1d7b4e92-c063-4f5a-9e28-b6a1d8f30c47", "orders-stream", "Running", {
    kafka: {
      brokers: "broker-1.example.com:9092,broker-2.example.com:9092",
      topics: "orders,refunds",
      consumerGroup: "warehouse",
      iamRole: "arn:aws:iam::000000000000:role/sandbox-kafka",
      offset: { timestamp: "2025-02-01T00:00" },
      schemaRegistry: { url: "https://registry.example.com", caCertificate: "sandbox registry certificate" },
      caCertificate: "sandbox broker certificate",
      reversePrivateEndpointIds: [reversePrivateEndpointId],
    },
  }),
  pipe("5e0c8a36-72f9-4d1b-8b45-d9f2c7e16a80", "clickstream-files", "Running", {
    objectStorage: {
      url: "https://sandbox.blob.example.com/events/**/*.csv",
      delimiter: ",",
      compression: "gzip",
      isContinuous: true,
      queueUrl: "https://queue.example.com/events",
      iamRole: "arn:aws:iam::000000000000:role/sandbox-storage",
      connectionString:
        "DefaultEndpointsProtocol=https;AccountName=sandbox;AccountKey=c2FuZGJveC1vbmx5LWFjY291bnQta2V5;EndpointSuffix=example.com",
      path: "events/**/*.csv",
      azureContainerName: "events",
    },
  }),
  pipe("92b6f1d8-3a4e-4c07-a5d1-8e70c4b9f263", "device-records", "Paused", {
    kinesis: {
      streamName: "devices",
      region: "eu-central-1",
      useEnhancedFanOut: true,
      timestamp: 1738368000,
      iamRole: "arn:aws:iam::000000000000:role/sandbox-kinesis",
    },
  }),
  pipe("c8a3e5f7-096d-4b12-93fc-5d1e7b60a4d9", "customers-replica", "Running", {
    postgres: {
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
    },
  }),
];

/** One endpoint that is ready, and one that waits for its other side. */
export const reversePrivateEndpoints: ReversePrivateEndpoint[] = [
  {
    id: reversePrivateEndpointId,
    serviceId,
    description: "Kafka brokers",
    type: "MSK_MULTI_VPC",
    mskClusterArn: "arn:aws:kafka:eu-central-1:000000000000:cluster/sandbox/4a8e1f73",
    mskAuthentication: "SASL_IAM",
    endpointId: "vpce-0f1e2d3c4b5a69788",
    dnsNames: ["vpce-0f1e2d3c4b5a69788.kafka.example.com"],
    privateDnsNames: ["broker-1.example.com", "broker-2.example.com"],
    status: "Ready",
  },
  {
    id: "b37d0c95-84e2-4a6f-b9c8-1f5e6d2a7038",
    serviceId,
    description: "Customers database",
    type: "VPC_ENDPOINT_SERVICE",
    vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0a9b8c7d6e5f41320",
    vpcResourceConfigurationId: "rcfg-0a1b2c3d4e5f60718",
    vpcResourceShareArn: "arn:aws:ram:eu-central-1:000000000000:resource-share/b37d0c95",
    endpointId: "vpce-01234567890abcdef",
    dnsNames: [],
    privateDnsNames: [],
    status: "PendingAcceptance",
  },
];
