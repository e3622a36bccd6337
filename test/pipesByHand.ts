import type { Sandbox } from "../sandbox/index";
import { send } from "./serviceContents";

/** The credentials in the pipes that tests create by requests of their own, without the provider. */
export const pipeSecrets = {
  kafka: "kafka-password",
  registry: "registry-password",
  postgres: "postgres-password",
};
const columns = [{ name: "id", type: "UInt64" }];
const tableDefinition = { engine: { type: "MergeTree" }, sortingKey: ["id"] };
const table = (name: string) => ({
  destination: { database: "default", table: name, columns, tableDefinition },
  fieldMappings: [{ sourceField: "key", destinationField: "id" }],
});
const endpoint = {
  ...{ description: "brokers of the shop", type: "VPC_ENDPOINT_SERVICE" },
  vpcEndpointServiceName: "com.amazonaws.vpce.eu-central-1.vpce-svc-1",
};
const postgres = {
  name: "shop",
  source: {
    postgres: {
      ...{ host: "shop.example.com", port: 5432, database: "shop", settings: { replicationMode: "cdc" } },
      credentials: { username: "replicator", password: pipeSecrets.postgres },
      tableMappings: [{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" }],
    },
  },
  destination: { database: "default" },
};
/** Makes the body of a Kafka pipe that reaches its brokers through a reverse private endpoint. */
export const kafkaAt = (endpointId: string) => ({
  name: "orders",
  source: {
    kafka: {
      ...{ type: "kafka", format: "AvroConfluent", brokers: "broker.example.com:9092", topics: "orders" },
      ...{ authentication: "PLAIN", reversePrivateEndpointIds: [endpointId] },
      credentials: { username: "reader", password: pipeSecrets.kafka },
      schemaRegistry: {
        ...{ url: "https://registry.example.com", authentication: "PLAIN" },
        credentials: { username: "registry", password: pipeSecrets.registry },
      },
    },
  },
  ...table("orders"),
});
const files = {
  name: "files",
  source: {
    objectStorage: {
      ...{ type: "s3", format: "CSV", url: "https://files.s3.amazonaws.com/**/*.csv", isContinuous: true },
      ...{ authentication: "IAM_ROLE", iamRole: "arn:aws:iam::111122223333:role/files" },
    },
  },
  ...table("files"),
};

// Creates an object of a service as the console does, and returns its id.
export const makeByHand = async (sandbox: Sandbox, collection: string, body: object): Promise<string> => {
  const path = `/services/${sandbox.credentials.serviceId}/${collection}`;
  return (await send<{ id: string }>(sandbox, "POST", path, body)).id;
};

// Replaces a new sandbox's pipes by pipes from Kafka, S3 and Postgres, and adds the endpoint of the Kafka pipe.
export async function makePipesByHand(sandbox: Sandbox) {
  const { store } = sandbox;
  for (const records of [store.pipes, store.reversePrivateEndpoints]) records.clear();
  const endpointId = await makeByHand(sandbox, "clickpipesReversePrivateEndpoints", endpoint);
  const pipeIds: string[] = [];
  for (const body of [kafkaAt(endpointId), files, postgres])
    pipeIds.push(await makeByHand(sandbox, "clickpipes", body));
  return { endpointId, pipeIds };
}
