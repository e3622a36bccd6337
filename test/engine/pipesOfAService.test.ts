import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { linkPackages } from "../../toolchain/temporaryProject.mjs";
import { builtPipestack } from "../pipestackCommand";
import { expectNoSecrets, forget, useFixture } from "./fixture";
import { useLanguages } from "./languages/languageHosts";

const password = "a password of all sources";

const inPython = `
import pulumi
import pulumi_pipestack as pipestack

password = pulumi.Config().require_secret("password")
lake = pipestack.Service(
    "lake", name="lake", provider="aws", region="eu-west-1", ip_access_list=[], deletion_protection=False
)
service_id = lake.id
brokers = pipestack.ReversePrivateEndpoint(
    "brokers",
    service_id=service_id,
    description="brokers",
    type="VPC_ENDPOINT_SERVICE",
    vpc_endpoint_service_name="vpce-svc-1",
    custom_private_dns_mappings=[{"private_dns_name": "broker.example.com"}],
)
databases = pipestack.ReversePrivateEndpoint(
    "databases",
    service_id=service_id,
    description="databases",
    type="VPC_RESOURCE",
    vpc_resource_configuration_id="rcfg-1",
    vpc_resource_share_arn="arn:aws:ram:eu-west-1:111122223333:resource-share/1",
)
columns = [{"name": "id", "type": "UInt64"}]
login = {"username": "reader", "password": password}
role = {"authentication": "IAM_ROLE", "iam_role": "arn:aws:iam::111122223333:role/reader"}


def table(name):
    definition = {"engine": {"type": "MergeTree"}, "sorting_key": ["id"]}
    return {"database": "default", "table": name, "table_definition": definition, "columns": columns}


def stream(kind, shop, source, **further):
    name = f"{kind}-{shop}"
    pipestack.Pipe(
        name,
        name=name,
        service_id=service_id,
        source=source,
        destination=table(f"{kind}_{shop}"),
        field_mappings=[{"source_field": "id", "destination_field": "id"}],
        **further,
    )


for shop in ["north", "south"]:
    stream(
        "orders",
        shop,
        {
            "kafka": {
                "type": "kafka",
                "format": "JSONEachRow",
                "brokers": "broker.example.com:9092",
                "topics": f"orders-{shop}",
                "authentication": "PLAIN",
                "reverse_private_endpoint_ids": [brokers.id],
            }
        },
        credentials=login,
        scaling={"replicas": 1, "replica_cpu_millicores": 250, "replica_memory_gb": 1},
    )
    stream(
        "devices",
        shop,
        {
            "kinesis": {
                "format": "JSONEachRow",
                "stream_name": f"devices-{shop}",
                "region": "eu-west-1",
                "iterator_type": "LATEST",
                **role,
            }
        },
    )
    stream(
        "files",
        shop,
        {
            "object_storage": {
                "type": "s3",
                "format": "CSV",
                "url": f"https://{shop}.s3.amazonaws.com/**/*.csv",
                "is_continuous": True,
                "authentication": "IAM_USER",
            }
        },
        credentials={"access_key_id": "AKIAREADERREADER", "secret_key": password},
        settings={"object_storage_concurrency": 4},
    )
    stream(
        "signups",
        shop,
        {
            "pubsub": {
                "format": "JSONEachRow",
                "project_id": "shop",
                "topic": f"signups-{shop}",
                "authentication": "SERVICE_ACCOUNT",
                "seek_type": "latest",
            }
        },
        credentials={"service_account_key": password},
    )
    pipestack.Pipe(
        f"replica-{shop}",
        name=f"replica-{shop}",
        service_id=service_id,
        source={
            "postgres": {
                "host": databases.dns_names.apply(lambda names: names[0]),
                "port": 5432,
                "database": shop,
                "settings": {"replication_mode": "cdc"},
                "table_mappings": [
                    {"source_schema_name": "public", "source_table": "invoices", "target_table": f"invoices_{shop}"}
                ],
            }
        },
        credentials=login,
        destination={"database": "default"},
    )
`;

/** The values of pipes and endpoints that the test's TypeScript program declares otherwise than its Python program. */
interface Changes {
  readonly replicas?: number;
  readonly concurrency?: number;
  readonly ackDeadline?: string;
  readonly iamRole?: string;
  readonly tables?: readonly string[];
  readonly dnsName?: string;
  readonly topics?: string;
  readonly replicationMode?: string;
}

const inTypeScript = ({
  replicas = 1,
  concurrency = 4,
  ackDeadline = "",
  iamRole = "arn:aws:iam::111122223333:role/reader",
  tables = ["invoices"],
  dnsName = "broker.example.com",
  topics = "orders",
  replicationMode = "cdc",
}: Changes) => `import * as pulumi from "@pulumi/pulumi";
import * as pipestack from "@pipestack/sdk";

const password = new pulumi.Config().requireSecret("password");
const lake = new pipestack.Service("lake", {
  name: "lake", provider: "aws", region: "eu-west-1", ipAccessList: [], deletionProtection: false,
});
const serviceId = lake.id;
const brokers = new pipestack.ReversePrivateEndpoint("brokers", {
  serviceId, description: "brokers", type: "VPC_ENDPOINT_SERVICE", vpcEndpointServiceName: "vpce-svc-1",
  customPrivateDnsMappings: [{ privateDnsName: "${dnsName}" }],
});
const databases = new pipestack.ReversePrivateEndpoint("databases", {
  serviceId, description: "databases", type: "VPC_RESOURCE", vpcResourceConfigurationId: "rcfg-1",
  vpcResourceShareArn: "arn:aws:ram:eu-west-1:111122223333:resource-share/1",
});
const columns = [{ name: "id", type: "UInt64" }];
const login = { username: "reader", password };
const stream = (
  kind: string,
  shop: string,
  source: pipestack.PipeArgs["source"],
  further: Partial<pipestack.PipeArgs> = {},
) =>
  new pipestack.Pipe(\`\${kind}-\${shop}\`, {
    name: \`\${kind}-\${shop}\`, serviceId, source,
    destination: {
      database: "default", table: \`\${kind}_\${shop}\`, columns,
      tableDefinition: { engine: { type: "MergeTree" }, sortingKey: ["id"] },
    },
    fieldMappings: [{ sourceField: "id", destinationField: "id" }],
    ...further,
  });

for (const shop of ["north", "south"]) {
  stream("orders", shop, {
    kafka: {
      type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: \`${topics}-\${shop}\`,
      authentication: "PLAIN", reversePrivateEndpointIds: [brokers.id],
    },
  }, {
    credentials: login, scaling: { replicas: ${replicas}, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
    ${topics === "orders" ? "" : "allowReplacement: true,"}
  });
  stream("devices", shop, {
    kinesis: {
      format: "JSONEachRow", streamName: \`devices-\${shop}\`, region: "eu-west-1", iteratorType: "LATEST",
      authentication: "IAM_ROLE", iamRole: "${iamRole}",
    },
  });
  stream("files", shop, {
    objectStorage: {
      type: "s3", format: "CSV", url: \`https://\${shop}.s3.amazonaws.com/**/*.csv\`, isContinuous: true,
      authentication: "IAM_USER",
    },
  }, {
    credentials: { accessKeyId: "AKIAREADERREADER", secretKey: password },
    settings: { object_storage_concurrency: ${concurrency} },
  });
  stream("signups", shop, {
    pubsub: {
      format: "JSONEachRow", projectId: "shop", topic: \`signups-\${shop}\`, authentication: "SERVICE_ACCOUNT",
      seekType: "latest",${ackDeadline}
    },
  }, { credentials: { serviceAccountKey: password } });
  new pipestack.Pipe(\`replica-\${shop}\`, {
    name: \`replica-\${shop}\`, serviceId, credentials: login, destination: { database: "default" },
    source: {
      postgres: {
        host: databases.dnsNames.apply((names) => names?.[0] ?? ""), port: 5432, database: shop,
        settings: { replicationMode: "${replicationMode}" },
        tableMappings: ${JSON.stringify(tables)}.map((name) => ({
          sourceSchemaName: "public", sourceTable: name, targetTable: \`\${name}_\${shop}\`,
        })),
      },
    },
  });
}
`;

const changed: Changes = {
  ...{ replicas: 2, concurrency: 8, ackDeadline: " ackDeadline: 90,", tables: ["visits"] },
  ...{ iamRole: "arn:aws:iam::111122223333:role/other", dnsName: "kafka.example.com" },
};

describe("A service with ten pipes of five kinds and two reverse private endpoints", () => {
  const fixture = useFixture({
    language: "typescript",
    projectFile: "name: first\nruntime: python\n",
    sandbox: { dialect: "clickhouse", stateMilliseconds: 300 },
  });
  const languages = useLanguages(fixture);
  const pipes = () => [...fixture.sandbox.store.pipes.values()].slice(8);
  const idsByName = () => Object.fromEntries(pipes().map(({ id, name }) => [name, id]));
  const operations = (pattern: RegExp) =>
    fixture.sandbox.requests.map(({ operation = "" }) => operation).filter((name) => pattern.test(name));
  const namesOf = (kind: string) => pipes().filter(({ name }) => name.startsWith(kind));

  before(async () => {
    const settings = { PIPESTACK_DIALECT: "clickhouse", PIPESTACK_REQUESTS_PER_SECOND: "1000" };
    Object.assign(fixture.environment, settings);
    await fixture.config("first:password", password, true);
    await writeFile(join(fixture.folder, "__main__.py"), inPython);
  });

  it("a Python program creates a service with its pipes and endpoints in one update, after which there is no drift", async () => {
    fixture.environment.PATH = languages.python;
    const { summary } = await fixture.up({ args: ["--skip-preview"] });
    expect(summary).to.deep.equal({ create: 13 });
    expect(new Set(pipes().map(({ source }) => Object.keys(source)[0])).size).to.equal(5);
    delete fixture.environment.PATH;
    const { code, stdout, stderr } = await builtPipestack(["drift"], fixture.folder, fixture.environment);
    expect([code, stdout], stderr).to.deep.equal([0, "No drift in 13 resources.\n"]);
    await expectNoSecrets(fixture, password);
  });

  it("a TypeScript program finds nothing to change in an equal Python program's pipes, and reads one list per type", async () => {
    await writeFile(join(fixture.folder, "Pulumi.yaml"), "name: first\nruntime: nodejs\n");
    await linkPackages(fixture.folder, { "@pipestack/sdk": join(languages.sdk, "nodejs", "bin") });
    await fixture.write(inTypeScript({}));
    forget(fixture.sandbox);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect(operations(/./).sort()).to.deep.equal([
      ...["listPipes", "listReversePrivateEndpoints", "listServices"],
    ]);
  });

  it("an update changes pipes of all kinds in place, and sends only what differs", async () => {
    const before = idsByName();
    forget(fixture.sandbox);
    await fixture.write(inTypeScript(changed));
    expect((await fixture.up({ args: ["--skip-preview"] })).summary).to.deep.equal({ same: 2, update: 11 });
    expect(idsByName()).to.deep.equal(before);
    expect(operations(/^(create|delete)/)).to.deep.equal([]);
    const counts = (name: string) => operations(new RegExp(`^${name}$`)).length;
    expect(
      ["updatePipeScaling", "putPipeSettings", "updateReversePrivateEndpoint"].map(counts),
    ).to.deep.equal([2, 2, 1]);
    expect(
      namesOf("replica").map(({ source }) => (source as never as Replica).postgres.tableMappings.length),
    ).to.deep.equal([1, 1]);
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    await expectNoSecrets(fixture, password);
  });

  it("a changed topic replaces only the Kafka pipes, and their successors get the credentials again", async () => {
    const before = idsByName();
    forget(fixture.sandbox);
    await fixture.write(inTypeScript({ ...changed, topics: "refunds" }));
    await fixture.up({ args: ["--skip-preview"] });
    const after = idsByName();
    const replaced = Object.keys(after).filter((name) => after[name] !== before[name]);
    expect(replaced).to.have.members(["orders-north", "orders-south"]);
    expect(operations(/^(create|delete)/).sort()).to.deep.equal([
      ...["createPipe", "createPipe", "deletePipe", "deletePipe"],
    ]);
    expect(JSON.stringify(namesOf("orders").map(({ credentials }) => credentials))).to.include(password);
  });

  it("the preview refuses a changed replication mode of a Postgres pipe, and sends no write", async () => {
    forget(fixture.sandbox);
    await fixture.write(inTypeScript({ ...changed, topics: "refunds", replicationMode: "snapshot" }));
    const { output } = await fixture.preview({ expect: "failure" });
    expect(output).to.match(
      /source\.postgres\.settings\.replicationMode: the change would replace pipe \S+ \(replica-(north|south)\): a new full load/,
    );
    expect(fixture.sandbox.requests.filter(({ method }) => method !== "GET")).to.deep.equal([]);
  });

  it("destroying the service and its pipes leaves only objects that existed before", async () => {
    await fixture.write(inTypeScript({ ...changed, topics: "refunds" }));
    expect((await fixture.destroy()).summary).to.deep.equal({ delete: 13 });
    const { services, reversePrivateEndpoints } = fixture.sandbox.store;
    expect([pipes().length, services.size, reversePrivateEndpoints.size]).to.deep.equal([0, 2, 2]);
  });
});

interface Replica {
  readonly postgres: { readonly tableMappings: readonly object[] };
}
