import { expect } from "chai";
import { seededCredentials } from "../../sandbox/index";
import { type Answer, unknownUuid, useSandbox } from "./requests";

const password = "kafka-password";
const serviceAccountFile = "service-account-of-pubsub";
const kafka = {
  ...{ type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: "orders" },
  ...{ authentication: "PLAIN", credentials: { username: "reader", password } },
};
const pubsub = {
  ...{ format: "JSONEachRow", projectId: "project", topic: "events", seekType: "latest" },
  ...{ authentication: "SERVICE_ACCOUNT", serviceAccountKey: { serviceAccountFile } },
};
const objectStorage = {
  ...{ type: "s3", format: "JSONEachRow", url: "https://bucket.example.com/*.json", isContinuous: true },
  ...{ authentication: "IAM_ROLE", iamRole: "arn:aws:iam::123456789012:role/reader" },
};
const tableDefinition = { engine: { type: "MergeTree" } };
const stream = {
  ...{ name: "orders", source: { kafka } },
  destination: {
    ...{ database: "default", table: "orders", columns: [{ name: "id", type: "UInt64" }], tableDefinition },
  },
  fieldMappings: [{ sourceField: "id", destinationField: "id" }],
};
const mapping = { sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" };
const postgres = {
  ...{ host: "orders.db.example.com", port: 5432, database: "orders", tableMappings: [mapping] },
  ...{ credentials: { username: "reader", password }, settings: { replicationMode: "cdc" } },
};
const replica = { name: "replica", source: { postgres }, destination: { database: "default" } };

describe("Pipes in the sandbox", () => {
  const client = useSandbox({ dialect: "clickhouse", stateMilliseconds: 60_000 });
  const [service, secondService] = [client.service.bind(client), client.secondService.bind(client)];
  const path = "/clickpipes";
  const post = (body: object) => service("POST", path, body);
  const at = (made: Answer, further = "") => `${path}/${made.payload.id}${further}`;
  const get = async (made: Answer) => (await service("GET", at(made))).payload;
  const pass = (minutes: number) => client.sandbox.pass(minutes * 60_000);
  const command = (made: Answer, word: string) => service("PATCH", at(made, "/state"), { command: word });

  it("POST takes null for the credentials of a pipe, as the product's own command line sends it", async () => {
    const { authentication, credentials, ...open } = kafka;
    const made = await post({ ...stream, source: { kafka: { ...open, credentials: null } } });
    expect(made.status, made.text).to.equal(200);
  });

  it("PATCH of a pipe ignores settings, and properties that only a create may set", async () => {
    const made = await post(stream);
    pass(1);
    const change = { source: { kafka: { topics: "others" } }, settings: { clickhouse_max_threads: 3 } };
    const { payload } = await service("PATCH", at(made), change);
    expect(payload.source.kafka.topics).to.equal("orders");
    expect(payload.settings.clickhouse_max_threads).to.equal(8);
  });

  it("PUT of a pipe's settings resets the omitted ones, but keeps those of an object storage pipe", async () => {
    const storage = [...client.sandbox.store.pipes.values()].find(({ source }) => source.objectStorage);
    const { payload: kafkaPipe } = await post(stream);
    for (const [id, left] of [
      [kafkaPipe.id, 8],
      [storage?.id, 3],
    ]) {
      const put = (settings: object) => service("PUT", `${path}/${id}/settings`, settings);
      await put({ clickhouse_max_threads: 3 });
      const { payload } = await put({ streaming_max_insert_wait_ms: 500 });
      expect(payload).to.include({ clickhouse_max_threads: left, streaming_max_insert_wait_ms: 500 });
    }
  });

  it("answers hide the credentials in the URI of a MongoDB pipe", async () => {
    const mongodb = {
      ...{ uri: "mongodb://user:secret@profiles.example.com", readPreference: "primary" },
      settings: { replicationMode: "cdc" },
      tableMappings: [{ sourceDatabaseName: "a", sourceCollection: "b", targetTable: "c" }],
    };
    const { payload } = await post({ ...replica, source: { mongodb } });
    expect(payload.source.mongodb.uri).to.equal("mongodb://[REDACTED]@profiles.example.com");
  });

  it("a database pipe accepts other tables only while it is paused, and then resumes by itself", async () => {
    const made = await post(replica);
    pass(3);
    const tableMappingsToAdd = [{ ...mapping, sourceTable: "b", targetTable: "b" }];
    const edit = () => service("PATCH", at(made), { source: { postgres: { tableMappingsToAdd } } });
    expect((await edit()).reason).to.equal("BAD_REQUEST: Postgres ClickPipe must be paused to edit");
    await command(made, "stop");
    pass(1);
    expect((await edit()).status).to.equal(200);
    expect((await get(made)).state).to.equal("Modifying");
    pass(2);
    expect((await get(made)).state).to.equal("Running");
  });

  it("a new pipe shows settings that nobody set, unless a switch leaves them out", async () => {
    expect((await post(stream)).payload.settings).to.not.deep.equal({});
    client.sandbox.store.organization.pipeDefaults = "left out";
    const made = (await post({ ...stream, settings: { clickhouse_max_threads: 4 } })).payload;
    delete client.sandbox.store.organization.pipeDefaults;
    expect(made.settings).to.deep.equal({ clickhouse_max_threads: 4 });
  });

  it("a pipe shows null for a compression and an acknowledgement deadline that nobody set", async () => {
    const shown = async (source: object) => (await post({ ...stream, source })).payload.source;
    expect((await shown({ objectStorage })).objectStorage).to.include({ compression: null });
    expect((await shown({ pubsub })).pubsub).to.include({ ackDeadline: null });
    expect((await shown({ kafka })).kafka).to.not.have.property("reversePrivateEndpointIds");
  });

  it("a change of a pipe's scaling that names no property is answered with 500", async () => {
    const made = await post(stream);
    pass(1);
    expect((await service("PATCH", at(made, "/scaling"), {})).status).to.equal(500);
  });

  it("a Kafka pipe refuses the command resync", async () => {
    const paused = await post({ ...stream, startPaused: true });
    pass(1);
    expect((await command(paused, "resync")).reason).to.match(/resync is not supported/);
  });

  const discover = (source: object) => service("POST", `${path}/schemaDiscovery`, { source });

  it("the schema discovery of a pipe's source neither returns nor stores credentials", async () => {
    const answers = [
      await discover({ kafka }),
      await discover({ pubsub }),
      await discover({ kafka: { ...kafka, brokers: "unreachable.example.com:9092" } }),
    ];
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 400]);
    expect(answers[2]?.reason).to.equal("BAD_REQUEST: failed to establish connection to the source");
    const kept = [answers, client.sandbox.requests, [...client.sandbox.store.pipes.values()]];
    expect(JSON.stringify(kept)).not.to.include(password).and.not.include(serviceAccountFile);
  });

  it("the schema discovery of a pipe's source refuses two sources at once", async () => {
    expect((await discover({ kafka, pubsub })).reason).to.match(/Exactly one source must be provided/);
  });

  it("the schema discovery of a pipe's source needs a service that is awake", async () => {
    const asleep = client.sandbox.store.services.get(seededCredentials.serviceId);
    Object.assign(asleep ?? {}, { state: "idle" });
    expect((await discover({ kafka })).reason).to.match(/^FAILED_DEPENDENCY: .*idle/);
  });

  const cdc = "/clickpipesCdcScaling";
  const twice = { replicaCpuMillicores: 4000, replicaMemoryGb: 16 };

  it("the scaling of database pipes exists once the first such pipe is provisioned", async () => {
    const missing = { status: 404, reason: "NOT_FOUND: the service has no scaling of CDC pipes" };
    expect(await secondService("GET", cdc)).to.include(missing);
    expect((await secondService("PATCH", cdc, twice)).status).to.equal(404);
    await secondService("POST", path, replica);
    expect((await secondService("GET", cdc)).status).to.equal(404);
    pass(1);
    const usual = { replicaCpuMillicores: 2000, replicaMemoryGb: 8 };
    expect((await secondService("GET", cdc)).payload).to.deep.equal(usual);
  });

  it("PATCH of the scaling of database pipes refuses other memory than 4 GB for each core", async () => {
    const before = (await service("GET", cdc)).payload;
    expect((await service("PATCH", cdc, { replicaMemoryGb: 32 })).reason).to.match(/4 times the cores/);
    pass(1);
    expect((await service("GET", cdc)).payload).to.deep.equal(before);
  });

  it("the list of services leaves out the scaling of database pipes", async () => {
    expect((await client.organization("GET", "/services")).text).not.to.match(/Cdc/);
  });

  const tunnels = "/clickpipesSshKeyResources";
  const bastion = { name: "bastion", host: "bastion.example.com", username: "clickpipes" };
  const dig = (body: object = bastion) => service("POST", tunnels, body);
  const validate = (id: string) => service("POST", `${tunnels}/${id}/validate`, {});
  const pipeThrough = (sshKeyResourceId: string) =>
    post({ ...stream, source: { kafka: { ...kafka, sshKeyResourceId } } });

  it("a new SSH tunnel is pending and shows its public key, and only a validation tells whether it works", async () => {
    const { payload: made } = await dig();
    expect(made).to.include({ status: "pending", description: "", port: 22, lastValidatedAt: null });
    expect(made.publicKey).to.match(/^ssh-ed25519 AAAA\S{50,} clickpipes$/);
    const statusMessage =
      "ssh: handshake failed: ssh: unable to authenticate, attempted methods [none publickey]";
    expect((await validate(made.id)).payload).to.include({ status: "failed", statusMessage });
    pass(1);
    expect((await service("GET", `${tunnels}/${made.id}`)).payload.status).to.equal("failed");
    expect((await validate(made.id)).payload).to.include({ status: "active", statusMessage: null });
  });

  for (const [title, ask, status] of [
    ["a name that another SSH tunnel of the service has", dig, 409],
    ["to validate an SSH tunnel that does not exist", () => validate(unknownUuid), 404],
  ] as const)
    it(`the sandbox refuses ${title}`, async () => {
      await dig();
      expect((await ask()).status).to.equal(status);
    });

  it("a pipe takes only an SSH tunnel that exists and is active, and no update takes one", async () => {
    expect((await pipeThrough(unknownUuid)).reason).to.match(/does not exist/);
    const { id } = (await dig()).payload;
    expect((await pipeThrough(id)).reason).to.match(/is pending, and must be active/);
    pass(1);
    await validate(id);
    const change = { source: { kafka: { sshKeyResourceId: id } } };
    const { reason } = await service("PATCH", at(await pipeThrough(id)), change);
    expect(reason).to.match(/sshKeyResourceId cannot be updated/);
  });
});
