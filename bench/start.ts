import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import type { Bench } from "./bench";
import { median, rounded } from "./figures";
import { operations } from "./lifecycle";
import { createProject, type Environment, type ProcessFigures } from "./project";

/** Where the seconds of an `up` of one resource go, for several ways to set up a project. Seconds. */
export interface StartResult {
  rounds: number;
  results: {
    title: string;
    /** After a change of the program. */
    preview?: number;
    previewCpu?: number;
    /** Right after the preview, with the same program. */
    up?: number;
    upCpu?: number;
    /** When the processes of the `up` ran, in seconds after the start of the CLI. */
    program?: { startedAt: number; endedAt: number };
    host?: { startedAt: number; endedAt: number };
  }[];
}

/** Set-ups of one project in TypeScript. What a Pulumi.yaml says under `options` is given as the variables that come of it. */
const setups: Record<string, Environment> = {
  "type-checked by Pulumi (its default)": { BENCH_TYPESCRIPT: "true" },
  "`tsconfig:` a file with `noCheck`": {
    BENCH_TYPESCRIPT: "true",
    PULUMI_NODEJS_TSCONFIG_PATH: "tsconfig.pulumi.json",
  },
  "`PULUMI_NODEJS_TRANSPILE_ONLY=true`": { BENCH_TYPESCRIPT: "true", PULUMI_NODEJS_TRANSPILE_ONLY: "true" },
  "`typescript: false`, `nodeargs: --require tsx/cjs`": {
    BENCH_TYPESCRIPT: "false",
    BENCH_NODE_ARGUMENTS: "--require tsx/cjs",
  },
  "`typescript: false`, compiled beforehand": { BENCH_TYPESCRIPT: "false", BENCH_MAIN: "compiled" },
};

export async function measureStart(bench: Bench): Promise<StartResult> {
  const rounds = bench.quick ? 1 : 5;
  const project = await createProject(bench.pulumi, join(__dirname, "typescript"));
  try {
    const facts = await bench.sandbox.start();
    const source = await readFile(join(project.folder, "index.ts"), "utf8");
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS };
    const { outputText } = ts.transpileModule(source, { compilerOptions });
    await writeFile(join(project.folder, "compiled.js"), outputText);
    const measured = new Map(Object.keys(setups).map((title) => [title, [] as Measured[]]));
    for (let round = 0; round < rounds; round++) {
      for (const [title, variables] of Object.entries(setups)) {
        bench.tell(`start, round ${round + 1}: ${title}`);
        const { BENCH_NODE_ARGUMENTS: nodeArguments, ...rest } = variables;
        const environment = { ...facts.environment, BENCH_WEBHOOK: facts.webhookId, ...rest };
        // Pulumi keeps what it has compiled until the text changes, as it does between two previews, or in CI.
        await writeFile(join(project.folder, "index.ts"), `${source}// ${round} ${title}\n`);
        measured.get(title)?.push(await measureOnce(environment, nodeArguments));
      }
    }
    return { rounds, results: [...measured].map(([title, all]) => summary(title, all)) };
  } finally {
    await project.close();
  }

  async function measureOnce(own: Environment, nodeArguments: string | undefined): Promise<Measured> {
    const environment = nodeArguments
      ? { ...own, NODE_OPTIONS: `${project.nodeOptions} ${nodeArguments}` }
      : own;
    await project.run("start", ["stack", "init"], environment);
    const preview = await project.run("start", [...operations.preview], environment);
    const up = await project.run("start", [...operations.up], environment);
    await project.run("start", [...operations.destroy], environment);
    await project.run("start", ["stack", "rm", "--yes"], environment);
    const of = (role: string) => up.processes.find((process) => process.role === role);
    return {
      preview: preview.seconds,
      previewCpu: preview.cpuSeconds,
      up: up.seconds,
      upCpu: up.cpuSeconds,
      program: of("program"),
      host: of("host"),
    };
  }
}

interface Measured {
  preview: number;
  previewCpu?: number;
  up: number;
  upCpu?: number;
  program?: ProcessFigures;
  host?: ProcessFigures;
}

function summary(title: string, all: Measured[]): StartResult["results"][number] {
  const mid = (figure: (one: Measured) => number | undefined) => rounded(median(all.map(figure)));
  const span = (role: "program" | "host") => ({
    startedAt: (mid((one) => one[role]?.startedAt) ?? Number.NaN) / 1000,
    endedAt: (mid((one) => one[role]?.endedAt) ?? Number.NaN) / 1000,
  });
  return {
    title,
    preview: mid((one) => one.preview),
    previewCpu: mid((one) => one.previewCpu),
    up: mid((one) => one.up),
    upCpu: mid((one) => one.upCpu),
    program: span("program"),
    host: span("host"),
  };
}
