import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { delimiter, join, resolve } from "node:path";
import { expect } from "chai";
import { languageHost, pythonEnvironment } from "../../toolchain/languages.mjs";
import { findPulumi } from "../../toolchain/pulumi.mjs";
import { selected } from "../seed";
import { type Fixture, useFixture } from "./fixture";
import { pluginProjectFile } from "./pluginHost";

// A Pulumi CLI that was built from Go modules cannot start the folder of a policy pack. So the test names the program that the
// example's folder has for such a CLI.
const pack = ["--policy-pack", resolve("examples/policies/pipestack-policies")];

const watching = { source: "search", threshold: 5, thresholdType: "above" };
const place = { provider: "aws", region: "eu-west-1" };
const idling = { idleScaling: true, idleTimeoutMinutes: 15 };
const night = { name: "Nights", weekdays: [1], startHourUtc: 19, endHourUtc: 7 };
const policyOf = (permission: string) => ({
  allowDeny: "ALLOW",
  permissions: [permission],
  resources: ["organization/3f1c6a52-7d0e-4b8f-9a41-5c2e8d7b6f10"],
});
const login = { username: "reader", password: "a password of the reader" };
const kafka = { type: "kafka", format: "JSONEachRow", brokers: "broker.example.com:9092", topics: "orders" };
const postgres = {
  ...{ host: "orders.example.com", port: 5432, database: "shop", settings: { replicationMode: "cdc" } },
  tableMappings: [{ sourceSchemaName: "public", sourceTable: "orders", targetTable: "orders" }],
};
const stream = {
  destination: {
    ...{ database: "default", table: "orders", tableDefinition: { engine: { type: "MergeTree" } } },
    columns: [{ name: "id", type: "UInt64" }],
  },
};
const query = { sql: "SELECT 1", database: "default", apiKeyIds: ["=key.id"] };

const measured = {
  displayType: "line",
  sourceId: "65f1c0a2b3d4e5f607182911",
  select: [{ aggFn: "max", valueExpression: "Duration" }],
};
const inSeconds = { ...measured, numberFormat: { output: "duration", factor: 1e-9 } };
const latency = { name: "Latency", x: 0, y: 0, w: 12, h: 4, config: measured };

/**
 * Arguments for the resource types that the example policies are about, by resource name. A text `=name.id` refers to another
 * resource.
 */
const programs = {
  good: {
    webhook: ["Webhook", { service: "generic", url: "https://hooks.example.com/team" }],
    search: ["SavedSearch", { sourceId: "65f1c0a2b3d4e5f607182911" }],
    key: ["ApiKey", { roles: ["admin"], rotateAfterDays: 90, ipAccessList: [{ source: "203.0.113.0/24" }] }],
    expiring: ["ApiKey", { roles: ["developer"], expireAt: new Date(Date.now() + 9e8).toISOString() }],
    readers: ["Role", { policies: [policyOf("control-plane:organization:view")] }],
    endpoint: [
      "QueryEndpoint",
      { roles: ["sql_console_read_only"], openApiKeys: [], allowedOrigins: ["https://a.example.com"] },
    ],
    api: ["QueryApiEndpoint", { ...query, roles: ["reader"] }],
    ...alerts({ note: "See the runbook of the collector.", interval: "5m" }, "=webhook.id"),
    scaling: [
      "ServiceScaling",
      {
        numReplicas: 3,
        minReplicaMemoryGb: 8,
        maxReplicaMemoryGb: 120,
        idleScaling: true,
        idleTimeoutMinutes: 15,
      },
    ],
    schedule: ["ServiceScalingSchedule", { entries: [{ ...night, numReplicas: 2 }] }],
    lake: ["Service", { ...place, ...idling, ipAccessList: [{ source: "203.0.113.0/24" }], numReplicas: 3 }],
    backups: ["BackupConfiguration", { backupRetentionPeriodInHours: 168 }],
    orders: [
      "Pipe",
      { ...stream, source: { kafka: { ...kafka, authentication: "PLAIN" } }, credentials: login },
    ],
    replica: ["Pipe", { source: { postgres }, credentials: login, destination: { database: "default" } }],
    dashboard: [
      "Dashboard",
      { name: "Ingestion", tags: ["team:data"], tiles: [{ ...latency, config: inSeconds }] },
    ],
  },
  bad: {
    webhook: ["Webhook", { service: "generic", url: "http://hooks.example.com/team" }],
    search: ["SavedSearch", { sourceId: "65f1c0a2b3d4e5f607182911" }],
    key: ["ApiKey", { roles: ["admin"] }],
    wide: [
      "ApiKey",
      { roles: ["developer"], rotateAfterDays: 400, ipAccessList: [{ source: "10.0.0.0/8" }] },
    ],
    owners: ["Role", { policies: [policyOf("control-plane:organization:manage")] }],
    endpoint: ["QueryEndpoint", { roles: ["sql_console_admin"], openApiKeys: [], allowedOrigins: ["*"] }],
    api: ["QueryApiEndpoint", { ...query, roles: ["sql_console_admin"], allowedOrigins: ["*"] }],
    ...alerts({ note: "Look!", interval: "1m" }, "65f1c0a2b3d4e5f607182921"),
    scaling: ["ServiceScaling", { numReplicas: 9, minReplicaMemoryGb: 8, maxReplicaMemoryGb: 356 }],
    schedule: ["ServiceScalingSchedule", { entries: [{ ...night, numReplicas: 9 }] }],
    lake: [
      "Service",
      { ...place, ...idling, ipAccessList: [{ source: "0.0.0.0/0" }], deletionProtection: false },
    ],
    backups: ["BackupConfiguration", { backupPeriodInHours: 24 }],
    orders: ["Pipe", { ...stream, source: { kafka } }],
    replica: [
      "Pipe",
      {
        source: { postgres: { ...postgres, disableTls: true, skipCertVerification: true } },
        ...{ credentials: login, destination: { database: "default" } },
      },
    ],
    dashboard: ["Dashboard", { name: "Ingestion", tiles: [latency] }],
  },
};

function alerts(own: object, webhookId: string) {
  const alert = { ...watching, ...own, savedSearch: "=search.id", channel: { type: "webhook", webhookId } };
  return { alert: ["Alert", alert], set: ["AlertSet", { alerts: { errors: alert } }] };
}

type Program = keyof typeof programs;

/**
 * The violations that the example policy pack reports for a program that breaks every policy: the policy, the resource's name,
 * and the message.
 */
const violations = [
  "addresses-are-encrypted webhook: url has to begin with https://",
  "alerts-are-patient alert: it has an interval of 1m; the shortest is 5m",
  'alerts-are-patient set: alerts["errors"] has an interval of 1m; the shortest is 5m',
  "alerts-have-a-note alert: it needs a note or message of 20 characters or more",
  'alerts-have-a-note set: alerts["errors"] needs a note or message of 20 characters or more',
  "alerts-notify-declared-webhooks alert: webhookId has to be the id of a Webhook of the program",
  "alerts-notify-declared-webhooks set: webhookId has to be the id of a Webhook of the program",
  "backups-are-kept backups: set backupRetentionPeriodInHours to 168 at least",
  "dashboards-have-tags dashboard: it needs a tag",
  "development-idles scaling: set idleScaling to true, and idleTimeoutMinutes to 15 at most, in the stack dev",
  "key-addresses-are-narrow wide: 10.0.0.0/8 is wider than /16",
  "keys-expire key: set expireAt or rotateAfterDays to 366 days at most",
  "keys-expire wide: set expireAt or rotateAfterDays to 366 days at most",
  "memory-has-a-ceiling scaling: a replica may have 120 GB of memory at most",
  "pipes-are-encrypted replica: source.postgres.disableTls sends data and credentials in plain text",
  "pipes-are-encrypted replica: source.postgres.skipCertVerification takes anybody for the database",
  "pipes-authenticate orders: source.kafka needs an authentication: without one anybody may read the data",
  "powerful-keys-have-addresses key: a key with the role admin needs an ipAccessList",
  "query-origins-are-named api: allowedOrigins has to name origins in place of *",
  "query-origins-are-named endpoint: allowedOrigins has to name origins in place of *",
  "query-roles-read-only api: the role sql_console_admin may change data",
  "query-roles-read-only endpoint: the role sql_console_admin may change data",
  "replicas-have-a-ceiling scaling: there may be 6 replicas at most",
  "replicas-have-a-ceiling schedule: there may be 6 replicas at most",
  "roles-are-modest owners: a policy allows control-plane:organization:manage",
  "services-are-not-open lake: 0.0.0.0/0 lets in everybody",
  "services-are-protected lake: deletionProtection has to be true, which it is where it is left out",
  'tiles-have-units dashboard: the tile "Latency" needs a numberFormat',
];

/** Finds the policy violations in the CLI's output. Each one is a line with the policy, the resource's name and the message. */
function violationsIn(output: string): string[] {
  const line = /^ +- \[(?:mandatory|advisory)\] +(\S+) +\(\S+ (\S+)\)\n.*\n +(.*)$/gm;
  return [...output.matchAll(line)].map(([, rule, name, sentence]) => `${rule} ${name}: ${sentence}`).sort();
}

function linesOf(
  program: Program,
  declaration: (type: string, name: string, args: string) => string,
): string {
  return Object.entries(programs[program])
    .map(([name, [type, args]]) =>
      declaration(String(type), name, JSON.stringify(args).replace(/"=([\w.]+)"/g, "$1")),
    )
    .join("\n");
}

describe("The example policy pack and its README", () => {
  it("the README of the policy pack names exactly the policies that the bad program violates", () => {
    const namesIn = (file: string, name: RegExp) =>
      [...readFileSync(resolve("examples/policies", file), "utf8").matchAll(name)]
        .map(([, found]) => found)
        .sort();
    const broken = [...new Set(violations.map((violation) => violation.split(" ")[0]))];
    expect(namesIn("README.md", /^\| `(\S+)` \|/gm)).to.deep.equal(broken);
    expect(namesIn("index.ts", /^ +(?:name: )?"([a-z]+(?:-[a-z]+)+)",$/gm)).to.deep.equal(broken);
  });
});

interface Language {
  readonly title: string;
  readonly options: Parameters<typeof useFixture>[0];
  write(fixture: Fixture, program: Program): Promise<void>;
}

const languages: Language[] = [
  {
    title: "JavaScript, in the dynamic host",
    options: { host: "dynamic" },
    write: (fixture, program) =>
      fixture.write(
        linesOf(program, (type, name, args) => `const ${name} = new ${type}("${name}", ${args});`),
      ),
  },
  {
    title: "Python, in the plugin",
    options: {
      host: "plugin",
      projectFile: pluginProjectFile.replace(/runtime:[\s\S]*?(?=^\w)/m, "runtime: python\n"),
    },
    async write(fixture, program) {
      const lines = linesOf(
        program,
        (type, name, args) =>
          `${name} = CustomResource("pipestack:index:${type}", "${name}", ${args.replaceAll("true", "True").replaceAll("false", "False")})`,
      );
      const { folder, environment } = fixture;
      await writeFile(join(folder, "__main__.py"), `from pulumi import CustomResource\n${lines}\n`);
      const host = await languageHost(await findPulumi(), "python");
      environment.PATH = [await pythonEnvironment(), host, process.env.PATH].join(delimiter);
    },
  },
];

for (const { title, options, write } of selected(languages, 3))
  describe(`The example policy pack, for a program in ${title}`, () => {
    const fixture = useFixture({
      ...options,
      sandbox: { dialect: "clickhouse", apis: "management", stateMilliseconds: 100 },
    });

    it("the example policy pack refuses a bad program, with a sentence for each violation", async () => {
      await write(fixture, "bad");
      const { output } = await fixture.preview({ args: pack, expect: "failure" });
      expect(violationsIn(output)).to.deep.equal(violations);
    });

    it("the example policy pack accepts a good program", async () => {
      await write(fixture, "good");
      const { output, summary } = await fixture.up({ args: pack });
      expect(violationsIn(output)).to.deep.equal([]);
      expect(summary).to.deep.equal({ create: Object.keys(programs.good).length });
    });

    it("the example policy pack reads enforcement levels and limits from a configuration file", async () => {
      await write(fixture, "bad");
      const file = join(fixture.folder, "policies.json");
      const configuration = {
        all: "disabled",
        "replicas-have-a-ceiling": { enforcementLevel: "mandatory", most: 9 },
        "dashboards-have-tags": { enforcementLevel: "advisory", prefixes: ["team:"] },
      };
      await writeFile(file, JSON.stringify(configuration));
      const { output } = await fixture.preview({ args: [...pack, "--policy-pack-config", file] });
      expect(violationsIn(output)).to.deep.equal([
        "dashboards-have-tags dashboard: it needs a tag that begins with team:",
      ]);
    });
  });
