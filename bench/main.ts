/**
 * Measures pipestack against what users would otherwise have: `npm run bench -- --help`.
 * Needs what toolchain/setup.mjs prepares.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, totalmem } from "node:os";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { findPulumi, type Pulumi } from "../toolchain/pulumi.mjs";
import { measureLifecycle } from "./lifecycle";
import { measureLoading } from "./loading";
import { createProject } from "./project";
import { type Results, tablesOf, writeDocument } from "./report";
import { forkSandbox } from "./sandbox";

const help = `npm run bench [-- options]

  --only <part>      measures only lifecycle or loading
  --sizes <list>     numbers of alerts in the stacks of alerts; 0 for no such stack. Default: 1,300,1000
  --mixed <list>     sizes of the stacks with resources of all types; 0 for no such stack. Default: 1000
  --rounds <n>       rounds of the lifecycle. Default: 2, but 1 from 1000 resources on
  --handwritten <n>  the size of the stack of alerts that the handwritten contender takes part with, in one round. Default: 300
  --results <file>   writes the figures there as JSON. Default: .build/bench/results.json
  --document         writes the tables of docs/performance.md as well`;

interface Options {
  readonly only?: string;
  readonly sizes: readonly number[];
  readonly mixed: readonly number[];
  readonly rounds?: number;
  readonly handwritten: number;
  readonly results: string;
  readonly document: boolean;
}

function optionsIn(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      sizes: { type: "string", default: "1,300,1000" },
      mixed: { type: "string", default: "1000" },
      rounds: { type: "string" },
      handwritten: { type: "string", default: "300" },
      results: { type: "string", default: join(__dirname, "..", ".build", "bench", "results.json") },
      document: { type: "boolean", default: false },
    },
  });
  const { only, rounds } = values;
  if (only !== undefined && only !== "lifecycle" && only !== "loading")
    throw new Error(`--only takes lifecycle or loading, not ${only}`);
  if (only !== undefined && values.document)
    throw new Error("--document writes all tables, so it takes no --only");
  return {
    ...values,
    sizes: countsIn(values.sizes),
    mixed: countsIn(values.mixed),
    rounds: rounds === undefined ? undefined : countIn(rounds),
    handwritten: countIn(values.handwritten),
  };
}

function countsIn(list: string): number[] {
  return list
    .split(",")
    .map(countIn)
    .filter((count) => count > 0);
}

function countIn(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0) throw new Error(`${text} is not a whole number`);
  return count;
}

async function main(args: string[]): Promise<void> {
  if (args.includes("--help")) {
    console.log(help);
    return;
  }
  const options = optionsIn(args);
  const pulumi = await findPulumi();
  const results = { machine: machineWith(pulumi), ...(await measure(pulumi, options)) };
  for (const table of Object.values(tablesOf(results))) console.log(`\n${table}`);
  await mkdir(dirname(options.results), { recursive: true });
  await writeFile(options.results, `${JSON.stringify(results, undefined, 2)}\n`);
  if (!options.document) return;
  const file = join(__dirname, "..", "docs", "performance.md");
  await writeFile(file, writeDocument(await readFile(file, "utf8"), results));
}

/** The conditions of the figures, in one line. */
function machineWith({ version }: Pulumi): string {
  return [
    `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}`,
    `${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    process.platform,
    `Node.js ${process.versions.node}`,
    `Pulumi ${version}`,
  ].join(", ");
}

async function measure(pulumi: Pulumi, options: Options): Promise<Results> {
  const sandbox = forkSandbox();
  const project = await createProject(pulumi);
  const stacks = [
    ...options.sizes.map((size) => ["alerts", size] as const),
    ...options.mixed.map((size) => ["mixed", size] as const),
  ];
  const bench = {
    project,
    sandbox,
    roundsFor: (size: number) => options.rounds ?? (size >= 1000 ? 1 : 2),
    handwritten: options.handwritten,
    tell: (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`),
  };
  try {
    const lifecycle = [];
    if (options.only !== "loading")
      for (const [work, size] of stacks) lifecycle.push(...(await measureLifecycle(bench, work, size)));
    return { lifecycle, loading: options.only === "lifecycle" ? undefined : await measureLoading(bench) };
  } finally {
    await sandbox.close();
    await project.close();
  }
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
