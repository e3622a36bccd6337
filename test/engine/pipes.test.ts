import { join } from "node:path";
import { expect } from "chai";
import { settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { expectNoSecrets, projectIn, useFixture } from "./fixture";

const example = join(__dirname, "..", "..", "examples", "pipes");
const sandbox = { dialect: "clickhouse", stateMilliseconds: 300 } as const;
const secrets = ["kafka", "registry", "postgres"].map(
  (name) => [`${name}Password`, `secret of ${name}`] as const,
);

describe("The example program pipes", () => {
  const fixture = useFixture({ host: "dynamic", projectFile: projectIn(example), sandbox });
  const pipes = () => [...fixture.sandbox.store.pipes.values()].slice(8);

  before(async () => {
    Object.assign(
      fixture.environment,
      settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
    );
    for (const [name, value] of secrets) await fixture.config(name, value, true);
  });

  it("the example program pipes creates three pipes and an endpoint, keeps credentials secret, and is refreshed with one list of pipes", async () => {
    const { summary, output } = await fixture.up();
    expect(summary).to.deep.equal({ create: 4 });
    expect(output)
      .to.match(/pipe [0-9a-f-]{36} is Running/)
      .and.to.not.include("warning");
    expect(pipes().map(({ name }) => name)).to.have.members(["orders", "files", "shop"]);
    for (const [, value] of secrets) {
      expect(JSON.stringify(pipes().map(({ credentials }) => credentials))).to.include(value);
      await expectNoSecrets(fixture, value);
    }
    const before = fixture.sandbox.requests.length;
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    const asked = fixture.sandbox.requests.slice(before).map(({ operation }) => operation);
    expect(asked.filter((operation) => /Pipe/.test(operation ?? ""))).to.deep.equal(["listPipes"]);
  });

  it("destroying the stack of the example program pipes keeps the other pipes of the service", async () => {
    await fixture.destroy();
    expect(pipes()).to.deep.equal([]);
    expect(fixture.sandbox.store.pipes.size).to.equal(8);
  });
});

const program = (replicas: number, topics: string, tables: readonly string[], password: string) => `
const kafka = { type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "${topics}", authentication: "PLAIN" };
const destination = {
  database: "default", table: "orders", columns: [{ name: "id", type: "UInt64" }],
  tableDefinition: { engine: { type: "MergeTree" } },
};
const credentials = { username: "reader", password: "${password}" };
new Pipe("orders", {
  name: "orders", source: { kafka }, credentials, destination, allowReplacement: true,
  scaling: { replicas: ${replicas}, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
});
new Pipe("shop", {
  name: "shop", credentials, destination: { database: "default" },
  source: { postgres: {
    host: "shop.example.com", port: 5432, database: "shop", settings: { replicationMode: "cdc" },
    tableMappings: ${JSON.stringify(tables)}.map((name) => ({ sourceSchemaName: "public", sourceTable: name, targetTable: name })),
  } },
});
`;

for (const host of selected(["dynamic", "plugin"] as const, 2, 4))
  describe(`Updates of pipes, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox });
    const pipes = () => [...fixture.sandbox.store.pipes.values()].slice(8);
    const up = () => fixture.up({ args: ["--skip-preview"] });

    before(() =>
      Object.assign(
        fixture.environment,
        settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" }),
      ),
    );

    it("an update changes pipes in place, deletes a Kafka pipe before its replacement, and refuses to load a database anew", async () => {
      await fixture.write(program(1, "orders", ["customers", "invoices"], "the first password"));
      expect((await up()).summary).to.deep.equal({ create: 2 });
      const ids = pipes().map(({ id }) => id);
      const shop = pipes().find(({ source }) => "postgres" in source)?.id;
      await fixture.write(program(2, "orders", ["customers", "visits"], "the second password"));
      expect((await up()).summary).to.include({ update: 2 });
      expect(pipes().map(({ id }) => id)).to.deep.equal(ids);
      expect(pipes().find(({ source }) => "kafka" in source)?.scaling).to.include({ replicas: 2 });
      expect(JSON.stringify(pipes().map(({ credentials }) => credentials))).to.not.include("the first");
      await expectNoSecrets(fixture, "the second password");
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      const before = fixture.sandbox.requests.length;
      await fixture.write(program(2, "refunds", ["customers", "visits"], "the second password"));
      await up();
      const asked = fixture.sandbox.requests.slice(before).map(({ operation = "" }) => operation);
      expect(asked.filter((operation) => /^(create|delete)Pipe/.test(operation))).to.deep.equal([
        ...["deletePipe", "createPipe"],
      ]);
      expect(pipes().map(({ id }) => id)).to.include(shop);
      const text = program(2, "refunds", ["customers", "visits"], "the second password");
      await fixture.write(text.replace('replicationMode: "cdc"', 'replicationMode: "snapshot"'));
      const { output } = await fixture.preview({ expect: "failure" });
      expect(output).to.match(
        /the change would replace pipe \S+ \(shop\): a new full load of its Postgres source/,
      );
      await fixture.write(text);
      await fixture.destroy();
      expect(pipes()).to.deep.equal([]);
    });
  });
