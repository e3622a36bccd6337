/**
 * Measures pipestack against what users would otherwise have: `npm run bench -- --help`.
 * Needs what toolchain/setup.mjs prepares.
 */
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findPulumi, type Pulumi } from "../toolchain/pulumi.mjs";
import type { Bench } from "./bench";
import { measureFloor } from "./floor";
import { goalsOf } from "./goals";
import { measureLifecycle } from "./lifecycle";
import { measureLoading } from "./loading";
import { measureLatency, measureLimit, measureMany } from "./network";
import { createProject } from "./project";
import { tablesOf } from "./report";
import type { Results } from "./results";
import { forkSandbox } from "./sandbox";
import { measureStart } from "./start";

/** What the figures were measured on. */
interface Machine {
  date: string;
  pulumi: string;
  node: string;
  system: string;
  processors: string;
  memoryGigabytes: number;
}

const help = `npm run bench [-- options]

  --only <parts>    of lifecycle, loading, latency, limit, many, start, floor, separated by commas.
                    Default: all but the last two, which look into the engine.
  --sizes <list>    numbers of alerts; 0 for no stack of alerts alone. Default: 1,100,300,1000
  --mixed <list>    sizes of stacks with resources of all kinds; 0 for none. Default: 100,1000
  --handwritten <n> largest stack of the handwritten contenders. Default: 300. Their state is eight times as large, and
                    the engine writes it at each step: with 1000 resources they take most of an hour
  --rounds <number> rounds of the lifecycle. Default: 3, from 300 on 2; handwritten contenders take part in the first
                    one only from 300 on
  --quick           small numbers and one round, in about two minutes; writes nothing
  --json <file>     writes the figures there instead of bench/results.json and docs/performance.md
  BENCH_PROFILES=<folder> leaves a CPU profile of each program and host there; figures are worth nothing then`;

const parts = ["lifecycle", "loading", "latency", "limit", "many", "start", "floor"] as const;
type Part = (typeof parts)[number];
const usualParts: readonly Part[] = parts.slice(0, 5);

const resultsFile = join(__dirname, "results.json");
const documentFile = join(__dirname, "..", "docs", "performance.md");

interface Options {
  parts: readonly Part[];
  sizes: number[];
  mixed: number[];
  handwrittenUpTo: number;
  rounds?: number;
  quick: boolean;
  json?: string;
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
      json: { type: "string" },
    },
  });
  const quick = values.quick;
  const sizes = values.sizes ?? (quick ? "1,20" : "1,100,300,1000");
  const mixed = values.mixed ?? (quick ? "20" : "100,1000");
  const only = values.only?.split(",") ?? usualParts;
  const unknown = only.filter((name) => !parts.some((part) => part === name));
  if (unknown.length > 0) throw new Error(`--only takes ${parts.join(", ")}, not ${unknown.join(", ")}`);
  return {
    parts: parts.filter((part) => only.includes(part)),
    sizes: counts(sizes),
    mixed: counts(mixed),
    handwrittenUpTo: count(values.handwritten),
    rounds: values.rounds === undefined ? undefined : count(values.rounds),
    quick,
    json: values.json,
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
  console.log(
    `\n${minutes.toFixed(1)} minutes; ${unmet === 0 ? "every goal is met" : `${unmet} goals are not met`}.`,
  );
  const machine = machineWith(pulumi);
  if (options.json) await writeJson(options.json, { machine, ...results });
  else if (!options.quick) await keep(results, machine);
}

async function measure(pulumi: Pulumi, options: Options): Promise<Results> {
  const sandbox = forkSandbox();
  const project = await createProject(pulumi);
  const bench: Bench = {
    pulumi,
    project,
    sandbox,
    quick: options.quick,
    roundsFor: (size) => options.rounds ?? (options.quick ? 1 : size < 300 ? 3 : 2),
    handwrittenUpTo: options.handwrittenUpTo,
    tell: (text) => console.error(`${new Date().toISOString().slice(11, 19)} ${text}`),
  };
  const measurements: { [Name in Part]: () => Promise<Results[Name]> } = {
    async lifecycle() {
      const results: NonNullable<Results["lifecycle"]> = [];
      for (const size of options.sizes) results.push(...(await measureLifecycle(bench, "alerts", size)));
      for (const size of options.mixed) results.push(...(await measureLifecycle(bench, "mixed", size)));
      return results;
    },
    loading: () => measureLoading(bench),
    latency: () => measureLatency(bench),
    limit: () => measureLimit(bench),
    many: () => measureMany(bench),
    start: () => measureStart(bench),
    floor: () => measureFloor(bench),
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

function machineWith(pulumi: Pulumi): Machine {
  return {
    date: new Date().toISOString().slice(0, 10),
    pulumi: pulumi.version,
    node: process.versions.node,
    system: `${process.platform} ${release()}`,
    processors: `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown"}`,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
  };
}

/** Puts the figures into the results that are kept, in place of older ones of the same parts, and into the document. */
async function keep(results: Results, machine: Machine): Promise<void> {
  const known = JSON.parse(await readFile(resultsFile, "utf8").catch(() => "{}"));
  const measured = Object.fromEntries(Object.keys(results).map((part) => [part, machine]));
  const all = { ...known, ...results, machines: { ...known.machines, ...measured } };
  await writeJson(resultsFile, all);
  let text = await readFile(documentFile, "utf8");
  for (const [name, table] of Object.entries(tablesOf(all))) {
    const [begin, end] = [`<!-- bench ${name} -->`, "<!-- end -->"];
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`docs/performance.md has no place for the table ${name}`);
    text = `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
  }
  await writeFile(documentFile, text);
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
