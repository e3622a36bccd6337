import type { ChildProcess } from "node:child_process";
import { realpathSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { command, type CommandResult as Result } from "../../toolchain/command.mjs";
import { cleanEnvironment } from "../../toolchain/environment.mjs";
import { installNode } from "../../toolchain/nodeVersions.mjs";
import { findPulumi } from "../../toolchain/pulumi.mjs";
import { createTemporaryProject, linkOwnPackage, linkPackages } from "../../toolchain/temporaryProject.mjs";
import { settingVariables } from "../pipestackCommand";
import { type Events, readEvents } from "./events";
import { keyServer, parseDecrypted } from "./keyServer";
import {
  expectToldHost,
  type Host,
  hostUnlessTold,
  installPlugin,
  pluginProjectFile,
  replacePackage,
} from "./pluginHost";

export type { Result };

const checkout = realpathSync(join(__dirname, "..", ".."));
const stack = "dev";
const secondsPerCommand = 600;

let installed: ReturnType<typeof findPulumi> | undefined;

/** Finds the Pulumi CLI once for all workspaces, since finding it runs it. */
function installedPulumi(): ReturnType<typeof findPulumi> {
  installed ??= findPulumi();
  return installed;
}

export interface WorkspaceOptions {
  program?: string;
  /** The text of Pulumi.yaml, for a program in another folder. By default it is a project for `program`. */
  projectFile?: string;
  /** The language of the test's program: CommonJS `javascript` (default), which starts faster, or type-checked `typescript`. */
  language?: "javascript" | "typescript";
  /**
   * The host that runs the provider (dynamic or plugin). The default is the dynamic host, or the result of {@link
   * hostUnlessTold}.
   */
  host?: Host;
  /** The secrets provider of the test's stack. The default is {@link keyServer}, which is faster. */
  secrets?: "keyServer" | "passphrase";
  /** Settings of the provider by name, such as `baseUrl` or `keySecret`, which become `PIPESTACK_…` variables. */
  settings?: Record<string, string>;
}

/** Facts about a Pulumi command by which the promises of test/promises (rules that the provider must keep) judge it. */
export interface Circumstances {
  /**
   * True if no fault is injected into the requests of the Pulumi command. Then the promises expect that the service has
   * everything that the program declares.
   */
  readonly settles?: boolean;
  readonly isKilled?: boolean;
}

export interface RunOptions extends Circumstances {
  args?: string[];
  /** The expected exit code of the CLI (default 0), `failure` for any other code than 0, or `any`. */
  expect?: number | "failure" | "any";
  /** Environment variables for only this Pulumi command. The value `undefined` removes a variable. */
  environment?: Record<string, string | undefined>;
  started?: (cli: ChildProcess) => void;
}

export interface Update extends Result, Events {}

export interface Preview extends Update {
  json?: PreviewJson;
}

export interface PreviewJson {
  steps: { op: string; urn: string; oldState?: StateJson; newState?: StateJson; diffReasons?: string[] }[];
  changeSummary: Record<string, number>;
  diagnostics?: { message: string; severity: string }[];
}

export interface StateJson {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  [member: string]: unknown;
}

export interface ExportedState {
  version: number;
  deployment: { resources?: StateJson[]; pending_operations?: unknown[]; [member: string]: unknown };
}

/** A Pulumi project with one stack, a backend and a Pulumi home in a temporary folder. */
export interface Workspace {
  readonly folder: string;
  /** Environment variables for all later commands in the workspace; tests may change them. */
  readonly environment: Record<string, string | undefined>;
  /** Sets the provider's clock ahead in all later commands of the workspace. The sandbox keeps the real time. */
  pass(milliseconds: number): void;
  write(source: string): Promise<void>;
  up(options?: RunOptions): Promise<Update>;
  preview(options?: RunOptions & { json?: boolean }): Promise<Preview>;
  refresh(options?: RunOptions): Promise<Update>;
  destroy(options?: RunOptions): Promise<Update>;
  config(key: string, value: string, secret?: boolean): Promise<void>;
  /** Returns the exported Pulumi state. `showSecrets` decrypts its secrets, which works only with the key server. */
  exportState(options?: { showSecrets?: boolean }): Promise<ExportedState>;
  readonly stateFilePath: string;
  stateFile(): Promise<string>;
  outputs(options?: { showSecrets?: boolean }): Promise<Record<string, unknown>>;
  run(args: string[], options?: RunOptions): Promise<Result>;
  /** Removes the Pulumi project of the workspace. Objects of its programs stay in the service unless `destroy` was run. */
  close(): Promise<void>;
}

/**
 * Makes a workspace in which the real engine runs a program that uses `pipestack` and `@pulumi/pulumi` like installed packages.
 * A command fails with all its output unless the exit code is the expected one.
 */
export async function createWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const { language = "javascript", host = hostUnlessTold("dynamic"), secrets = "keyServer" } = options;
  const { projectFile = host === "plugin" ? pluginProjectFile : projectFileFor(language) } = options;
  const project = /^name: (\S+)$/m.exec(projectFile)?.[1] ?? "";
  const pulumi = await installedPulumi();
  const clean = cleanEnvironment(pulumi);
  const isJavaScript = language === "javascript" && options.projectFile === undefined;
  const faster = await fasterStarts(clean, isJavaScript ? "javascript" : "any");
  const { base, folder, backend, environment: own, close } = await createTemporaryProject("test");
  const eventLog = join(base, "events.json");
  const stateFilePath = join(backend, ".pulumi", "stacks", project, `${stack}.json`);
  const { PATH, PIPESTACK_PULUMI } = clean;
  const environment: Record<string, string | undefined> = {
    // The `pipestack` commands run the Pulumi CLI, so they need the variables by which a test finds and starts the CLI, too.
    ...{ PATH, PIPESTACK_PULUMI, ...faster },
    NODE_OPTIONS: [
      faster.NODE_OPTIONS ?? clean.NODE_OPTIONS,
      `--require ${JSON.stringify(join(__dirname, "laterClock.cjs"))}`,
    ].join(" "),
    ...own,
    ...(secrets === "keyServer" ? { VAULT_ADDR: await keyServer() } : {}),
    // The Pulumi CLI accepts --event-log only with this environment variable.
    PULUMI_DEBUG_COMMANDS: "true",
    // Old Node language hosts, such as one built from Go modules, ignore the option `tsconfig` in Pulumi.yaml. So the workspace
    // sets the environment variable that newer hosts set from the option.
    PULUMI_NODEJS_TSCONFIG_PATH: /^ +tsconfig: (\S+)$/m.exec(projectFile)?.[1],
    ...settingVariables(options.settings ?? {}),
  };

  const run: Workspace["run"] = async (
    args,
    { args: further = [], expect = 0, environment: own = {}, started } = {},
  ) => {
    const words = ["--non-interactive", "--color", "never", ...args, ...further];
    const result = await command(pulumi.bin, words, {
      cwd: folder,
      environment: { ...clean, ...environment, ...own },
      timeoutSeconds: secondsPerCommand,
      started,
    });
    const isRight = expect === "failure" ? result.code !== 0 : expect === "any" || result.code === expect;
    if (!isRight) {
      throw new Error(`pulumi ${words.join(" ")}: exit code ${result.code}, not ${expect}\n${result.output}`);
    }
    return result;
  };
  /**
   * True once the types of the workspace's program have been checked. Later commands skip the check, which takes longer than
   * the rest of a command.
   */
  let isTypeChecked = false;
  const update = async (args: string[], runOptions?: RunOptions): Promise<Update> => {
    await rm(eventLog, { force: true });
    const own = isTypeChecked ? { PULUMI_NODEJS_TRANSPILE_ONLY: "true" } : {};
    const result = await run([...args, "--event-log", eventLog], {
      ...runOptions,
      environment: { ...own, ...runOptions?.environment },
    });
    if (["up", "preview"].includes(args[0] ?? "") && result.code === 0) isTypeChecked = true;
    const events = await readEvents(eventLog);
    if (options.host === undefined) expectToldHost(events.steps);
    return { ...result, ...events };
  };
  const workspace: Workspace = {
    folder,
    environment,
    run,
    pass(milliseconds) {
      environment.LATER_CLOCK = String(Number(environment.LATER_CLOCK ?? 0) + milliseconds);
    },
    write(source) {
      isTypeChecked = false;
      return writeFile(join(folder, language === "typescript" ? "index.ts" : "index.js"), source);
    },
    up: (runOptions) => update(["up", "--yes", "--skip-preview"], runOptions),
    async preview({ json = false, ...runOptions } = {}) {
      const result = await update(json ? ["preview", "--json"] : ["preview"], runOptions);
      return json ? { ...result, json: JSON.parse(result.stdout) as PreviewJson } : result;
    },
    refresh: (runOptions) => update(["refresh", "--yes", "--skip-preview"], runOptions),
    destroy: (runOptions) => update(["destroy", "--yes", "--skip-preview"], runOptions),
    async config(key, value, secret = false) {
      await run(["config", "set", secret ? "--secret" : "--plaintext", "--", key, value]);
    },
    async exportState({ showSecrets } = {}) {
      const state = await readFile(stateFilePath, "utf8");
      const { version, checkpoint } = showSecrets ? parseDecrypted(state) : JSON.parse(state);
      return { version, deployment: checkpoint.latest ?? {} };
    },
    stateFilePath,
    stateFile: () => readFile(stateFilePath, "utf8"),
    async outputs({ showSecrets } = {}) {
      return JSON.parse(
        (await run(["stack", "output", "--json", ...(showSecrets ? ["--show-secrets"] : [])])).stdout,
      );
    },
    close,
  };

  try {
    await writeFile(join(folder, "Pulumi.yaml"), projectFile);
    await writeProgramFolder(folder, language);
    if (host === "plugin") await installPlugin(folder);
    if (host === "plugin" && options.host === undefined) await replacePackage(folder);
    if (options.program !== undefined) await workspace.write(options.program);
    const provider = secrets === "keyServer" ? "hashivault://test" : "passphrase";
    await run(["stack", "init", stack, "--secrets-provider", provider]);
  } catch (error) {
    await close();
    throw error;
  }
  return workspace;
}

/**
 * Returns environment variables with which commands start faster. Most CPU time of a command goes into loading
 * Pulumi's SDK, in the program and in the provider's host. Node keeps compiled code from version 22.1 on, and
 * `fasterSdk.cjs` loads rarely used modules only when needed. GOGC makes the CLI collect garbage less often, since it
 * ends soon anyway. The result is empty while coverage is measured, which would be less precise.
 */
export async function fasterStarts(
  { PATH = "" }: Record<string, string | undefined>,
  programLanguage: "javascript" | "any",
): Promise<Record<string, string>> {
  if (process.env.NODE_V8_COVERAGE) return {};
  return {
    PATH: [await installNode("22.12.0"), PATH].join(delimiter),
    NODE_COMPILE_CACHE: join(checkout, ".build", "compileCache"),
    NODE_OPTIONS: `--require ${JSON.stringify(join(__dirname, "fasterSdk.cjs"))}`,
    PROGRAM_LANGUAGE: programLanguage,
    GOGC: "400",
  };
}

function projectFileFor(language: "javascript" | "typescript"): string {
  const options = `typescript: ${language === "typescript"}`;
  return `name: test\nruntime:\n  name: nodejs\n  options:\n    ${options}\n`;
}

/**
 * Writes the files of a test's program. The packages `pipestack` and `@pulumi/pulumi` are links into the checkout, so that the
 * provider and the program share one copy of the SDK.
 */
async function writeProgramFolder(folder: string, language: "javascript" | "typescript"): Promise<void> {
  const typescript = language === "typescript";
  const main = typescript ? "index.ts" : "index.js";
  await writeFile(join(folder, "package.json"), JSON.stringify({ name: "test", private: true, main }));
  if (typescript) {
    const compilerOptions = {
      strict: true,
      target: "ES2022",
      module: "nodenext",
      types: ["node"],
      skipLibCheck: true,
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [main] }));
  }
  await linkOwnPackage(folder);
  await linkPackages(folder, {
    ...linksTo("@pulumi/pulumi"),
    ...(typescript ? linksTo("@types") : {}),
  });
}

function linksTo(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, join(checkout, "node_modules", name)]));
}
