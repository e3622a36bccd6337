import type { ChildProcess } from "node:child_process";
import { expect } from "chai";
import type { Pipe, RequestMoment } from "../../../sandbox/index";
import { selected } from "../../seed";
import { expectNoSecrets, useFixture } from "../fixture";
import type { Host } from "../pluginHost";
import { strikes, unlock } from "./interruption";
import { endLeftProcesses } from "./processes";

type Name = "orders" | "shop";

/**
 * A request about a pipe at which the test kills the update: the path after the pipe's id, and which of several equal requests
 * it is.
 */
interface Moment {
  readonly pipe: Name;
  readonly request: string;
  readonly method: "PATCH" | "PUT" | "POST";
  readonly path: RegExp;
  readonly nth: number;
}

const moments: readonly Moment[] = [
  { pipe: "orders", request: "create", method: "POST", path: /\/clickpipes$/, nth: 1 },
  { pipe: "orders", request: "source and columns", method: "PATCH", path: /^$/, nth: 1 },
  { pipe: "orders", request: "settings", method: "PUT", path: /^\/settings$/, nth: 1 },
  { pipe: "orders", request: "scaling", method: "PATCH", path: /^\/scaling$/, nth: 1 },
  { pipe: "orders", request: "state", method: "PATCH", path: /^\/state$/, nth: 1 },
  { pipe: "shop", request: "stop", method: "PATCH", path: /^\/state$/, nth: 1 },
  { pipe: "shop", request: "tables", method: "PATCH", path: /^$/, nth: 2 },
];

const kinds = ["the host killed", "the CLI killed"] as const;

const stages = ["received", "carriedOut"] as const;

const hosts = ["dynamic", "plugin"] as const satisfies readonly Host[];

const all = moments.flatMap((moment) =>
  stages.flatMap((stage) => hosts.flatMap((host) => kinds.map((kind) => ({ moment, stage, host, kind })))),
);

const tried = selected(all, all.length, 13);

const table = (name: string) => ({ sourceSchemaName: "public", sourceTable: name, targetTable: name });

/** Makes a program with two pipes: either as they are created, or with a change of everything that an update can send. */
function program(isChanged: boolean, adopted: ReadonlyMap<string, string> = new Map()): string {
  const columns = ["id", ...(isChanged ? ["at"] : [])];
  const orders = {
    name: "orders",
    source: {
      kafka: {
        ...{ type: "kafka", format: "JSONEachRow", brokers: "b.example.com:9092", topics: "orders" },
        ...{ authentication: "PLAIN", ...(isChanged && { iamRole: "arn:aws:iam::111122223333:role/pipes" }) },
      },
    },
    destination: {
      ...{ database: "default", table: "orders", tableDefinition: { engine: { type: "MergeTree" } } },
      columns: columns.map((name) => ({ name, type: "String" })),
    },
    fieldMappings: columns.map((name) => ({ sourceField: name, destinationField: name })),
    ...(isChanged && {
      ...{ state: "stopped", settings: { engine_max_threads: 4 } },
      scaling: { replicas: 2, replicaCpuMillicores: 250, replicaMemoryGb: 1 },
    }),
  };
  const shop = {
    ...{ name: "shop", destination: { database: "default" } },
    source: {
      postgres: {
        ...{ host: "shop.example.com", port: isChanged ? 5433 : 5432, database: "shop" },
        settings: { replicationMode: "cdc" },
        tableMappings: ["customers", isChanged ? "visits" : "invoices"].map(table),
      },
    },
  };
  const password = isChanged ? "the second password" : "the first password";
  return Object.entries({ orders, shop })
    .map(([name, inputs]) => {
      const adoptId = adopted.get(name);
      const whole = { ...inputs, ...(adoptId && { adoptId }), credentials: { username: "reader", password } };
      return `new Pipe("${name}", ${JSON.stringify(whole)});`;
    })
    .join("\n");
}

for (const host of hosts) {
  const own = tried.filter((each) => each.host === host);
  if (own.length === 0) continue;
  describe(`Killed updates of pipes in the ${host} host`, () => {
    const fixture = useFixture({ host, sandbox: { dialect: "clickhouse", stateMilliseconds: 300 } });
    const pipes = () => [...fixture.sandbox.store.pipes.values()].slice(8) as unknown as Pipe[];
    const named = (name: Name) => pipes().find((pipe) => pipe.name === name);

    afterEach(() => endLeftProcesses(fixture));

    async function killedUp(moment: Moment, stage: string, kind: (typeof kinds)[number]): Promise<void> {
      let cli: ChildProcess | undefined;
      let seen = 0;
      let isStruck = false;
      let failure: unknown;
      const stop = fixture.sandbox.watch(async (now) => {
        if (isStruck || !cli || now.stage !== stage || !isOf(now, moment, named(moment.pipe)?.id)) return;
        if (++seen < moment.nth) return;
        isStruck = true;
        await strikes[kind](cli, fixture, now).catch((error) => {
          failure = error;
        });
      });
      await fixture.up({
        ...{ expect: "any", args: ["--skip-preview"], isKilled: true },
        started: (child) => {
          cli = child;
        },
      });
      stop();
      await endLeftProcesses(fixture);
      if (failure) throw failure;
      expect(isStruck, "the update was killed").to.equal(true);
      if (kind === "the CLI killed") await unlock(fixture);
    }

    /**
     * Runs the interrupted update again. If messages name pipes that are in no Pulumi state, the program adopts them and the
     * update runs once more.
     */
    async function applyAgain(isChanged: boolean): Promise<void> {
      const { pending_operations: pending = [] } = (await fixture.exportState()).deployment;
      if ((pending as { type: string }[]).some(({ type }) => type === "creating"))
        await fixture.refresh({ args: ["--clear-pending-creates"] });
      const { output } = await fixture.up({ expect: "any", args: ["--skip-preview"] });
      const left = [...output.matchAll(/pipe (\S+) is also named "(orders|shop)"/g)];
      if (left.length === 0) return;
      expect(output).to.include("adoptId");
      const adopted = new Map(left.map(([, id = "", name = ""]) => [name, id]));
      await fixture.write(program(isChanged, adopted));
      await fixture.up({ args: ["--skip-preview"] });
    }

    for (const { moment, stage, kind } of own)
      it(`the next update completes pipes after ${kind} when the request about ${moment.request} of ${moment.pipe} was ${stage === "received" ? "received" : "carried out"}`, async () => {
        await fixture.write(program(false));
        const isCreate = moment.request === "create";
        if (!isCreate) {
          await fixture.up({ args: ["--skip-preview"] });
          await fixture.write(program(true));
        }
        await killedUp(moment, stage, kind);
        await applyAgain(!isCreate);
        const password = isCreate ? "the first password" : "the second password";
        expect(pipes().map(({ name }) => name)).to.have.members(["orders", "shop"]);
        for (const { credentials } of pipes())
          expect(credentials).to.deep.equal({ credentials: { username: "reader", password } });
        await expectNoSecrets(fixture, "the first password", "the second password");
        await fixture.preview({ args: ["--refresh", "--expect-no-changes"] });
        if (!isCreate) {
          const { state, settings, scaling, destination, fieldMappings } = named("orders") as Pipe;
          expect([state, settings.engine_max_threads, scaling.replicas]).to.deep.equal(["Stopped", 4, 2]);
          expect([destination.columns?.length, fieldMappings.length]).to.deep.equal([2, 2]);
          const shop = named("shop") as Pipe;
          expect(shop.source.postgres?.tableMappings.map(({ sourceTable }) => sourceTable)).to.have.members([
            ...["customers", "visits"],
          ]);
          expect(["Running", "Snapshot"]).to.include(shop.state);
        }
        await fixture.destroy();
        fixture.sandbox.store.organization.tablesOfPipes = {};
        expect(pipes()).to.deep.equal([]);
      });
  });
}

function isOf({ method, path }: RequestMoment, moment: Moment, id = ""): boolean {
  if (method !== moment.method) return false;
  if (method === "POST") return moment.path.test(path);
  const [before, after] = path.split(`/${id}`);
  return id !== "" && before?.endsWith("/clickpipes") === true && moment.path.test(after ?? "-");
}
