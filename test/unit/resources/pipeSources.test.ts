import { expect } from "chai";
import type { Schema } from "../../../product/read";
import { isDatabase, sourceIn } from "../../../provider/resources/pipe/kinds";
import { resources } from "../../../provider/resources/registry";
import { replacesAt } from "../../../provider/values/compare";
import { type Data, isObject } from "../../../provider/values/data";
import { keysIn, schemaAt } from "../../../provider/values/schema";
import type { TSchema } from "../../../provider/values/schemaBuilders";
import { type Pipe, seededCredentials } from "../../../sandbox/index";
import { documentedBody } from "../../productJudge";
import { failureOf } from "../api/failure";
import { useService } from "../lifecycle/service";
import type { Json, JsonObject } from "./example";
import { pipeExample } from "./pipe.example";
import { absent, withChange } from "./validInputs";

const { organizationId, serviceId } = seededCredentials;
const { Pipe: resource } = resources;
const place = { organizationId, serviceId };

/** Returns the paths of the properties of a pipe's source that the document of ClickHouse Cloud allows in an update. */
function patched(kind: string): string[] {
  const { source } = documentedBody("management", "updatePipe")?.properties ?? {};
  const own = source?.properties?.[kind];
  return own ? pathsOf(own) : [];
}

function pathsOf({ properties = {} }: Schema, path = ""): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const own = path === "" ? name : `${path}.${name}`;
    const inside = name === "settings" ? pathsOf(member, own) : [];
    return inside.length > 0 ? inside : [own];
  });
}

/** Returns the paths of the properties of a pipe's source, written as in the API document of updates. */
function places(schema: TSchema, path = ""): string[] {
  return Object.keys(schema.properties ?? {}).flatMap((name) => {
    const own = path === "" ? name : `${path}.${name}`;
    const member = schemaAt(schema, name);
    const isOpened = member.properties && ["settings", "offset", "schemaRegistry"].includes(name);
    return isOpened ? places(member, own) : [own];
  });
}

const secrets = /^(credentials|accessKey|connectionString|serviceAccountKey)$/;
const kinds = Object.keys(schemaAt(resource.inputs, "source").properties ?? {});

/** For each kind of pipe source, another value of each property that an update can change in place. */
const others: { readonly [kind: string]: { readonly [member: string]: Json } } = {
  kafka: {
    ...{ authentication: "PLAIN", iamRole: "arn:other", caCertificate: pem("other") },
    reversePrivateEndpointIds: [],
  },
  kinesis: { iamRole: "arn:other", authentication: "IAM_USER" },
  objectStorage: {
    ...{ iamRole: "arn:other", path: "other/*", azureContainerName: "other", startAfter: "other.parquet" },
    ...{ skipInitialLoad: false, authentication: "IAM_USER" },
  },
  pubsub: { authentication: "SERVICE_ACCOUNT_WORKLOAD_IDENTITY", ackDeadline: 90 },
  postgres: {
    ...{ host: "other.example.com", port: 5433, database: "other", tlsHost: "other" },
    ...{ caCertificate: pem("other"), disableTls: true, skipCertVerification: false },
    ...{ "settings.syncIntervalSeconds": 90, "settings.pullBatchSize": 10 },
  },
  mysql: {
    ...{ host: "other.example.com", port: 3307, authentication: "SERVICE_ACCOUNT_WORKLOAD_IDENTITY" },
    ...{ iamRole: "arn:other", serverId: 8, tlsHost: "other", caCertificate: pem("other") },
    ...{ disableTls: true, skipCertVerification: false },
    ...{ "settings.syncIntervalSeconds": 90, "settings.pullBatchSize": 10, "settings.useCompression": false },
  },
  mongodb: {
    ...{ uri: "mongodb://other.example.com", readPreference: "primary", tlsHost: "other" },
    ...{ caCertificate: pem("other"), disableTls: true, skipCertVerification: false },
    ...{ "settings.syncIntervalSeconds": 90, "settings.pullBatchSize": 10 },
  },
};

function pem(text: string): string {
  return `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
}

/** Members that an update of this kind of source repeats although they are unchanged, since the service requires them. */
const repeated: { readonly [kind: string]: readonly string[] } = {
  ...{ pubsub: ["authentication"], mysql: ["host", "port"], mongodb: ["readPreference", "uri"] },
};

const programsOf = (kind: string): JsonObject[] =>
  Object.values(pipeExample.wholes)
    .filter((program) => sourceIn(program)?.kind === kind)
    .map((program) => ({ ...place, ...program }));

describe("The sources of pipes", () => {
  const service = useService({ dialect: "clickhouse", stateMilliseconds: 20_000 });
  const { model } = service;
  const open = () => service.open({ dialect: "clickhouse" }).session;
  const stored = (id: string) => model.store.pipes.get(id) as Pipe;
  const bodies = (operation: string) =>
    model.journal.entries
      .filter((entry) => entry.operation === operation)
      .map(({ requestBody }) => requestBody);
  const failuresOf = async (inputs: Data) =>
    (await resource.check({}, inputs, open())).failures.map(({ path, message }) => `${path} ${message}`);
  const isValid = async (inputs: Data) => (await failuresOf(inputs)).length === 0;
  const made = async (program: Data) => {
    const { id, state, failure } = await resource.create(program, open());
    expect(failure).to.equal(undefined);
    service.time.pass(100_000);
    return { id, state };
  };

  for (const kind of kinds) {
    it(`a ${kind} source changes in place exactly where the product's document allows an update, and otherwise replaces the pipe`, () => {
      const known = patched(kind);
      const schema = schemaAt(schemaAt(resource.inputs, "source"), kind);
      const declared = places(schema);
      const isPatched = (path: string) =>
        known.includes(path) || (path === "tableMappings" && known.includes("tableMappingsToAdd"));
      const verdicts = declared.map((path) => [
        path,
        replacesAt(resource.inputs, ["source", kind, ...keysIn(path)]),
      ]);
      expect(Object.fromEntries(verdicts)).to.deep.equal(
        Object.fromEntries(declared.map((path) => [path, !isPatched(path)])),
      );
      const undeclared = known.filter((path) => !declared.includes(path) && !/^tableMappingsTo/.test(path));
      expect(undeclared.filter((path) => !secrets.test(path))).to.deep.equal([]);
    });

    if (kind !== "bigquery")
      it(`an update of a ${kind} source sends each changed property alone, and the pipe then has the new value`, async () => {
        const tried: string[] = [];
        for (const program of programsOf(kind)) {
          for (const [member, value] of Object.entries(others[kind] ?? {})) {
            const path = `source.${kind}.${member}`;
            const declared = valueIn(program, path);
            if (declared === undefined || tried.includes(member)) continue;
            const isOtherLogin = member === "authentication";
            const next = withChange(program, path, value);
            const inputs: Data = isOtherLogin ? { ...next, credentials: loginOf(value) } : next;
            const changed: Data = JSON.parse(JSON.stringify(inputs));
            if (!(await isValid(changed))) continue;
            tried.push(member);
            const { id, state } = await made({ ...program, name: `pipe ${tried.length} of ${kind}` });
            const named = { ...changed, name: state.name };
            const changes = await resource.diff(id, state, named, open());
            expect(changes.map((change) => change.path)).to.include(path);
            expect(
              changes.filter(({ replaces }) => replaces),
              path,
            ).to.deep.equal([]);
            const before = model.journal.entries.length;
            const updated = await resource.update(id, state, named, open());
            const writes = model.journal.entries.slice(before).filter(({ method }) => method !== "GET");
            expect(
              writes.map(({ operation }) => operation),
              path,
            ).to.deep.equal(["updatePipe"]);
            const [{ requestBody } = {}] = writes as { requestBody?: Data }[];
            const sent = sourceIn(requestBody ?? {})?.members ?? {};
            const [top = ""] = member.split(".");
            const expected = new Set([top, ...(repeated[kind] ?? [])]);
            expect(
              Object.keys(sent).filter((name) => !secrets.test(name)),
              path,
            ).to.have.members([...expected]);
            if (!isOtherLogin)
              expect(
                Object.keys(sent).some((name) => secrets.test(name)),
                path,
              ).to.equal(false);
            expect(valueIn(stored(id) as never, path), path).to.deep.equal(value);
            expect(await resource.diff(id, updated, named, open())).to.deep.equal([]);
          }
        }
        const reachable = Object.keys(others[kind] ?? {});
        expect(tried, "each member is declared by a program").to.have.members(reachable);
      }).timeout(60_000);

    it(`an update of a ${kind} source sends changed credentials alone where the service accepts them, and no message shows them`, async () => {
      for (const program of programsOf(kind).filter(({ credentials }) => credentials !== undefined)) {
        const { id, state } = await made(program);
        const credentials = Object.fromEntries(
          Object.keys(program.credentials as Data).map((name) => [name, `another ${name} of the reader`]),
        );
        const next = { ...program, credentials };
        if (kind === "bigquery") {
          const refused = await failureOf(resource.diff(id, state, next, open()));
          expect(refused.message).to.match(
            /^credentials[.\w, ]*: the change would replace .* a new full load/,
          );
          expect(refused.message).to.not.include("of the reader");
          continue;
        }
        expect(
          (await resource.diff(id, state, next, open())).filter(({ replaces }) => replaces),
        ).to.deep.equal([]);
        await resource.update(id, state, next, open());
        expect(bodies("updatePipe")).to.have.length(1);
        expect(JSON.stringify(stored(id))).to.include("of the reader");
        const again = await resource.update(id, { ...state, ...next } as never, next, open());
        expect(again.status).to.be.a("string");
        expect(bodies("updatePipe")).to.have.length(1);
        model.journal.entries.splice(0);
      }
    }).timeout(30_000);
  }

  it("a source of another kind replaces the pipe, and that of a database only with allowReplacement", async () => {
    const [kafka = {}, postgres = {}] = [programsOf("kafka")[0], programsOf("postgres")[0]];
    const stream = await made(kafka);
    const changes = await resource.diff(stream.id, stream.state, postgres, open());
    expect(changes.some(({ replaces }) => replaces)).to.equal(true);
    const replica = await made({ ...postgres, allowReplacement: false });
    const next = withChange(postgres, "source.postgres.settings.publicationName", "other");
    const refused = await failureOf(
      resource.diff(replica.id, replica.state, { ...next, allowReplacement: false }, open()),
    );
    expect(refused.message).to.match(
      /^source\.postgres\.settings\.publicationName: the change would replace pipe \S+ \(replica\): a new full load of its Postgres source, which fails as long as its tables are in the destination\. .*allowReplacement: true/,
    );
    const allowed = await resource.diff(
      replica.id,
      replica.state,
      { ...next, allowReplacement: true },
      open(),
    );
    expect(allowed.filter(({ replaces }) => replaces)).to.have.length(1);
    expect(resource.isDeletedFirst?.(replica.state, next)).to.equal(true);
  });

  for (const [title, kind, changed, expected] of refusals())
    it(`the preview refuses this pipe before any request: ${title}`, async () => {
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
});

function valueIn(object: Data, path: string): unknown {
  return keysIn(path).reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), object);
}

/** Returns credentials of a pipe's source in the form that an authentication needs. */
function loginOf(authentication: Json): Json {
  if (authentication === "PLAIN") return { username: "reader", password: "another password of the reader" };
  if (authentication === "IAM_USER")
    return { accessKeyId: "AKIAOTHEROTHER", secretKey: "another secret of the reader" };
  return undefined as never;
}

type Refusal = readonly [
  title: string,
  kind: string,
  changed: (program: JsonObject) => Data,
  expected: string,
];

function refusals(): readonly Refusal[] {
  const at = (path: string, value: Json | typeof absent) => (program: JsonObject) =>
    withChange(program, path, value as Json);
  return [
    ["A pipe without a source", "kafka", at("source", {}), "source must have exactly one of kafka, kinesis"],
    [
      "A pipe with two sources",
      "kafka",
      (program) => ({ ...program, source: { ...(program.source as Data), kinesis: {} } }),
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
      "destination.roles[0] is a role that the service reserves for itself",
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
      "fieldMappings[0].destinationField is none of destination.columns",
    ],
    [
      "A stream without a table",
      "kafka",
      at("destination.table", absent),
      "destination.table is missing: every source except a database needs it",
    ],
    [
      "Committed records of another source",
      "objectStorage",
      at("settings.kafka_read_committed", true),
      "settings.kafka_read_committed applies only to a Kafka source",
    ],
  ];
}
