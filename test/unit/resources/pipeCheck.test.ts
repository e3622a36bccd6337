import { expect } from "chai";
import { isDatabase } from "../../../provider/resources/pipe/kinds";
import { resources } from "../../../provider/resources/registry";
import type { PropertyMap } from "../../../provider/values/data";
import type { JsonObject } from "./example";
import { kafka } from "./pipe.example";
import { kinds, login, programsOf, replicaOf, stream, table, usePipes } from "./pipeSteps";
import { failuresOf, itKeeps, type Rule } from "./rules";
import { absent, withChange } from "./validInputs";

/** By the kind of its source, changes of a valid pipe, and what the check then says. */
const rules: { readonly [kind: string]: readonly Rule[] } = {
  kafka: [
    [
      { source: {} },
      "source must have exactly one of kafka, kinesis, objectStorage, pubsub, postgres, mysql, mongodb, bigquery",
    ],
    [
      { "source.kafka.offset.strategy": "from_latest" },
      "source.kafka.offset.timestamp goes with strategy from_timestamp alone",
    ],
    [
      { "source.kafka.offset.timestamp": absent },
      "source.kafka.offset.timestamp is missing: strategy from_timestamp needs it",
    ],
    [
      { "source.kafka.exactlyOnce": false },
      "source.kafka.tombstoneMode must not be delete without exactlyOnce",
    ],
    [
      { "source.kafka.schemaRegistry.url": absent },
      "source.kafka.schemaRegistry.url is missing: a registry of type confluent needs it",
    ],
    [
      { "source.kafka.schemaRegistry.glueRegion": "eu-central-1" },
      "source.kafka.schemaRegistry.glueRegion does not go with a registry of type confluent",
    ],
    [
      { schemaRegistryCredentials: absent },
      "schemaRegistryCredentials is missing: source.kafka.schemaRegistry needs it",
    ],
    [{ credentials: absent }, "credentials is missing: the source needs username and password"],
    [{ credentials: { connectionString: "text" } }, "credentials must be username and password"],
    [
      { "destination.roles[0]": "clickpipes" },
      "destination.roles[0] is a role that the service reserves for itself; name another one",
    ],
    [
      { "destination.tableDefinition.sortingKey": ["id, version"] },
      "destination.tableDefinition.sortingKey[0] must be one column or expression: declare each further one as an entry",
    ],
    [
      { "destination.tableDefinition.engine.type": "MergeTree" },
      "destination.tableDefinition.engine.versionColumnId applies only to a ReplacingMergeTree",
    ],
    [
      { "fieldMappings[0].destinationField": "none" },
      "fieldMappings[0].destinationField is not a column in destination.columns",
    ],
    [
      { "destination.table": absent },
      "destination.table is missing: every source except a database needs it",
    ],
    [
      { "settings.clickhouse_max_threads": 4 },
      "settings.clickhouse_max_threads is not a valid property; did you mean engine_max_threads?",
    ],
  ],
  postgres: [
    [
      { credentials: { username: "a", password: "b" } },
      "credentials must be left out: the source takes none with this authentication",
    ],
    [
      { "destination.tableDefinition": { engine: { type: "MergeTree" } } },
      "destination.tableDefinition does not go with a source of Postgres",
    ],
    [
      { "source.postgres.settings.replicationMode": "cdc" },
      "source.postgres.settings.replicationSlotName goes with replicationMode cdc_only alone",
    ],
    [
      { "source.postgres.tableMappings[1].targetTable": "orders" },
      "source.postgres.tableMappings[1].targetTable is there twice",
    ],
    [
      { "source.postgres.tableMappings[1].sourceTable": "orders" },
      "source.postgres.tableMappings[1] names a source table that another entry also names",
    ],
    [
      { "source.postgres.tableMappings[0].useCustomSortingKey": false },
      "source.postgres.tableMappings[0].useCustomSortingKey must be true for sortingKeys to take effect",
    ],
  ],
  kinesis: [
    [
      { "source.kinesis.iamRole": absent },
      "source.kinesis.iamRole is missing: authentication IAM_ROLE needs it",
    ],
    [
      { "source.kinesis.sshKeyResourceId": "6d1c7b52-8f3a-4e60-9a2b-0c4d5e6f7a84" },
      "source.kinesis.sshKeyResourceId goes with a source of kafka, postgres, mysql, mongodb alone: take it out",
    ],
    [
      { "source.kinesis.timestamp": absent },
      "source.kinesis.timestamp is missing: iteratorType AT_TIMESTAMP needs it",
    ],
  ],
  objectStorage: [
    [
      { "source.objectStorage.isContinuous": false },
      "source.objectStorage.queueUrl needs isContinuous to be true",
    ],
    [
      { "source.objectStorage.type": "dospaces" },
      "source.objectStorage.queueUrl goes with type s3 or gcs alone",
    ],
    [
      { "source.objectStorage.authentication": absent },
      "source.objectStorage.authentication is missing: queueUrl needs it",
    ],
    [
      { "source.objectStorage.authentication": "SERVICE_ACCOUNT" },
      [
        "source.objectStorage.authentication must be IAM_ROLE or IAM_USER: a queue of s3 needs it",
        "credentials must be serviceAccountKey",
      ],
    ],
    [
      { "source.objectStorage.queueUrl": absent },
      "source.objectStorage.queueUrl is missing: skipInitialLoad needs it",
    ],
    [
      { "source.objectStorage.startAfter": "a" },
      "source.objectStorage.startAfter must not be there beside skipInitialLoad",
    ],
    [
      { "settings.kafka_read_committed": true },
      "settings.kafka_read_committed applies only to a Kafka source",
    ],
  ],
  pubsub: [
    [
      { "source.pubsub.seekTimestamp": absent },
      "source.pubsub.seekTimestamp is missing: seekType timestamp needs it",
    ],
  ],
  mysql: [
    [
      { "source.mysql.type": "mariadb", "source.mysql.settings.replicationMechanism": "FILE_POS" },
      "source.mysql.settings.replicationMechanism must be GTID: MariaDB has no other",
    ],
  ],
  mongodb: [
    [
      { "source.mongodb.uri": "mongodb://reader:secret@profiles.example.com" },
      "source.mongodb.uri must be an address that begins with mongodb:// or mongodb+srv://, without a user or a password, which belong into credentials",
    ],
  ],
  bigquery: [
    [
      { "source.bigquery.settings.syncCron": "0 * * * *" },
      "source.bigquery.settings.syncCron must not be there beside syncIntervalSeconds",
    ],
  ],
};

describe("The check of a pipe", () => {
  for (const [kind, ofKind] of Object.entries(rules)) {
    const [first, ...further] = programsOf(kind);
    const queued = further.find((program) => JSON.stringify(program).includes("queueUrl"));
    itKeeps({ type: "Pipe", valid: queued ?? first }, ofKind);
  }

  const reloaded = { ...replicaOf(table("orders")), resyncTrigger: "1", state: "stopped" };
  itKeeps({ type: "Pipe", valid: reloaded, before: reloaded }, [
    [
      { resyncTrigger: "2" },
      "resyncTrigger cannot change while state is stopped, since only a running pipe loads its tables again",
    ],
    [{}, []],
  ]);

  it("the check refuses columns, settings and scaling for a pipe from a database", () => {
    for (const kind of kinds.filter(isDatabase)) {
      const [program = {}] = programsOf(kind);
      const foreign = {
        scaling: { replicas: 1, replicaCpuMillicores: 125, replicaMemoryGb: 0.5 },
        settings: {},
      };
      const found = failuresOf("Pipe", {
        ...program,
        ...foreign,
        destination: { database: "d", table: "t" },
      });
      expect(found.map((text) => text.split(" ")[0])).to.include.members([
        "destination.table",
        "scaling",
        "settings",
      ]);
    }
  });

  it("the check takes what the product's document leaves optional", () => {
    const [bigquery = {}] = programsOf("bigquery");
    const [replica = {}] = programsOf("postgres");
    for (const program of [
      withChange(bigquery as JsonObject, "source.bigquery.authentication", absent),
      withChange(replica as JsonObject, "source.postgres.settings", absent),
    ])
      expect(failuresOf("Pipe", program)).to.deep.equal([]);
  });
});

describe("Credentials of a pipe without a declared authentication", () => {
  const { service, make, update, writes, open } = usePipes();
  const sentSource = () =>
    (service.bodiesOf("createPipe")[0] as PropertyMap | undefined)?.source as { kafka?: PropertyMap };
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

  describe("that the program has dropped", () => {
    const program = { ...stream, source: { kafka: { ...broker, authentication: "SCRAM-SHA-512" } } };
    const dropped = { ...stream, source: { kafka: broker } };
    const updated = async () => {
      const { id, state } = await make(program);
      return { id, now: await update(id, state, dropped) };
    };

    it("a pipe keeps the authentication that leaves the program", async () => {
      await updated();
      expect(writes()).to.deep.equal([]);
    });

    it("credentials that the authentication of a pipe does not take bring another one", async () => {
      const { id, now } = await updated();
      await update(id, now, { ...dropped, credentials: certificate });
      expect(JSON.stringify(writes())).to.include('"authentication":"MUTUAL_TLS"');
    });
  });

  it("a later declaration of the authentication that a pipe has changes nothing", async () => {
    const program = { ...stream, source: { kafka: broker } };
    const { id, state } = await make(program);
    const said = { ...program, source: { kafka: { ...broker, authentication: "PLAIN" } } };
    await update(id, state, said);
    expect(writes()).to.deep.equal([]);
  });

  it("credentials for a public source bring their authentication", async () => {
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
