import { existsSync, readFileSync, realpathSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { command } from "../toolchain/command.mjs";
import { cleanEnvironment } from "../toolchain/environment.mjs";
import type { Pulumi } from "../toolchain/pulumi.mjs";

const checkout = realpathSync(join(__dirname, ".."));
const secondsPerCommand = 1200;

/** What one command of the CLI took. */
export interface Cost {
  /** Wall time. */
  seconds: number;
  /** User and system time of the CLI and all its children; only Linux tells it. */
  cpuSeconds?: number;
  /** The processes of node that the CLI has started: the program, and the host of dynamic providers. */
  processes: ProcessFigures[];
}

/** What recorder.cjs leaves. */
export interface ProcessFigures {
  role: "program" | "host";
  /** In milliseconds after the start of the CLI. */
  startedAt: number;
  endedAt: number;
  cpuSeconds: number;
  /** Largest resident size. */
  peakMegabytes: number;
}

/** A resource in the state. */
export interface StateResource {
  type: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
}

/** A Pulumi project with all contenders, in a folder for temporary files, with state and home of its own. */
export interface Project {
  readonly folder: string;
  /** What node is told in each process, and has to be told still when NODE_OPTIONS is set for one command. */
  readonly nodeOptions: string;
  /** Runs the CLI on a stack. Throws with what it printed if it fails. */
  run(stack: string, args: string[], environment?: Environment): Promise<Cost>;
  /** The resources in the state that are not the engine's own. */
  resources(stack: string): Promise<StateResource[]>;
  /** Size of the state file in bytes, compressed or not. */
  stateBytes(stack: string): Promise<number>;
  close(): Promise<void>;
}

export type Environment = Record<string, string | undefined>;

/** What a program of a user has installed. */
const installed = ["@pulumi/pulumi", "axios", "typescript", "tsx", "@types/node"];

/**
 * @param pulumi the CLI that is measured
 * @param programs folder whose files become the project, which is named `bench`. Default: the contenders
 */
export async function createProject(
  pulumi: Pulumi,
  programs = join(__dirname, "programs"),
): Promise<Project> {
  const base = realpathSync(await mkdtemp(join(tmpdir(), "pipestack-bench-")));
  const [folder, backend, home, records] = ["project", "backend", "home", "records"].map((name) =>
    join(base, name),
  ) as [string, string, string, string];
  const stacks = join(backend, ".pulumi", "stacks", "bench");
  const nodeOptions = `--require ${JSON.stringify(join(__dirname, "recorder.cjs"))}`;
  const own: Environment = {
    ...cleanEnvironment(pulumi),
    PULUMI_BACKEND_URL: pathToFileURL(backend).href,
    PULUMI_HOME: home,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    NODE_OPTIONS: nodeOptions,
    BENCH_RECORDS: records,
    BENCH_PROFILES: process.env.BENCH_PROFILES,
    BENCH_TYPESCRIPT: "false",
  };
  await Promise.all([backend, home, records].map((path) => mkdir(path)));
  await cp(programs, folder, { recursive: true });
  await installPackages(join(folder, "node_modules"));

  return {
    folder,
    nodeOptions,
    async run(stack, args, environment = {}) {
      const startedAt = Date.now();
      const cpuBefore = cpuOfChildren();
      const start = performance.now();
      const { code, output } = await command(
        pulumi.bin,
        [...args, "--stack", stack, "--non-interactive", "--color", "never"],
        { cwd: folder, environment: { ...own, ...environment }, timeoutSeconds: secondsPerCommand },
      );
      const seconds = (performance.now() - start) / 1000;
      const cpuAfter = cpuOfChildren();
      if (code !== 0)
        throw new Error(`pulumi ${args.join(" ")} on ${stack}: exit code ${code}\n${output.slice(-3000)}`);
      return {
        seconds,
        cpuSeconds: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
        processes: await takeRecords(records, startedAt),
      };
    },
    async resources(stack) {
      const text = await readFile(join(stacks, `${stack}.json`), "utf8");
      const { resources = [] } = JSON.parse(text).checkpoint.latest as { resources?: StateResource[] };
      return resources.filter(({ type }) => !type.startsWith("pulumi:"));
    },
    async stateBytes(stack) {
      const names = ["", ".gz", ".zst"].map((compression) => `${stack}.json${compression}`);
      const file = (await readdir(stacks)).find((name) => names.includes(name));
      if (file === undefined) throw new Error(`there is no state of ${stack}`);
      return (await stat(join(stacks, file))).size;
    },
    close: () => rm(base, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * Links what a user would have in node_modules: those packages and all that they need, and this package as it is
 * published. The CLI looks through all of it before it runs a program.
 */
async function installPackages(modules: string): Promise<void> {
  const own = join(modules, "pipestack");
  await mkdir(own, { recursive: true });
  await cp(join(checkout, "package.json"), join(own, "package.json"));
  await symlink(join(checkout, "dist"), join(own, "dist"), "junction");
  const manifest = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  for (const name of closure([...installed, ...Object.keys(manifest.dependencies)])) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(checkout, "node_modules", name), join(modules, name), "junction");
  }
}

function closure(names: string[], found = new Set<string>()): Set<string> {
  for (const name of names) {
    const manifest = join(checkout, "node_modules", name, "package.json");
    if (found.has(name) || !existsSync(manifest)) continue;
    found.add(name);
    closure(Object.keys(JSON.parse(readFileSync(manifest, "utf8")).dependencies ?? {}), found);
  }
  return found;
}

/** User and system time of the children that have ended, and of theirs, in seconds. */
function cpuOfChildren(): number | undefined {
  if (process.platform !== "linux") return undefined;
  // The second field is the name in brackets; the kernel counts in hundredths of a second.
  const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

async function takeRecords(folder: string, startedAt: number): Promise<ProcessFigures[]> {
  const records: ProcessFigures[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".json")) continue;
    const record = JSON.parse(await readFile(join(folder, name), "utf8")) as ProcessFigures;
    await rm(join(folder, name));
    records.push({ ...record, startedAt: record.startedAt - startedAt, endedAt: record.endedAt - startedAt });
  }
  return records;
}
