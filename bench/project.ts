import { existsSync, readFileSync, realpathSync } from "node:fs";
import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildArchive } from "../toolchain/archive.mjs";
import { command, succeed } from "../toolchain/command.mjs";
import { cpuSecondsOfChildren } from "../toolchain/cpuTime.mjs";
import { cleanEnvironment } from "../toolchain/environment.mjs";
import type { Pulumi } from "../toolchain/pulumi.mjs";
import { createTemporaryProject, linkOwnPackage, linkPackages } from "../toolchain/temporaryProject.mjs";

const checkout = realpathSync(join(__dirname, ".."));
const secondsPerCommand = 1200;

export interface Cost {
  /** Wall time. */
  seconds: number;
  /** User and system time of the Pulumi CLI and all its child processes; it is known only on Linux. */
  cpuSeconds?: number;
  /** Peak memory of the process that hosts the provider; undefined if no host was started. */
  hostMegabytes?: number;
}

export type Project = Awaited<ReturnType<typeof createProject>>;

type Environment = Record<string, string | undefined>;

/** The packages that the benchmark installs in its project, as a user would. */
const installed = ["@pulumi/pulumi", "axios", "typescript", "tsx", "@types/node"];

/**
 * Makes a temporary Pulumi project with the programs of all contenders of the benchmark (ways to declare alerts), and with a
 * state and Pulumi home of its own.
 * @param pulumi the Pulumi CLI to measure with
 */
export async function createProject(pulumi: Pulumi) {
  const { base, folder, backend, environment, close } = await createTemporaryProject("bench");
  const records = join(base, "records");
  const stacks = join(backend, ".pulumi", "stacks", "bench");
  const hostVariables: Environment = {
    ...cleanEnvironment(pulumi),
    ...environment,
    NODE_OPTIONS: [
      process.env.NODE_OPTIONS ?? "",
      "--require",
      JSON.stringify(join(__dirname, "recorder.cjs")),
    ].join(" "),
    BENCH_RECORDS: records,
  };
  await mkdir(records);
  await cp(join(__dirname, "programs"), folder, { recursive: true });
  await installPackages(folder);
  await installPlugin(join(folder, "plugin"));
  let stackCount = 0;

  async function run(stack: string, args: string[], further: Environment = {}): Promise<Cost> {
    const cpuBefore = cpuSecondsOfChildren();
    const start = performance.now();
    const { code, output } = await command(
      pulumi.bin,
      [...args, "--stack", stack, "--non-interactive", "--color", "never"],
      { cwd: folder, environment: { ...hostVariables, ...further }, timeoutSeconds: secondsPerCommand },
    );
    const seconds = (performance.now() - start) / 1000;
    const cpuAfter = cpuSecondsOfChildren();
    if (code !== 0)
      throw new Error(`pulumi ${args.join(" ")} on ${stack}: exit code ${code}\n${output.slice(-3000)}`);
    return {
      seconds,
      cpuSeconds: cpuBefore === undefined || cpuAfter === undefined ? undefined : cpuAfter - cpuBefore,
      hostMegabytes: await takeRecord(records),
    };
  }

  return {
    folder,
    run,
    async newStack(environment: Environment): Promise<string> {
      const stack = `stack-${++stackCount}`;
      await run(stack, ["stack", "init"], environment);
      return stack;
    },
    /** Returns the resources in a stack's Pulumi state, without those that the engine itself adds. */
    async resources(stack: string): Promise<object[]> {
      const text = await readFile(join(stacks, `${stack}.json`), "utf8");
      const { resources = [] } = JSON.parse(text).checkpoint.latest as { resources?: { type: string }[] };
      return resources.filter(({ type }) => !type.startsWith("pulumi:"));
    },
    close,
  };
}

/** Links the packages that a user would have into node_modules: the usual packages with their dependencies, and pipestack. */
async function installPackages(folder: string): Promise<void> {
  await linkOwnPackage(folder);
  const manifest = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8"));
  const needed = closure([...installed, ...Object.keys(manifest.dependencies)]);
  const links = Array.from(needed, (name) => [name, join(checkout, "node_modules", name)]);
  await linkPackages(folder, Object.fromEntries(links));
}

/** Puts the resource plugin, in the form of a release, into the folder in which the project looks for it. */
async function installPlugin(folder: string): Promise<void> {
  const { file } = await buildArchive();
  await mkdir(folder);
  await succeed("tar", ["-xzf", file, "-C", folder]);
}

function closure(names: string[], packages = new Set<string>()): Set<string> {
  for (const name of names) {
    const manifest = join(checkout, "node_modules", name, "package.json");
    if (packages.has(name) || !existsSync(manifest)) continue;
    packages.add(name);
    closure(Object.keys(JSON.parse(readFileSync(manifest, "utf8")).dependencies ?? {}), packages);
  }
  return packages;
}

/**
 * Reads and removes the memory figures that recorder.cjs has written. If the command started several provider hosts, the
 * largest one counts.
 */
async function takeRecord(folder: string): Promise<number | undefined> {
  const peaks: number[] = [];
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".json")) continue;
    peaks.push(JSON.parse(await readFile(join(folder, name), "utf8")).peakMegabytes);
    await rm(join(folder, name));
  }
  return peaks.length === 0 ? undefined : Math.max(...peaks);
}
