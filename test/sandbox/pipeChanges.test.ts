import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { judge } from "../productJudge";
import { type Answer, useSandbox } from "./requests";

const columns = [{ name: "id", type: "UInt64" }];
const kafka = {
  ...{ type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: "orders" },
  ...{ authentication: "PLAIN", credentials: { username: "reader", password: "kafka-password" } },
};
const stream = {
  name: "orders",
  source: { kafka },
  destination: {
    database: "default",
    table: "orders",
    columns,
    tableDefinition: { engine: { type: "MergeTree" } },
  },
  fieldMappings: [{ sourceField: "id", destinationField: "id" }],
};
const mapping = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
const replica = (tableMappings: object[] = [mapping]) => ({
  name: "replica",
  source: {
    postgres: {
      ...{ host: "orders.db.example.com", port: 5432, database: "orders", tableMappings },
      ...{
        credentials: { username: "reader", password: "pg-password" },
        settings: { replicationMode: "cdc" },
      },
    },
  },
  destination: { database: "default" },
});

describe("Changes of ClickPipes in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const path = "/clickpipes";
  const post = (body: object) => client.service("POST", path, body);
  const at = (made: Answer, further = "") => `${path}/${made.payload.id}${further}`;
  const get = async (made: Answer) => (await client.service("GET", at(made))).payload;
  const pass = (minutes: number) => client.sandbox.pass(minutes * 60_000);
  const command = (made: Answer, word: string) =>
    client.service("PATCH", at(made, "/state"), { command: word });

  it("POST takes null for the credentials of a pipe, as the product's own command line sends it", async () => {
    const { authentication, credentials, ...open } = kafka;
    const made = await post({ ...stream, source: { kafka: { ...open, credentials: null } } });
    expect(made.status, made.text).to.equal(200);
    const wrong = { ...open, credentials: null, topics: 5 };
    expect((await post({ ...stream, source: { kafka: wrong } })).status).to.equal(400);
  });

  it("a new pipe shows settings that nobody set, unless a switch leaves them out", async () => {
    expect((await post(stream)).payload.settings).to.not.deep.equal({});
    client.sandbox.store.organization.pipeDefaults = "left out";
    try {
      const made = (await post({ ...stream, settings: { clickhouse_max_threads: 4 } })).payload;
      expect(made.settings).to.deep.equal({ clickhouse_max_threads: 4 });
    } finally {
      delete client.sandbox.store.organization.pipeDefaults;
    }
  });

  it("no pipe shows a compression, an acknowledgement deadline or private endpoints that nobody set", async () => {
    expect((await post(stream)).payload.source.kafka).to.not.have.property("reversePrivateEndpointIds");
    const objectStorage = {
      ...{ type: "s3", format: "JSONEachRow", url: "https://bucket.example.com/*.json", isContinuous: true },
      ...{ authentication: "IAM_ROLE", iamRole: "arn:aws:iam::123456789012:role/reader" },
    };
    const files = await post({ ...stream, name: "files", source: { objectStorage } });
    expect(files.payload.source.objectStorage).to.include({ compression: null });
    pass(1);
    const iamRole = "arn:aws:iam::123456789012:role/other";
    await client.service("PATCH", at(files), { source: { objectStorage: { iamRole } } });
    expect((await get(files)).source.objectStorage).to.include({ iamRole, compression: null });
    const pubsub = {
      ...{ format: "JSONEachRow", projectId: "project", topic: "events", seekType: "latest" },
      ...{ authentication: "SERVICE_ACCOUNT", serviceAccountKey: { serviceAccountFile: "e30=" } },
    };
    const made = await post({ ...stream, name: "events", source: { pubsub } });
    expect(made.payload.source.pubsub).to.include({ ackDeadline: null });
  });

  it("a new pipe is provisioned for a second and then runs, and no answer shows its credentials", async () => {
    const made = await post(stream);
    expect(made.status, made.text).to.equal(200);
    expect(made.payload.state).to.equal("Provisioning");
    expect(made.text).not.to.include("kafka-password");
    expect(made.payload.source.kafka.consumerGroup).to.equal(`clickpipes-${made.payload.id}`);
    expect(made.payload.destination.tableDefinition.engine.type).to.equal("MergeTree()");
    expect(judge.answerFailure("management", "createPipe", made.payload)).to.equal(undefined);
    pass(1);
    expect((await get(made)).state).to.equal("Running");
  });

  it("a database pipe runs after its snapshot, and its tables stay when it is deleted", async () => {
    const made = await post(replica());
    const states = [];
    for (let step = 0; step < 4; step++) {
      states.push((await get(made)).state);
      pass(1);
    }
    expect(states).to.deep.equal(["Provisioning", "Setup", "Snapshot", "Running"]);
    expect((await client.service("GET", at(made, "/settings"))).reason).to.equal(
      `NOT_FOUND: ingestion for pipe "${made.payload.id}" not found`,
    );
    expect((await client.service("DELETE", at(made))).status).to.equal(200);
    expect((await get(made)).state).to.equal("Running");
    pass(2);
    expect((await client.service("GET", at(made))).status).to.equal(404);
    const again = await post(replica());
    pass(2);
    expect((await get(again)).state).to.equal("Failed");
  });

  it("the sandbox refuses reads and changes of pipes while the service is idle", async () => {
    const service = client.sandbox.store.services.get(seededCredentials.serviceId);
    if (service) service.state = "idle";
    expect((await post(stream)).reason).to.match(/^FAILED_DEPENDENCY: .*Current state: '?idle/);
    expect((await client.service("GET", path)).status).to.equal(424);
  });

  it("a database pipe accepts other tables only while it is paused, and then resumes by itself", async () => {
    const made = await post(replica());
    pass(3);
    const edit = () =>
      client.service("PATCH", at(made), {
        source: { postgres: { tableMappingsToAdd: [{ ...mapping, sourceTable: "b", targetTable: "b" }] } },
      });
    expect((await edit()).reason).to.equal("BAD_REQUEST: Postgres ClickPipe must be paused to edit");
    expect((await command(made, "start")).reason).to.equal("BAD_REQUEST: ClickPipe is already running");
    expect((await command(made, "stop")).payload.state).to.equal("Running");
    pass(1);
    expect((await edit()).status).to.equal(200);
    expect((await get(made)).state).to.equal("Modifying");
    pass(2);
    expect((await get(made)).state).to.equal("Running");
  });

  it("PATCH of a pipe ignores settings, and properties that only a create may set", async () => {
    const made = await post(stream);
    pass(1);
    const change = { source: { kafka: { topics: "others" } }, settings: { clickhouse_max_threads: 3 } };
    const changed = await client.service("PATCH", at(made), change);
    expect(changed.status, changed.text).to.equal(200);
    expect(changed.payload.source.kafka.topics).to.equal("orders");
    expect(changed.payload.settings.clickhouse_max_threads).to.equal(8);
    expect((await client.service("PATCH", at(made), { destination: {} })).status).to.equal(400);
    expect(
      (await client.service("PATCH", at(made), { fieldMappings: stream.fieldMappings })).reason,
    ).to.match(/Columns are required if field mappings are provided/);
  });

  const scale = (pipe: Answer, body: object) => client.service("PATCH", at(pipe, "/scaling"), body);

  it("a pipe shows 0 replicas right after a change of its scaling", async () => {
    const made = await post(stream);
    expect((await scale(made, { replicas: 3 })).payload.scaling.replicas).to.equal(0);
    pass(1);
    expect((await get(made)).scaling.replicas).to.equal(3);
  });

  it("a change of a pipe's scaling that names no property is answered with 500", async () => {
    const made = await post(stream);
    pass(1);
    expect((await scale(made, {})).status).to.equal(500);
  });

  it("a database pipe refuses a scaling of its own", async () => {
    expect((await scale(await post(replica()), { replicas: 2 })).status).to.equal(400);
  });

  it("the command start starts a pipe that was created as paused", async () => {
    const paused = await post({ ...stream, startPaused: true });
    pass(1);
    expect((await get(paused)).state).to.equal("Stopped");
    await command(paused, "start");
    pass(2);
    expect((await get(paused)).state).to.equal("Running");
  });

  it("a Kafka pipe refuses the command resync", async () => {
    const paused = await post({ ...stream, startPaused: true });
    pass(1);
    expect((await command(paused, "resync")).reason).to.match(/resync is not supported/);
  });

  it("the command resync repeats the snapshot of a database pipe", async () => {
    const database = await post(replica());
    pass(3);
    await command(database, "resync");
    expect((await get(database)).state).to.equal("Resync");
    pass(2);
    expect((await get(database)).state).to.equal("Running");
  });

  it("PUT of a pipe's settings resets the omitted ones, but keeps those of an object storage pipe", async () => {
    const made = await post({ ...stream, settings: { clickhouse_max_threads: 3 } });
    const put = await client.service("PUT", at(made, "/settings"), { streaming_max_insert_wait_ms: 500 });
    expect(put.payload).to.include({ clickhouse_max_threads: 8, streaming_max_insert_wait_ms: 500 });
    const storage = [...client.sandbox.store.pipes.values()].find(({ source }) => source.objectStorage);
    const settings = `${path}/${storage?.id}/settings`;
    await client.service("PUT", settings, { clickhouse_max_threads: 3 });
    const merged = await client.service("PUT", settings, { streaming_max_insert_wait_ms: 500 });
    expect(merged.payload).to.include({ clickhouse_max_threads: 3, streaming_max_insert_wait_ms: 500 });
  });

  it("answers hide the credentials in the URI of a MongoDB pipe", async () => {
    const { payload } = await post({
      name: "profiles",
      source: {
        mongodb: {
          ...{ uri: "mongodb://user:secret@profiles.example.com", readPreference: "primary" },
          settings: { replicationMode: "cdc" },
          tableMappings: [{ sourceDatabaseName: "a", sourceCollection: "b", targetTable: "c" }],
        },
      },
      destination: { database: "default" },
    });
    expect(payload.source.mongodb.uri).to.equal("mongodb://[REDACTED]@profiles.example.com");
    const moved = { uri: "mongodb://user:other@moved.example.com", readPreference: "primary" };
    const changed = await client.service("PATCH", `${path}/${payload.id}`, { source: { mongodb: moved } });
    expect(changed.payload.source.mongodb.uri).to.equal("mongodb://[REDACTED]@moved.example.com");
  });
});
