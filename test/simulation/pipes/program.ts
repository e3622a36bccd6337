import { seededEndpointId } from "../../../sandbox/core/resources/reversePrivateEndpoints";
import type { Declared, Program } from "../program";
import type { Random } from "../random";
import { withTrueLines } from "./trueLines";

/**
 * The names of all resources in the simulated program: three pipes with different kinds of sources, and the reverse private
 * endpoint `gate`.
 */
export const names = ["orders", "files", "shop", "gate"] as const;

export type Name = (typeof names)[number];

const columnsOf = (names: readonly string[]) => ({
  columns: names.map((name) => ({ name, type: "String" })),
  fieldMappings: names.map((name) => ({ sourceField: `field_${name}`, destinationField: name })),
});

const certificate = "-----BEGIN CERTIFICATE-----\nsandbox\n-----END CERTIFICATE-----";

function drawnStream(random: Random, table: string) {
  const { columns, fieldMappings } = columnsOf(random.pick([["id"], ["id", "payload"], ["payload"]]));
  const tableDefinition = { engine: { type: "MergeTree" } };
  return {
    destination: { database: "default", table, columns, tableDefinition },
    ...(random.chance(0.8) && { fieldMappings }),
    ...(random.chance(0.6) && {
      settings: {
        streaming_max_insert_wait_ms: random.pick([1000, 2000]),
        ...(random.chance(0.5) && { engine_max_threads: random.pick([2, 4]) }),
      },
    }),
    ...(random.chance(0.4) && {
      scaling: { replicas: random.pick([1, 2]), replicaCpuMillicores: 250, replicaMemoryGb: 1 },
    }),
  };
}

const drawnInputs: { readonly [name in Name]: (random: Random) => object } = {
  orders: (random) => ({
    source: {
      kafka: {
        ...{ type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092" },
        ...{ topics: random.chance(0.85) ? "orders" : "refunds", authentication: "SCRAM-SHA-512" },
        ...(random.chance(0.3) && { caCertificate: certificate }),
        ...(random.chance(0.3) && { reversePrivateEndpointIds: [seededEndpointId] }),
      },
    },
    credentials: { username: "reader", password: random.pick(passwords) },
    ...drawnStream(random, "orders"),
  }),
  files: (random) => ({
    source: {
      objectStorage: {
        ...{ type: "s3", format: "CSV", url: "https://files.example.com/*.csv", authentication: "IAM_USER" },
        isContinuous: random.chance(0.85),
        ...(random.chance(0.3) && { startAfter: random.pick(["2026.csv", "2027.csv"]) }),
      },
    },
    credentials: { accessKeyId: "AKIAREADERREADER", secretKey: random.pick(passwords) },
    ...drawnStream(random, "files"),
  }),
  shop: (random) => {
    const tables = ["customers", "invoices", "visits"].filter(() => random.chance(0.6));
    const tableMappings = (tables.length > 0 ? tables : ["customers"]).map((table) => ({
      ...{ sourceSchemaName: "public", sourceTable: table, targetTable: table },
      ...(random.chance(0.3) && { excludedColumns: ["card"] }),
    }));
    return {
      source: {
        postgres: {
          ...{ host: "shop.example.com", port: random.pick([5432, 5433]), database: "shop" },
          settings: {
            replicationMode: "cdc",
            ...(random.chance(0.3) && { syncIntervalSeconds: random.pick([30, 45]) }),
          },
          tableMappings,
        },
      },
      credentials: { username: "reader", password: random.pick(passwords) },
      destination: { database: "default" },
    };
  },
  gate: (random) => ({
    ...{
      description: "gate",
      type: "VPC_ENDPOINT_SERVICE",
      vpcEndpointServiceName: "com.amazonaws.vpce.gate",
    },
    ...(random.chance(0.6) && {
      customPrivateDnsMappings: ["a", "b"]
        .filter(() => random.chance(0.6))
        .map((name) => ({ privateDnsName: `${name}.example.com` })),
    }),
  }),
};

// Passwords that no message and no plain text of a state may show.
export const passwords = ["the first password", "the second password", "the third password"];

export function drawnProgram(random: Random): Program {
  const drawn = names
    .filter(() => random.chance(0.8))
    .map((name): [Name, Declared] => {
      const args = withTrueLines(name, { waitMinutes: 4, ...drawnInputs[name](random) }, random);
      if (name === "gate") return [name, { type: "ReversePrivateEndpoint", args }];
      const own = {
        name: random.chance(0.85) ? name : `${name} of the team`,
        ...(random.chance(0.4) && { state: random.pick(["running", "running", "stopped"]) }),
        // The provider refuses a change of `resyncTrigger` for a pipe that is declared as stopped, so a pipe with this
        // property is declared as running.
        ...(name === "shop" &&
          random.chance(0.5) && { state: "running", resyncTrigger: random.pick(["a", "b"]) }),
        ...(random.chance(0.3) && { wakeService: true }),
      };
      return [name, { type: "Pipe", args: { ...args, ...own } }];
    });
  return new Map(drawn);
}
