import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "pipestack";

const config = new pulumi.Config();

// The brokers are in a network of your own, whose owner accepts the output `endpointId`.
const brokers = new pipestack.ReversePrivateEndpoint("brokers", {
  description: "brokers of the shop",
  type: "VPC_ENDPOINT_SERVICE",
  vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-0a9b8c7d6e5f41320",
  customPrivateDnsMappings: [{ privateDnsName: "broker.example.com" }],
});

const columns = [
  { name: "id", type: "UInt64" },
  { name: "amount", type: "Decimal(18, 2)" },
];

const orders = new pipestack.Pipe("orders", {
  source: {
    kafka: {
      type: "kafka",
      format: "AvroConfluent",
      brokers: "broker.example.com:9092",
      topics: "orders",
      authentication: "SCRAM-SHA-512",
      reversePrivateEndpointIds: [brokers.id],
      schemaRegistry: { url: "https://registry.example.com" },
    },
  },
  // Sent when they change, and kept encrypted in the state.
  credentials: { username: "reader", password: config.requireSecret("kafkaPassword") },
  schemaRegistryCredentials: { username: "reader", password: config.requireSecret("registryPassword") },
  destination: {
    database: "default",
    table: "orders",
    tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["id"] },
    columns,
  },
  fieldMappings: columns.map(({ name }) => ({ sourceField: name, destinationField: name })),
  scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
});

// A queue tells of new objects, which a role reads.
const files = new pipestack.Pipe("files", {
  source: {
    objectStorage: {
      type: "s3",
      format: "JSONEachRow",
      url: "https://files.s3.eu-central-1.amazonaws.com/**/*.json",
      isContinuous: true,
      queueUrl: "https://sqs.eu-central-1.amazonaws.com/000000000000/files",
      authentication: "IAM_ROLE",
      iamRole: "arn:aws:iam::000000000000:role/files",
    },
  },
  destination: {
    database: "default",
    table: "files",
    tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["id"] },
    columns,
  },
  fieldMappings: columns.map(({ name }) => ({ sourceField: name, destinationField: name })),
  settings: { object_storage_concurrency: 4 },
});

// Loads the tables, and then follows their changes. A change that would load them anew is refused.
const shop = new pipestack.Pipe("shop", {
  source: {
    postgres: {
      host: "shop.db.example.com",
      port: 5432,
      database: "shop",
      settings: { replicationMode: "cdc", syncIntervalSeconds: 60 },
      tableMappings: [
        { sourceSchemaName: "public", sourceTable: "customers", targetTable: "customers" },
        { sourceSchemaName: "public", sourceTable: "invoices", targetTable: "invoices" },
      ],
    },
  },
  credentials: { username: "replicator", password: config.requireSecret("postgresPassword") },
  destination: { database: "default" },
});

export const toAccept = brokers.endpointId;
export const states = [orders.status, files.status, shop.status];
