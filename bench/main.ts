/**
 * Measures pipestack against what users would otherwise have: `npm run bench -- --help`.
 * Needs what toolchain/setup.mjs prepares.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { findPulumi, type Pulumi } from "../toolchain/pulumi.mjs";
import type { Bench } from "./bench";
import { writeDocument } from "./document";
import { goalsOf } from "./goals";
import { measureLatency } from "./latency";
import { measureLifecycle } from "./lifecycle";
import { measureLoading } from "./loading";
import { machineWith } from "./machine";
import { createProject } from "./project";
import { tablesOf } from "./report";
import { type Part, parts, type Results } from "./results";
import { forkSandbox } from "./sandbox";

const help = `npm run bench [-- options]

  --only <parts>       measures only these parts, separated by commas: ${parts.join(", ")}
  --sizes <list>       numbers of alerts in the stacks of alerts; 0 for no such stack. Default: 1,100,300,1000,5000
  --mixed <list>       sizes of the stacks with resources of all types; 0 for no such stack. Default: 1000
  --handwritten <n>    the size of those stacks that the handwritten contenders take part with, in one round. Default: 300
  --rounds <n>         rounds of the lifecycle. Default: 2, but 1 of 100 alerts and from 1000 resources on
  --quick              small numbers and one round, in about two minutes; writes results only with --results
  --results <file>     writes the results there. Default: .build/bench/results.json. Parts that were not measured keep
                       their earlier results if those are from the same machine
  --document           writes the tables of docs/performance.md as well, for which all parts must have results`;

interface Options {
  parts: readonly Part[];
  sizes: number[];
  mixed: number[];
  handwrittenSize: number;
  rounds?: number;
  quick: boolean;
  /** Where the results are written, if at all. */
  results?: string;
  document: boolean;
}

function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      sizes: { type: "string" },
      mixed: { type: "string" },
      handwritten: { type: "string", default: "300" },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      results: { type: "string" },
      document: { type: "boolean", default: false },
    },
  });
  const { quick, document } = values;
  if (quick && document) throw new Error("--document needs the figures of a full run, without --quick");
  const sizes = values.sizes ?? (quick ? "1,20" : "1,100,300,1000,5000");
  const mixed = values.mixed ?? (quick ? "20" : "1000");
  const only = values.only?.split(",") ?? parts;
  const unknown = only.filter((name) => !parts.some((part) => part === name));
  if (unknown.length > 0) throw new Error(`--only takes ${parts.join(", ")}, not ${unknown.join(", ")}`);
  const defaultResults = quick ? undefined : join(__dirname, "..", ".build", "bench", "results.json");
  return {
    parts: parts.filter((part) => only.includes(part)),
    sizes: counts(sizes),
    mixed: counts(mixed),
    handwrittenSize: count(values.handwritten),
    rounds: values.rounds === undefined ? undefined : count(values.rounds),
    quick,
    results: values.results ?? defaultResults,
    document,
  };
}

function counts(list: string): number[] {
  return list
    .split(",")
    .map(count)
    .filter((number) => number > 0);
}

function count(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new Error(`${text} is not a whole number`);
  return value;
}

async function main(args: string[]): Promise<void> {
  if (args.includes("--help")) {
    console.log(help);
    return;
  }
  const options = readOptions(args);
  const startedAt = performance.now();
  const pulumi = await findPulumi();
  const results = await measure(pulumi, options);
  const minutes = (performance.now() - startedAt) / 60_000;
  for (const text of Object.values(tablesOf(results))) console.log(`\n${text}`);
  const unmet = goalsOf(results).filter(({ met }) => !met).length;
  const verdict = unmet === 0 ? "all goals met" : `${unmet} ${unmet === 1 ? "goal" : "goals"} not met`;
  console.log(`\nFinished in ${minutes.toFixed(1)} minutes: ${verdict}.`);
  if (options.results) {
    const all = await writeResults(options.results, { machine: machineWith(pulumi), ...results });
    if (options.document) await writeDocument(all);
  }
}

async function measure(pulumi: Pulumi, options: Options): Promise<Results> {
  const sandbox = forkSandbox();
  const project = await createProject(pulumi);
  const bench: Bench = {
    pulumi,
    project,
    sandbox,
    quick: options.quick,
    roundsFor: (size) => options.rounds ?? (options.quick || size === 100 || size >= 1000 ? 1 : 2),
    handwrittenSize: options.handwrittenSize,
    tell: (text) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`),
  };
  const measurements: { [Name in Part]: () => Promise<Results[Name]> } = {
    async lifecycle() {
      const results: Results["lifecycle"] = [];
      for (const size of options.sizes) results.push(...(await measureLifecycle(bench, "alerts", size)));
      for (const size of options.mixed) results.push(...(await measureLifecycle(bench, "mixed", size)));
      return results;
    },
    loading: () => measureLoading(bench),
    latency: () => measureLatency(bench),
  };
  const results: Record<string, unknown> = {};
  try {
    for (const part of options.parts) results[part] = await measurements[part]();
    return results as Results;
  } finally {
    await sandbox.close();
    await project.close();
  }
}

/** Writes new results over the earlier ones of the same parts. Results of another machine cannot be compared, and go. */
async function writeResults(path: string, results: Results): Promise<Results> {
  const known: Results = JSON.parse(await readFile(path, "utf8").catch(() => "{}"));
  const all = known.machine === results.machine ? { ...known, ...results } : results;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `${JSON.stringify(all, undefined, 2)}\n`);
  return all;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
