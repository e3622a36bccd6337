import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import type { Pipe } from "../../sandbox/index";
import { kafkaAt, makeByHand, makePipesByHand, pipeSecrets } from "../pipesByHand";
import { builtPipestack, settingVariables } from "../pipestackCommand";
import { selected } from "../seed";
import { expectNoSecrets, forget, useFixture } from "./fixture";

const sandbox = { dialect: "clickhouse", stateMilliseconds: 300 } as const;
const settings = settingVariables({ dialect: "clickhouse", requestsPerSecond: "1000" });
const password = "a password of the replicator";

const shop = `
new ServiceScaling("scaling", { numReplicas: 3 });
new Pipe("shop", {
  name: "shop", credentials: { username: "replicator", password: pulumi.secret("${password}") },
  destination: { database: "default" },
  source: { postgres: {
    host: "shop.example.com", port: 5432, database: "shop", settings: { replicationMode: "cdc" },
    tableMappings: [{ sourceSchemaName: "public", sourceTable: "invoices", targetTable: "invoices" }],
  } },
});
`;

/** Makes a program with another pipe, which the test creates by hand as if its create had been killed. */
const orders = (endpointId: string) => `${shop}
const { credentials, schemaRegistry, ...kafka } = ${JSON.stringify(kafkaAt(endpointId).source.kafka)};
const { credentials: schemaRegistryCredentials, ...registry } = schemaRegistry;
const { destination, fieldMappings } = ${JSON.stringify(kafkaAt(endpointId))};
new Pipe("orders", {
  name: "orders", source: { kafka: { ...kafka, schemaRegistry: registry } },
  credentials, schemaRegistryCredentials, destination, fieldMappings,
});
`;

for (const host of selected(["dynamic", "plugin"] as const, 2, 1))
  describe(`The pipestack commands on pipes, in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox });
    const run = (...args: string[]) => builtPipestack(args, fixture.folder, fixture.environment);
    const pipes = () => [...fixture.sandbox.store.pipes.values()];
    const named = (name: string) => pipes().find((pipe) => pipe.name === name) as Pipe;
    const setState = (state: string) => {
      const { store, credentials } = fixture.sandbox;
      Object.assign(store.services.get(credentials.serviceId) ?? {}, { state });
    };

    before(async () => {
      Object.assign(fixture.environment, settings);
      fixture.sandbox.store.pipes.clear();
      await fixture.apply(shop, { args: ["--skip-preview"] });
    });

    it("pipestack drift names a changed property of a pipe by its path, and shows no credentials", async () => {
      expect((await run("drift")).code).to.equal(0);
      const { id, source } = named("shop");
      Object.assign(source.postgres ?? {}, { port: 5433 });
      Object.assign(named("shop"), { credentials: { credentials: { username: "x", password: "theirs" } } });
      const { code, stdout, stderr } = await run("drift", "--json");
      expect(code, stderr).to.equal(7);
      const { drift } = JSON.parse(stdout);
      expect(drift).to.have.length(1);
      expect(drift[0]).to.include({
        ...{ type: "Pipe", name: "shop", id, kind: "changed" },
        ...{ property: "source.postgres.port", declared: 5432, found: 5433 },
      });
      expect(stdout + stderr).to.not.match(new RegExp(`${password}|theirs`));
      await fixture.up({ args: ["--refresh", "--skip-preview"] });
      expect(named("shop").source.postgres).to.include({ port: 5432 });
      await expectNoSecrets(fixture, password);
    });

    it("pipestack drift of an idle service names the pipe that it did not compare, exits with 1, and does not wake the service", async () => {
      setState("idle");
      forget(fixture.sandbox);
      const { code, stdout, stderr } = await run("drift");
      const { id } = named("shop");
      expect(stdout).to.equal(
        `No drift in 1 of 2 resources. Not compared, since its service does not run: Pipe shop (${id}).\n`,
      );
      expect(stderr).to.include(`Pipe ${id}: not compared, since its service does not run`);
      expect(code).to.equal(1);
      expect(new Set(fixture.sandbox.requests.map(({ method }) => method))).to.deep.equal(new Set(["GET"]));
      setState("running");
    });

    it("pipestack orphans --recover writes the pipe of a killed create to the state, and the next update creates no second one", async () => {
      const [endpointId = ""] = fixture.sandbox.store.reversePrivateEndpoints.keys();
      const pipeId = await makeByHand(fixture.sandbox, "clickpipes", kafkaAt(endpointId));
      await fixture.write(orders(endpointId));
      const { code, stdout } = await run("orphans", "--only", "Pipe", "--json");
      expect(code).to.equal(7);
      expect(JSON.parse(stdout).orphans).to.have.nested.property("[0].id", pipeId);
      const recovered = await run("orphans", "--only", "Pipe", "--recover", "--yes");
      expect(recovered.code, recovered.stdout + recovered.stderr).to.equal(0);
      forget(fixture.sandbox);
      const { summary } = await fixture.up({ args: ["--skip-preview"] });
      expect(summary).to.not.have.any.keys("create", "replace", "delete");
      const writes = fixture.sandbox.requests.filter(({ method }) => method !== "GET");
      expect(writes.map(({ operation }) => operation)).to.not.include("createPipe");
      expect(pipes().map(({ name }) => name)).to.have.members(["shop", "orders"]);
      await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
      await expectNoSecrets(fixture, password, ...Object.values(pipeSecrets));
      await fixture.destroy();
      expect(pipes()).to.deep.equal([]);
    });
  });

describe("pipestack import of pipes", () => {
  const fixture = useFixture({ host: "dynamic", language: "typescript", sandbox });
  const writes = () => fixture.sandbox.requests.filter(({ method }) => method !== "GET");

  it("pipestack import writes a program of pipes that compiles, and the update after it sends no write", async () => {
    Object.assign(fixture.environment, settings);
    const { pipeIds } = await makePipesByHand(fixture.sandbox);
    const args = ["import", "--only", "Pipe,ReversePrivateEndpoint"];
    const { code, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
    expect(code, stderr).to.equal(0);
    expect(stderr).to.include("(shop): its credentials are not known, since the service never shows them");
    forget(fixture.sandbox);
    const importing = ["import", "--file", "import.json", "--generate-code=false", "--protect=false"];
    const { output } = await fixture.run([...importing, "--yes"]);
    expect(output).to.include("4 imported").and.not.include("has a problem");
    await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
    expect((await fixture.up()).summary).to.deep.equal({ same: 4 });
    expect(writes()).to.deep.equal([]);
    expect((await builtPipestack(["drift"], fixture.folder, fixture.environment)).code).to.equal(0);
    await expectNoSecrets(fixture, ...Object.values(pipeSecrets));
    const path = join(fixture.folder, "index.ts");
    const program = await readFile(path, "utf8");
    const refusalOf = async (changed: string) => {
      await writeFile(path, changed);
      return (await fixture.preview({ expect: "failure" })).output;
    };
    const replacing = program.replace('topics: "orders"', 'topics: "refunds"');
    const replaced = `the change would replace pipe ${pipeIds[0]} \\(orders\\)`;
    expect(await refusalOf(replacing)).to.match(
      new RegExp(`${replaced}: the new pipe begins to read anew.* set allowReplacement: true`),
    );
    expect(await refusalOf(replacing.replace('name: "orders"', "$&, allowReplacement: true"))).to.match(
      new RegExp(`${replaced}, and a new pipe cannot be created: credentials is missing`),
    );
  });
});
