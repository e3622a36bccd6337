import * as pulumi from "@pulumi/pulumi";
import { expect } from "chai";
import * as pipestack from "../../../provider/index";
import { enveloped, serviceId, useServer } from "../api/server";
import { sandboxedProgram } from "./sandboxedProgram";

const connectionString = "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=ZmFrZS1rZXk=";

/** Some of every kind of source, as ClickHouse Cloud answers it. */
const sources = {
  kafka: {
    type: "msk",
    consumerGroup: null,
    offset: { strategy: "from_timestamp", timestamp: "2026-01-31T12:00" },
  },
  objectStorage: { type: "azureblobstorage", delimiter: null, connectionString, azureContainerName: "data" },
  kinesis: { format: "JSONEachRow", streamName: "devices", iteratorType: "LATEST" },
  pubsub: { format: "Protobuf", seekType: "timestamp", filter: null, ackDeadline: 60 },
  postgres: {
    ...{ type: "neon", settings: { replicationMode: "cdc", deleteOnMerge: true } },
    tableMappings: [{ sourceTable: "orders", partitionKey: "id", partitionByExpr: "toYYYYMM(at)" }],
  },
  mysql: { type: "mariadb", serverId: 7, settings: { replicationMechanism: "GTID", useCompression: true } },
  mongodb: { uri: "mongodb+srv://cluster0.example.com/shop", readPreference: "secondary" },
  bigquery: { snapshotStagingPath: "gs://bucket/staging/", settings: { replicationMode: "snapshot" } },
} as const;

type Kind = keyof typeof sources;
type Pipe = Awaited<ReturnType<typeof pipestack.getPipe>>;
const kinds = Object.keys(sources) as Kind[];
const nulls = Object.fromEntries(kinds.map((kind) => [kind, null]));

const pipeOf = (kind: Kind, index: number) => ({
  id: `1d7b4e92-c063-4f5a-9e28-b6a1d8f30c0${index}`,
  serviceId,
  name: kind,
  state: "Snapshot",
  scaling: { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
  source: { ...nulls, [kind]: sources[kind] },
  destination: {
    database: "default",
    tableDefinition: { engine: { type: "ReplacingMergeTree", versionColumnId: null, columnIds: [] } },
  },
  settings: { streaming_max_insert_wait_ms: null, clickhouse_max_threads: 8 },
  ofTomorrow: { further: "member" },
});

describe("Functions with answers of ClickHouse Cloud", () => {
  const program = sandboxedProgram("clickhouse");
  const server = useServer();

  beforeEach(() => pulumi.runtime.setConfig("pipestack:baseUrl", server.current.url));

  const linesOf = (path: string) => {
    const { organizationId, serviceId } = program.sandbox.credentials;
    return [`GET /v1/organizations/${organizationId}/services/${serviceId}/${path}`];
  };

  it("getPipes reads all kinds of sources unchanged, with unknown members", async () => {
    const answered = kinds.map(pipeOf);
    server.current.answer(enveloped(answered));
    const pipes = await pipestack.getPipes({ includeSecrets: true });
    const translated = answered.map((pipe) => ({
      ...pipe,
      settings: { streaming_max_insert_wait_ms: null, engine_max_threads: 8 },
    }));
    expect(pipes).to.deep.equal(translated);
    expect(server.current.lines).to.deep.equal(linesOf("clickpipes"));
  });

  /** As a program reads them: the compiler knows the members. */
  const members: { readonly [kind in Kind]: (source: Pipe["source"]) => unknown } = {
    kafka: ({ kafka }) => kafka?.offset?.strategy,
    objectStorage: ({ objectStorage }) => objectStorage?.type,
    kinesis: ({ kinesis }) => kinesis?.iteratorType,
    pubsub: ({ pubsub }) => pubsub?.seekType,
    postgres: ({ postgres }) => postgres?.tableMappings?.[0]?.partitionByExpr,
    mysql: ({ mysql }) => mysql?.settings?.replicationMechanism,
    mongodb: ({ mongodb }) => mongodb?.readPreference,
    bigquery: ({ bigquery }) => bigquery?.snapshotStagingPath,
  };
  for (const [index, kind] of kinds.entries())
    it(`getPipe answers typed members of ${kind}, and null for the other kinds`, async () => {
      const pipe = pipeOf(kind, index);
      server.current.answer(enveloped(pipe));
      const { source, state } = await pipestack.getPipe({ pipeId: pipe.id });
      const read = kinds.filter((other) => members[other](source) !== undefined);
      expect(read).to.deep.equal([kind]);
      expect(members[kind](source)).to.be.a("string");
      expect(state).to.equal("Snapshot");
    });

  it("getReversePrivateEndpoints reads those of Google Cloud, with their private names", async () => {
    const endpoint = {
      id: "4a8e1f73-d5b2-4c90-8f16-e3b7a9c2d058",
      type: "GCP_PSC_SERVICE_ATTACHMENT",
      ...{ vpcEndpointServiceName: null, mskAuthentication: null, status: "Expired" },
      gcpServiceAttachment: "projects/p/regions/r/serviceAttachments/s",
      customPrivateDnsMappings: [{ privateDnsName: "*.db.example.com" }],
    };
    server.current.answer(enveloped([endpoint]));
    expect(await pipestack.getReversePrivateEndpoints()).to.deep.equal([endpoint]);
    expect(server.current.lines).to.deep.equal(linesOf("clickpipesReversePrivateEndpoints"));
  });
});
