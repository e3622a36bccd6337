/**
 * Measures pipestack against the alternatives that users have: `npm run bench -- --help`. It needs the installed packages and
 * builds that toolchain/setup.mjs prepares.
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
  --sizes <list>     numbers of alerts in the stacks. Default: 1,300
  --rounds <n>       rounds of the lifecycle. Default: 2, but 1 from 1000 alerts on
  --results <file>   writes the figures there as JSON. Default: .build/bench/results.json
  --document         writes the tables of docs/performance.md as well`;

interface Options {
  readonly only?: string;
  readonly sizes: readonly number[];
  readonly rounds?: number;
  readonly results: string;
  readonly document: boolean;
}

function optionsIn(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      sizes: { type: "string", default: "1,300" },
      rounds: { type: "string" },
      results: { type: "string", default: join(__dirname, "..", ".build", "bench", "results.json") },
      document: { type: "boolean", default: false },
    },
  });
  const { only, rounds } = values;
  if (only !== undefined && only !== "lifecycle" && only !== "loading")
    throw new Error(`--only takes lifecycle or loading, not ${only}`);
  if (only !== undefined && values.document)
    throw new Error("--document writes all tables, so it takes no --only");
  const sizes = values.sizes.split(",").map(countIn);
  return { ...values, sizes, rounds: rounds === undefined ? undefined : countIn(rounds) };
}

function countIn(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`${text} is not a whole number from 1`);
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

/** Describes in one line the machine and the versions on which the benchmark's figures depend. */
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
  const bench = {
    project,
    sandbox,
    roundsFor: (size: number) => options.rounds ?? (size >= 1000 ? 1 : 2),
    tell: (text: string) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`),
  };
  try {
    const lifecycle = [];
    if (options.only !== "loading")
      for (const size of options.sizes) lifecycle.push(...(await measureLifecycle(bench, size)));
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
