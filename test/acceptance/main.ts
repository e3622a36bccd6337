import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { Command } from "commander";
import { dialects } from "../../provider/api/dialect";
import { fromEnvironment, limitIn, missingSettings, resolveSettings } from "../../provider/api/settings";
import type { Api } from "../productJudge";
import { cleanUp } from "./cleanUp";
import { Client } from "./client";
import type { Totals } from "./gate";
import { register, startImage } from "./hyperdx";
import { Ledger } from "./ledger";
import { type Opened, ordered, realServer } from "./realServer";
import { type Occasion, recorded, reportOf } from "./report";
import { createSamples } from "./samples";
import { nameOf, type Target } from "./target";
import type { Result } from "./tests";

const root = join(__dirname, "..", "..");
const recordPath = join(root, "docs", "supported-versions.md");

interface Options {
  readonly on?: string;
  readonly onAgain?: string;
  readonly billed?: true;
  readonly yes?: true;
  readonly types?: string;
  readonly report?: string;
  readonly folder: string;
  readonly fresh?: string;
  readonly docker?: true;
  readonly clean?: true;
  readonly record?: true;
}

/** An input with which no run can begin. */
class Refusal extends Error {}

async function main(options: Options): Promise<number> {
  if (!options.docker) return tryTypes(await targetOf(options), options);
  const { address, stop } = await startImage();
  try {
    return await tryTypes(await targetOf({ ...options, fresh: address }), options);
  } finally {
    await stop();
  }
}

async function tryTypes(target: Target, options: Options): Promise<number> {
  await cleanUpEarlierRuns(target);
  if (options.clean) return 0;
  if (target.isBilled) await confirm(options);

  const started = Date.now();
  const { gate, addresses } = await openGate(target);
  const address = `${addresses.management ?? addresses.observability}`;
  const results: Result[] = [];
  let totals: Totals | undefined;
  try {
    await createSamples(target, address, (order) => ordered(address, order));
    await ordered(address, { kind: "keep" });
    await runTests({ gate: addresses, target }, options, results);
  } finally {
    totals = await ordered<Totals>(address, { kind: "end" }).catch((error: Error) => {
      console.error(`Not all is deleted, the next run does the rest: ${error.message}`);
      return undefined;
    });
    gate.kill("SIGKILL");
  }
  if (!totals) return 1;
  const occasion: Occasion = {
    server: target.version ? `HyperDX ${target.version}` : "ClickHouse Cloud",
    day: new Date().toISOString().slice(0, 10),
    minutes: (Date.now() - started) / 60_000,
  };
  const { leftOut = {} } = realServer({ gate: addresses, target });
  const report = reportOf(results, totals, leftOut, occasion);
  console.log(`\n${report}`);
  if (options.report) writeFileSync(options.report, `${report}\n`);
  if (options.record)
    writeFileSync(recordPath, recorded(readFileSync(recordPath, "utf8"), results, totals, occasion));
  const failed = results.filter(({ failure }) => failure).length;
  console.log(`\n${results.length - failed} passed, ${failed} failed`);
  return results.length > 0 && failed === 0 && totals.left.length === 0 && !isInterrupted ? 0 : 1;
}

/** Whether somebody has ended the run, by Ctrl-C or a signal. */
let isInterrupted = false;

/** Runs the tests in a process of their own, until they end or somebody ends them. */
async function runTests(opened: Opened, { types }: Options, results: Result[]): Promise<void> {
  const tests = fork(join(__dirname, "tests.ts"), {
    execArgv: ["--require", "tsx/cjs", "--require", join(root, "test", "seed.ts")],
    env: {
      ...process.env,
      PIPESTACK_ACCEPTANCE: JSON.stringify(opened),
      PIPESTACK_ACCEPTANCE_TYPES: types ?? "",
    },
  });
  const interrupt = () => {
    if (!isInterrupted) console.log("\nEnding: what the run has created is deleted first.");
    isInterrupted = true;
    tests.kill("SIGKILL");
  };
  process.on("SIGINT", interrupt).on("SIGTERM", interrupt);
  tests.on("message", (result: Result) => {
    results.push(result);
    const { title, seconds, failure } = result;
    console.log(`${failure ? "✘" : "✔"} ${title} (${seconds.toFixed(1)} s)${failure ? `\n${failure}` : ""}`);
  });
  await once(tests, "exit");
}

/** Makes the target of a run from the usual settings, or refuses to begin. */
async function targetOf({ on, onAgain, billed, folder, fresh }: Options): Promise<Target> {
  const prefix = `pipestack-${Math.random().toString(36).slice(2, 8)} `;
  if (fresh) {
    const observability = trimmed(fresh);
    return {
      addresses: { observability },
      accessTokens: await register(observability).catch(({ message }) =>
        Promise.reject(new Refusal(message)),
      ),
      rates: dialects.clickhouse.limits,
      version: await versionOf(observability),
      ...{ isBilled: false, folder, prefix },
    };
  }
  const settings = resolveSettings([fromEnvironment]);
  const { keyId, keySecret, accessToken, organizationId, serviceId, baseUrl, obsBaseUrl } = settings;
  const hasKey = keyId !== undefined && keySecret !== undefined;
  if (!hasKey && accessToken === undefined)
    throw new Refusal(
      `An acceptance run needs a server with credentials: of ClickHouse Cloud the ${missingSettings(["keyId", "keySecret"])}; of a HyperDX server the ${missingSettings(["accessToken"])}.`,
    );
  if (settings.dialect !== "clickhouse")
    throw new Refusal("An acceptance run is for servers of the product: set PIPESTACK_DIALECT=clickhouse.");
  if (hasKey && organizationId === undefined) throw new Refusal(missingSettings(["organizationId"]));
  if (hasKey && serviceId === undefined) throw new Refusal(missingSettings(["serviceId"]));
  const addresses = hasKey ? { management: trimmed(baseUrl) } : { observability: trimmed(obsBaseUrl) };
  const target: Target = {
    addresses,
    ...(hasKey && { organizationId, serviceId, key: `${keyId}:${keySecret}` }),
    accessTokens: hasKey ? [] : [`${accessToken}`],
    rates: { management: limitIn(settings, "management"), observability: limitIn(settings, "observability") },
    ...(!hasKey && { version: await versionOf(`${addresses.observability}`) }),
    ...{ isBilled: billed ?? false, folder, prefix },
  };
  const name = nameOf(target);
  if (on !== name || onAgain !== name)
    throw new Refusal(
      `The settings name ${name}. To create and delete objects there, name it twice: --on ${name} --on-again ${name}`,
    );
  return target;
}

const trimmed = (address = "") => address.replace(/\/+$/, "");

/** Asks a HyperDX server for its version, such as 2.36. */
async function versionOf(address: string): Promise<string | undefined> {
  const response = await fetch(`${address}/health`).catch(() => undefined);
  const { version } = Object(await response?.json().catch(() => undefined));
  return typeof version === "string" ? version.replace(/^(\d+\.\d+).*/, "$1") : undefined;
}

async function cleanUpEarlierRuns(target: Target): Promise<void> {
  for (const ledger of Ledger.leftIn(target.folder, nameOf(target))) {
    const count = ledger.made.length;
    const left = await cleanUp(ledger, new Client(target));
    console.log(
      `An earlier run left ${count} objects (${ledger.prefix.trim()}): ${left.length === 0 ? "deleted" : `still there: ${left.join(", ")}`}.`,
    );
  }
}

async function confirm({ yes }: Options): Promise<void> {
  const cost =
    "This run creates about 55 services, up to three at a time and each for a few minutes; all are billed.";
  console.log(cost);
  if (yes) return;
  if (!process.stdin.isTTY) throw new Refusal("Nobody can be asked here: --yes agrees to that.");
  const prompt = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await prompt.question("Go on? (yes/no) ");
  prompt.close();
  if (answer.trim() !== "yes") throw new Refusal("Nothing was created.");
}

async function openGate(
  target: Target,
): Promise<{ gate: ChildProcess; addresses: { readonly [api in Api]?: string } }> {
  const gate = fork(join(__dirname, "gate.ts"), {
    execArgv: ["--require", "tsx/cjs"],
    env: { ...process.env, PIPESTACK_ACCEPTANCE_TARGET: JSON.stringify(target) },
  });
  const [addresses] = await once(gate, "message");
  return { gate, addresses };
}

const program = new Command("npm run acceptance --")
  .description(
    "Tries the life of each resource type on the server that the usual settings (PIPESTACK_…) name.",
  )
  .option("--on <name>", "the id of the organization, or the address of a HyperDX server")
  .option("--on-again <name>", "the same once more, so that nobody tries a wrong account by a wrong setting")
  .option("--billed", "create also what is billed: services, each for a few minutes; asks first")
  .option("--yes", "do not ask before that")
  .option("--types <nouns>", "a pattern of the titles of the tests, such as 'a dashboard|an alert'")
  .option("--report <file>", "write the report to a file, too")
  .option(
    "--fresh <address>",
    "a new HyperDX server without users, in place of the settings: the run registers some",
  )
  .option("--docker", "start such a server from the product's image, and stop it at the end")
  .option("--record", "write the result into docs/supported-versions.md, for a pull request")
  .option("--clean", "only delete what earlier runs have left")
  .option(
    "--folder <path>",
    "the folder that remembers what a run has created",
    join(root, ".build", "acceptance"),
  )
  .action(async (options: Options) => {
    process.exitCode = await main(options).catch((error: Error) => {
      console.error(error.message);
      return error instanceof Refusal ? 2 : 1;
    });
  });

void program.parseAsync();
