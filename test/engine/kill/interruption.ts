import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { expect } from "chai";
import type { RequestMoment } from "../../../sandbox/index";
import { builtPipestack } from "../../pipestackCommand";
import { unheld } from "../../promises/held";
import { type Fixture, useFixture } from "../fixture";
import type { Host } from "../pluginHost";
import { endLeftProcesses, hostProcess } from "./processes";

export type Kind =
  | "the host killed"
  | "the host interrupted"
  | "the CLI killed"
  | "the CLI interrupted"
  | "the CLI interrupted twice";

type Stage = RequestMoment["stage"];

interface Interruption {
  readonly kind: Kind;
  readonly creation: number;
  readonly stage: Stage;
}

/** The number of tested interruptions of each kind. `KILL_SEEDS=15 KILL_DASHBOARDS=13` makes a longer run. */
const seedsOfEachKind = Number(process.env.KILL_SEEDS ?? 1);
const dashboards = Number(process.env.KILL_DASHBOARDS ?? 4);
export const resources = 1 + 3 * dashboards;

/**
 * A program with one API key and several dashboards in a component. Each dashboard has an alert, and the program has one more
 * API key for each dashboard.
 */
export const program = `
class Team extends pulumi.ComponentResource {
  constructor(name) {
    super("test:teams:Team", name);
  }
}
const parent = new Team("team");
const tile = { name: "Errors", x: 0, y: 0, w: 12, h: 4, series: [{ type: "time", aggFn: "count", groupBy: ["host"] }] };
new ApiKey("key", { roles: ["developer"] });
for (let number = 1; number <= ${dashboards}; number++) {
  new ApiKey("key-" + number, { roles: ["query_endpoints"] });
  const dashboard = new Dashboard("dashboard-" + number, { name: "dashboard-" + number, tiles: [tile] }, { parent });
  new Alert("alert-" + number, {
    name: "alert-" + number, source: "tile", dashboardId: dashboard.id, tileId: dashboard.tileIds.Errors,
    threshold: number, thresholdType: "above", interval: "5m",
    channel: { type: "webhook", webhookId: "65f1c0a2b3d4e5f607182921" },
  }, { parent: dashboard });
}
`;

/**
 * Defines tests that interrupt a `pulumi up` in several ways, clean up as Pulumi's documentation says, and apply the program
 * again. Then every declared object must exist once, and `pipestack orphans` must find exactly the objects that no Pulumi state
 * contains.
 */
export function testInterruptions(host: Host, kinds: readonly Kind[]): void {
  if (process.platform !== "linux") {
    console.log(
      `Not tested here: ${kinds.join(", ")}. The processes are found below /proc, which only Linux has.`,
    );
    return;
  }
  describe(`Interrupted updates of ${resources} resources of the ${host} host`, () => {
    const fixture = useEmptyStack(host);
    for (const interruption of kinds.flatMap(interruptionsOf)) {
      const { kind, creation, stage } = interruption;
      it(`with ${kind} when creation number ${creation} was ${stage === "carriedOut" ? "carried out" : stage}, the next update creates all missing objects`, async () => {
        await interruptedUp(fixture, interruption);
        await applyAgain(fixture, kind);
        const orphans = await deleteOrphans(fixture);
        // The service carried out a create, but the killed process did not get the answer. So no Pulumi state contains the
        // created object.
        if (!isGraceful(kind) && stage === "carriedOut") expect(orphans).to.be.at.least(1);
      });
    }
  });
}

const isGraceful = (kind: Kind) => kind === "the CLI interrupted";

export function useEmptyStack(host: Host) {
  const fixture = useFixture({ host, judged: true });
  let emptyState: string;

  before(async () => {
    await fixture.write(program);
    emptyState = await fixture.stateFile();
  });
  beforeEach(async () => {
    await fixture.sandbox.reset();
    await writeFile(fixture.stateFilePath, emptyState);
    await rm(`${fixture.stateFilePath}.attrs`, { force: true });
    fixture.judged.begin();
  });
  afterEach(() => endLeftProcesses(fixture));
  return fixture;
}

/**
 * Returns the interruptions of a kind, the same in every run. Each kind strikes at the worst stage, when the create request is
 * carried out but not answered. With more seeds the tests also strike at the other stages.
 */
export function interruptionsOf(kind: Kind, index: number): Interruption[] {
  const others: Stage[] = ["received", "answered"];
  const stages: Stage[] = ["carriedOut", ...(index % 2 === 0 ? others : others.reverse())];
  return Array.from({ length: seedsOfEachKind }, (_, seed) => {
    const random = createHash("sha256").update(`${kind} ${seed}`).digest().readUInt32BE();
    return { kind, creation: 1 + (random % resources), stage: stages[seed % stages.length] as Stage };
  });
}

export async function interruptedUp(
  fixture: Fixture,
  { kind, creation, stage }: Interruption,
  environment: Record<string, string> = {},
): Promise<void> {
  let cli: ChildProcess | undefined;
  let counted = 0;
  let failure: unknown;
  const stop = fixture.sandbox.watch(async (moment) => {
    if (moment.stage !== stage || moment.method !== "POST") return;
    counted += 1;
    if (counted !== creation || !cli) return;
    // An exception in a function that watches requests would become an answer of the sandbox, so the test throws it after the
    // update.
    await strikes[kind](cli, fixture, moment).catch((error) => {
      failure = error;
    });
  });
  await fixture.up({
    expect: "any",
    isKilled: !isGraceful(kind),
    environment,
    started: (child) => {
      cli = child;
    },
  });
  stop();
  await endLeftProcesses(fixture);
  if (failure) throw failure;
  expect(counted, "creations before the up ended").to.be.at.least(creation);
}

/** The functions that interrupt a `pulumi up`. Each promise resolves once the interruption has taken effect. */
export const strikes: {
  readonly [kind in Kind]: (cli: ChildProcess, fixture: Fixture, moment: RequestMoment) => Promise<unknown>;
} = {
  "the host killed": (_cli, fixture, moment) => endHost(fixture, moment, "SIGKILL"),
  "the host interrupted": (_cli, fixture, moment) => endHost(fixture, moment, "SIGINT"),
  async "the CLI killed"(cli) {
    const ended = once(cli, "exit");
    cli.kill("SIGKILL");
    await ended;
  },
  "the CLI interrupted": (cli) => interrupt(cli, "cancelling"),
  async "the CLI interrupted twice"(cli) {
    await interrupt(cli, "cancelling");
    await interrupt(cli, "terminating");
  },
};

async function endHost(fixture: Fixture, { socket }: RequestMoment, signal: NodeJS.Signals): Promise<void> {
  // A closed connection and a reset one both mean that the provider's host process is gone.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  process.kill(hostProcess(fixture), signal);
  await closed;
}

/** Sends SIGINT to the CLI, and waits until it prints the expected answer. */
function interrupt(cli: ChildProcess, answer: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = "";
    cli.stdout?.on("data", (text: string) => {
      printed += text;
      if (printed.includes(`^C received; ${answer}`)) resolve();
    });
    cli.once("exit", () => reject(new Error(`the CLI ended without a word of ${answer}`)));
    cli.kill("SIGINT");
  });
}

/**
 * Applies the program again after an interruption, as
 * https://www.pulumi.com/docs/iac/operations/troubleshooting/interrupted-updates/ says for pipelines.
 */
async function applyAgain(fixture: Fixture, kind: Kind): Promise<void> {
  if (kind === "the CLI killed") await unlock(fixture);
  const { pending_operations: unfinished = [] } = (await fixture.exportState()).deployment;
  if (unfinished.length > 0) await fixture.refresh({ args: ["--clear-pending-creates"] });
  await fixture.up();
}

/**
 * Removes the lock of the stack that a killed CLI has left. A file backend writes attributes beside the state file, and not
 * atomically: if the CLI is killed meanwhile, it leaves an empty file, and every command fails with "failed to load checkpoint:
 * EOF".
 */
export async function unlock(fixture: Fixture): Promise<void> {
  const attributes = `${fixture.stateFilePath}.attrs`;
  if (existsSync(attributes) && (await readFile(attributes, "utf8")) === "") await rm(attributes);
  await fixture.run(["cancel", "--yes"]);
}

/** Lets `pipestack orphans` delete the objects that the Pulumi state lacks, except API keys, and returns their number. */
async function deleteOrphans(fixture: Fixture): Promise<number> {
  const { judged } = fixture;
  // A new sandbox contains objects of more types, which no Pulumi state has. The option `--only` of `pipestack orphans` leaves
  // those types out.
  const args = ["orphans", "--only", "ApiKey,Dashboard,Alert", "--delete", "--yes", "--json"];
  const { code, stdout, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
  const { orphans }: { orphans: { type: string; id: string }[] } = JSON.parse(stdout);
  // In the dialect `neutral` the sandbox has no list of services. So `pipestack orphans` cannot tell whether a query endpoint
  // uses an API key, and deletes no keys.
  expect(code, stderr).to.equal(orphans.some(({ type }) => type === "ApiKey") ? 7 : 0);
  await judged.lookForOrphans(orphans, [stderr]);
  expect(judged.broken()).to.deep.equal([]);
  judged.recorder.note({ actor: "orphans", step: -1 });
  expect(leftIn(fixture).filter((kind) => kind !== "keys")).to.deep.equal([]);
  return orphans.length;
}

export function leftIn({ judged }: Fixture): string[] {
  return unheld(judged.recorder.account()).map(({ kind }) => kind);
}
