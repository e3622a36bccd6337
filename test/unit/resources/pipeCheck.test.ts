import { expect } from "chai";
import { isDatabase } from "../../../provider/resources/pipe/kinds";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import type { Json, JsonObject } from "./example";
import { kafka } from "./pipe.example";
import { kinds, login, programsOf, stream, usePipes } from "./pipeSteps";
import { absent, withChange } from "./validInputs";

type Refusal = readonly [
  title: string,
  kind: string,
  changed: (program: JsonObject) => PropertyMap,
  expected: string,
];

const at = (path: string, value: Json | typeof absent) => (program: JsonObject) =>
  withChange(program, path, value);

const refusals: readonly Refusal[] = [
  ["A pipe without a source", "kafka", at("source", {}), "source must have exactly one of kafka, kinesis"],
  [
    "A pipe with two sources",
    "kafka",
    (program) => ({ ...program, source: { ...(program.source as PropertyMap), kinesis: {} } }),
    "source",
  ],
  [
    "A time without its strategy",
    "kafka",
    at("source.kafka.offset.strategy", "from_latest"),
    "source.kafka.offset.timestamp goes with strategy from_timestamp alone",
  ],
  [
    "A strategy without its time",
    "kafka",
    at("source.kafka.offset.timestamp", absent),
    "source.kafka.offset.timestamp is missing: strategy from_timestamp needs it",
  ],
  [
    "Deleting by tombstones without exactlyOnce",
    "kafka",
    at("source.kafka.exactlyOnce", false),
    "source.kafka.tombstoneMode must not be delete without exactlyOnce",
  ],
  [
    "A registry without its address",
    "kafka",
    at("source.kafka.schemaRegistry.url", absent),
    "source.kafka.schemaRegistry.url is missing: a registry of type confluent needs it",
  ],
  [
    "A member of another type of registry",
    "kafka",
    at("source.kafka.schemaRegistry.glueRegion", "eu-central-1"),
    "source.kafka.schemaRegistry.glueRegion does not go with a registry of type confluent",
  ],
  [
    "A registry without its credentials",
    "kafka",
    at("schemaRegistryCredentials", absent),
    "schemaRegistryCredentials is missing: source.kafka.schemaRegistry needs it",
  ],
  [
    "A source without its credentials",
    "kafka",
    at("credentials", absent),
    "credentials is missing: the source needs username and password",
  ],
  [
    "Credentials of another authentication",
    "kafka",
    at("credentials", { connectionString: "text" }),
    "credentials must be username and password",
  ],
  [
    "Credentials beside a role",
    "postgres",
    at("credentials", { username: "a", password: "b" }),
    "credentials must be left out: the source takes none with this authentication",
  ],
  [
    "An authentication in small letters",
    "kinesis",
    at("source.kinesis.authentication", "iam_role"),
    "source.kinesis.authentication must be",
  ],
  [
    "A table definition of a database",
    "postgres",
    at("destination.tableDefinition", { engine: { type: "MergeTree" } }),
    "destination.tableDefinition",
  ],
  [
    "A role that is not named",
    "kinesis",
    at("source.kinesis.iamRole", absent),
    "source.kinesis.iamRole is missing: authentication IAM_ROLE needs it",
  ],
  [
    "An iterator without its time",
    "kinesis",
    at("source.kinesis.timestamp", absent),
    "source.kinesis.timestamp is missing: iteratorType AT_TIMESTAMP needs it",
  ],
  [
    "A queue of objects that are loaded once",
    "objectStorage",
    at("source.objectStorage.isContinuous", false),
    "source.objectStorage.queueUrl needs isContinuous to be true",
  ],
  [
    "A queue of other storage",
    "objectStorage",
    at("source.objectStorage.type", "dospaces"),
    "source.objectStorage.queueUrl goes with type s3 or gcs alone",
  ],
  [
    "A queue of public objects",
    "objectStorage",
    at("source.objectStorage.authentication", absent),
    "source.objectStorage.authentication is missing: queueUrl needs it",
  ],
  [
    "A queue of s3 without IAM",
    "objectStorage",
    at("source.objectStorage.authentication", "SERVICE_ACCOUNT"),
    "source.objectStorage.authentication must be IAM_ROLE or IAM_USER: a queue of s3 needs it",
  ],
  [
    "Skipping what is there without a queue",
    "objectStorage",
    at("source.objectStorage.queueUrl", absent),
    "source.objectStorage.queueUrl is missing: skipInitialLoad needs it",
  ],
  [
    "A beginning of what is skipped",
    "objectStorage",
    at("source.objectStorage.startAfter", "a"),
    "source.objectStorage.startAfter must not be there beside skipInitialLoad",
  ],
  [
    "A time to seek that is not named",
    "pubsub",
    at("source.pubsub.seekTimestamp", absent),
    "source.pubsub.seekTimestamp is missing: seekType timestamp needs it",
  ],
  [
    "A replication slot with a first load",
    "postgres",
    at("source.postgres.settings.replicationMode", "cdc"),
    "source.postgres.settings.replicationSlotName goes with replicationMode cdc_only alone",
  ],
  [
    "One target of two tables",
    "postgres",
    at("source.postgres.tableMappings[1].targetTable", "orders"),
    "source.postgres.tableMappings[1].targetTable is there twice",
  ],
  [
    "One table twice",
    "postgres",
    at("source.postgres.tableMappings[1].sourceTable", "orders"),
    "source.postgres.tableMappings[1] names a source table that another entry also names",
  ],
  [
    "A sorting key that does not count",
    "postgres",
    at("source.postgres.tableMappings[0].useCustomSortingKey", false),
    "source.postgres.tableMappings[0].useCustomSortingKey must be true for sortingKeys to take effect",
  ],
  [
    "A log of MariaDB by positions",
    "mysql",
    (program) =>
      withChange(
        withChange(program, "source.mysql.type", "mariadb"),
        "source.mysql.settings.replicationMechanism",
        "FILE_POS",
      ),
    "source.mysql.settings.replicationMechanism must be GTID: MariaDB has no other",
  ],
  [
    "An address of MongoDB with a user",
    "mongodb",
    at("source.mongodb.uri", "mongodb://reader:secret@profiles.example.com"),
    "source.mongodb.uri must be an address that begins with mongodb:// or mongodb+srv://, without a user",
  ],
  [
    "Rounds by times and by an interval",
    "bigquery",
    at("source.bigquery.settings.syncCron", "0 * * * *"),
    "source.bigquery.settings.syncCron must not be there beside syncIntervalSeconds",
  ],
  [
    "A role of the service's own",
    "kafka",
    at("destination.roles", ["clickpipes"]),
    "destination.roles[0] is a role that the service reserves for itself; name another one",
  ],
  [
    "Two columns in one entry of a sorting key",
    "kafka",
    at("destination.tableDefinition.sortingKey", ["id, version"]),
    "destination.tableDefinition.sortingKey[0] must be one column or expression",
  ],
  [
    "A version of rows that are not replaced",
    "kafka",
    at("destination.tableDefinition.engine.type", "MergeTree"),
    "destination.tableDefinition.engine.versionColumnId applies only to a ReplacingMergeTree",
  ],
  [
    "A field for a column that is not there",
    "kafka",
    at("fieldMappings[0].destinationField", "none"),
    "fieldMappings[0].destinationField is not a column in destination.columns",
  ],
  [
    "A stream without a table",
    "kafka",
    at("destination.table", absent),
    "destination.table is missing: every source except a database needs it",
  ],
  [
    "A setting under the name of the service's pages",
    "kafka",
    at("settings.clickhouse_max_threads", 4),
    "settings.clickhouse_max_threads is not a valid property; did you mean engine_max_threads?",
  ],
  [
    "An endpoint by another id than its own",
    "kafka",
    at("source.kafka.reversePrivateEndpointIds", ["vpce-0"]),
    "source.kafka.reversePrivateEndpointIds[0] must be a uuid",
  ],
  [
    "Committed records of another source",
    "objectStorage",
    at("settings.kafka_read_committed", true),
    "settings.kafka_read_committed applies only to a Kafka source",
  ],
];

describe("The check of a pipe", () => {
  const { service, failuresOf } = usePipes();

  for (const [title, kind, changed, expected] of refusals)
    it(`the preview refuses an invalid pipe before any request: ${title}`, async () => {
      const [first = {}, ...further] = programsOf(kind);
      const program = further.find((each) => JSON.stringify(each).includes("queueUrl")) ?? first;
      const inputs = JSON.parse(JSON.stringify(changed(program as never)));
      expect((await failuresOf(inputs)).join("\n")).to.include(expected);
      expect(service.requests).to.deep.equal([]);
    });

  it("the check refuses columns, settings and scaling for a pipe from a database", async () => {
    for (const kind of kinds.filter(isDatabase)) {
      const [program = {}] = programsOf(kind);
      const foreign = {
        scaling: { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
        settings: {},
      };
      const found = await failuresOf({ ...program, ...foreign, destination: { database: "d", table: "t" } });
      expect(found.map((text) => text.split(" ")[0])).to.include.members([
        "destination.table",
        "scaling",
        "settings",
      ]);
    }
  });

  it("the check takes what the product's document leaves optional", async () => {
    const [bigquery = {}] = programsOf("bigquery");
    const [replica = {}] = programsOf("postgres");
    for (const program of [
      withChange(bigquery as JsonObject, "source.bigquery.authentication", absent),
      withChange(replica as JsonObject, "source.postgres.settings", absent),
    ])
      expect(await failuresOf(program)).to.deep.equal([]);
  });
});

describe("Credentials of a pipe without a declared authentication", () => {
  const { make, update, writes, model, open } = usePipes();
  const sentSource = () =>
    (
      model.journal.entries.find(({ operation }) => operation === "createPipe")?.requestBody as
        | PropertyMap
        | undefined
    )?.source as { kafka?: PropertyMap; objectStorage?: PropertyMap };
  const { authentication: _, ...broker } = kafka;
  const certificate = {
    certificate: "-----BEGIN CERTIFICATE-----",
    privateKey: "-----BEGIN PRIVATE KEY-----",
  };
  const cases = [
    ["PLAIN", login, broker],
    ["PLAIN", { connectionString: "Endpoint=sb://events" }, { ...broker, type: "azureeventhub" }],
    ["IAM_USER", { accessKeyId: "AKIAREADER", secretKey: "a secret" }, { ...broker, type: "msk" }],
    ["MUTUAL_TLS", certificate, broker],
  ] as const;
  for (const [authentication, credentials, source] of cases)
    it(`the create of a pipe sends ${authentication} for ${Object.keys(credentials).join(" and ")}`, async () => {
      const program = { ...stream, source: { kafka: source }, credentials };
      const { session } = open();
      expect((await resources.Pipe.check({}, program, session)).failures).to.deep.equal([]);
      await resources.Pipe.create(program, session);
      expect(sentSource().kafka).to.include({ authentication });
    });

  it("a pipe keeps the authentication that the program drops, and gets another one with credentials that it does not take", async () => {
    const program = { ...stream, source: { kafka: { ...broker, authentication: "SCRAM-SHA-512" } } };
    const { id, state } = await make(program);
    const dropped = { ...stream, source: { kafka: broker } };
    const now = await update(id, state, dropped);
    expect(writes()).to.deep.equal([]);
    await update(id, now, { ...dropped, credentials: certificate });
    expect(JSON.stringify(writes())).to.include('"authentication":"MUTUAL_TLS"');
  });

  it("a declaration of that authentication changes nothing later, and credentials of a public source bring it", async () => {
    const program = { ...stream, source: { kafka: broker } };
    const { id, state } = await make(program);
    const said = { ...program, source: { kafka: { ...broker, authentication: "PLAIN" } } };
    await update(id, state, said);
    expect(writes()).to.deep.equal([]);
    const files = {
      objectStorage: { type: "s3", format: "CSV", url: "https://a.example.com/*", isContinuous: true },
    };
    const { credentials: _credentials, ...open } = { ...stream, name: "files", source: files };
    const made = await make(open);
    const accessKey = { accessKeyId: "AKIAREADER", secretKey: "a secret" };
    await update(made.id, made.state, { ...open, credentials: accessKey });
    expect(writes()).to.deep.equal([
      [
        "updatePipe",
        {
          source: {
            objectStorage: {
              authentication: "IAM_USER",
              accessKey: { accessKeyId: "AKIAREADER", secretKey: "[redacted]" },
            },
          },
        },
      ],
    ]);
  });
});
