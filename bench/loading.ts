import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Bench } from "./lifecycle";
import { median } from "./median";
import { type PluginStart, timePluginStart } from "./pluginStart";

const rounds = 15;

/**
 * Milliseconds to load the package `pipestack`, in a program and in Pulumi's dynamic provider host, and milliseconds of the
 * host's first two calls.
 */
export interface LoadingResult {
  /** Milliseconds to load `pipestack` in a program that has already loaded `@pulumi/pulumi`. */
  readonly program: Loading;
  /** Milliseconds to load `pipestack/host` in Pulumi's dynamic provider host. */
  readonly host: Loading & { readonly firstCall?: number; readonly secondCall?: number };
  /** The start of the resource plugin: of the npm package with this Node, and of the archive. */
  readonly plugins: { readonly npm: Partial<PluginStart>; readonly archive: Partial<PluginStart> };
}

interface Loading {
  /** Milliseconds to load Pulumi's SDK before the measured package. */
  readonly sdk?: number;
  /** Milliseconds to load the package `pipestack` once Pulumi's SDK is loaded. */
  readonly pipestack?: number;
  readonly modules?: number;
}

/** The output of loadTime.cjs, which measures how long a package takes to load. */
type Output = Required<LoadingResult["host"]>;

export async function measureLoading({ tell, sandbox, project }: Bench): Promise<LoadingResult> {
  tell(`loading, ${rounds} rounds`);
  const environment = await sandbox.start();
  const measure = async (entry: "program" | "host"): Promise<Output> => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(__dirname, "loadTime.cjs"), entry], {
      cwd: project.folder,
      env: { ...process.env, ...environment },
    });
    return JSON.parse(stdout);
  };
  const programs = {
    npm: [process.execPath, join(__dirname, "..", "dist", "plugin.js")],
    archive: [join(project.folder, "plugin", "pulumi-resource-pipestack")],
  };
  const starts: Record<keyof typeof programs, PluginStart[]> = { npm: [], archive: [] };
  const outputs: Record<"program" | "host", Output[]> = { program: [], host: [] };
  // The first start of the plugin keeps the code that later starts run.
  await timePluginStart(programs.npm, environment);
  for (let round = 0; round < rounds; round++) {
    for (const entry of ["program", "host"] as const) outputs[entry].push(await measure(entry));
    for (const name of ["npm", "archive"] as const)
      starts[name].push(await timePluginStart(programs[name], environment));
  }
  const loading = (of: Output[]): LoadingResult["host"] => ({
    sdk: median(of.map(({ sdk }) => sdk)),
    pipestack: median(of.map(({ pipestack }) => pipestack)),
    modules: of[0]?.modules,
    firstCall: median(of.map(({ firstCall }) => firstCall)),
    secondCall: median(of.map(({ secondCall }) => secondCall)),
  });
  const start = (of: PluginStart[]): Partial<PluginStart> => ({
    port: median(of.map(({ port }) => port)),
    check: median(of.map(({ check }) => check)),
    read: median(of.map(({ read }) => read)),
  });
  const plugins = { npm: start(starts.npm), archive: start(starts.archive) };
  return { program: loading(outputs.program), host: loading(outputs.host), plugins };
}
