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

/** What happens to an `up`. */
export type Kind =
  | "the host killed"
  | "the host interrupted"
  | "the CLI killed"
  | "the CLI interrupted"
  | "the CLI interrupted twice";

type Stage = RequestMoment["stage"];

/** When it happens: as the request for a creation (counted from 1) has come to a stage. */
interface Interruption {
  readonly kind: Kind;
  readonly creation: number;
  readonly stage: Stage;
}

/** `KILL_SEEDS=15 KILL_DASHBOARDS=13` makes a longer run. */
const seedsOfEachKind = Number(process.env.KILL_SEEDS ?? 1);
const dashboards = Number(process.env.KILL_DASHBOARDS ?? 4);
export const resources = 1 + 3 * dashboards;

/** Dashboards in a component with an alert each, as many keys, and one key more. */
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
 * Interrupts an `up` in several ways, clears up as Pulumi's documentation says, and applies again. Every promise is kept:
 * everything declared is there once, and `pipestack orphans` finds exactly the rest.
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
      it(`completes an update with ${kind} when creation ${creation} is ${stage === "carriedOut" ? "carried out" : stage}`, async () => {
        await interruptedUp(fixture, interruption);
        await applyAgain(fixture, kind);
        const orphans = await deleteOrphans(fixture);
        // The service has made the object, and its answer reached nobody.
        if (!isGraceful(kind) && stage === "carriedOut") expect(orphans).to.be.at.least(1);
      });
    }
  });
}

/** Whether what is being created is waited for and recorded. */
const isGraceful = (kind: Kind) => kind === "the CLI interrupted";

/** A stack that each test finds empty, as it finds the sandbox. */
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

/** The same in every run. Each kind comes to the worst stage; the others take turns where there are few seeds. */
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
    // What is thrown here would become an answer of the sandbox.
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

/** Each ends when it has taken effect. */
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
  // The connection may also be reset, which is no failure here.
  const closed = new Promise((resolve) => socket.once("close", resolve));
  process.kill(hostProcess(fixture), signal);
  await closed;
}

/** Sends SIGINT, and waits until the CLI says what it makes of it. */
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

/** As https://www.pulumi.com/docs/iac/operations/troubleshooting/interrupted-updates/ has it for pipelines. */
async function applyAgain(fixture: Fixture, kind: Kind): Promise<void> {
  // The others leave no lock.
  if (kind === "the CLI killed") await unlock(fixture);
  const { pending_operations: unfinished = [] } = (await fixture.exportState()).deployment;
  if (unfinished.length > 0) await fixture.refresh({ args: ["--clear-pending-creates"] });
  await fixture.up();
}

/**
 * Takes away the lock of a killed CLI. On a file backend it writes attributes beside the state file, not in one go: killed in
 * the midst of it, it leaves an empty file, and every command ends with "failed to load checkpoint: EOF".
 */
export async function unlock(fixture: Fixture): Promise<void> {
  const attributes = `${fixture.stateFilePath}.attrs`;
  if (existsSync(attributes) && (await readFile(attributes, "utf8")) === "") await rm(attributes);
  await fixture.run(["cancel", "--yes"]);
}

/** Has the command delete what the state lacks, which spares keys, and returns how much it found. */
async function deleteOrphans(fixture: Fixture): Promise<number> {
  const { judged } = fixture;
  // A new sandbox has objects of other types.
  const args = ["orphans", "--only", "ApiKey,Dashboard,Alert", "--delete", "--yes", "--json"];
  const { code, stdout, stderr } = await builtPipestack(args, fixture.folder, fixture.environment);
  const { orphans }: { orphans: { type: string; id: string }[] } = JSON.parse(stdout);
  // This sandbox lists no services, so that nobody can tell whose query endpoint lets a key in.
  expect(code, stderr).to.equal(orphans.some(({ type }) => type === "ApiKey") ? 7 : 0);
  await judged.lookForOrphans(orphans, [stderr]);
  expect(judged.broken()).to.deep.equal([]);
  judged.recorder.note({ actor: "orphans", step: -1 });
  expect(leftIn(fixture).filter((kind) => kind !== "keys")).to.deep.equal([]);
  return orphans.length;
}

/** Kinds of the objects that the updates have created and the state lacks. */
export function leftIn({ judged }: Fixture): string[] {
  return unheld(judged.recorder.account()).map(({ kind }) => kind);
}
