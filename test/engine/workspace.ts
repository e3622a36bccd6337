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

/** Looked for once, since that runs the CLI. */
function installedPulumi(): ReturnType<typeof findPulumi> {
  installed ??= findPulumi();
  return installed;
}

/** What {@link createWorkspace} is told. */
export interface WorkspaceOptions {
  /** Source of the program. Without it, `write` has to give one before anything is run. */
  program?: string;
  /** Text of Pulumi.yaml, for a program that lies elsewhere. Default: one for `program`. */
  projectFile?: string;
  /** Language of the program: CommonJS `javascript` (default), which starts faster, or type-checked `typescript`. */
  language?: "javascript" | "typescript";
  /** What runs the provider. Default: the dynamic host, unless told otherwise ({@link hostUnlessTold}). */
  host?: Host;
  /** Where the key of the stack's secrets comes from. Default: {@link keyServer}, which is faster. */
  secrets?: "keyServer" | "passphrase";
  /** Settings of the provider by their names, such as `baseUrl` or `keySecret`; given as `PIPESTACK_…` variables. */
  settings?: Record<string, string>;
}

/** How a command is to be judged, of a fixture that is judged. */
export interface Circumstances {
  /** Nothing goes wrong any more: the command puts everything right. */
  readonly settles?: boolean;
  /** It is ended in the midst of its work. */
  readonly isKilled?: boolean;
}

/** What every command is told. */
export interface RunOptions extends Circumstances {
  /** Further arguments of the command. */
  args?: string[];
  /** The exit code that is right (default 0), `failure` for any other than 0, or `any`. */
  expect?: number | "failure" | "any";
  /** Variables for this command alone; `undefined` takes one away. */
  environment?: Record<string, string | undefined>;
  /** Called when the CLI runs, with its process. */
  started?: (cli: ChildProcess) => void;
}

/** A command that goes through the engine, and what that told of it. */
export interface Update extends Result, Events {}

/** A preview; `json` is what `--json` printed. */
export interface Preview extends Update {
  json?: PreviewJson;
}

/** The parts of `pulumi preview --json` that tests look at. */
export interface PreviewJson {
  steps: { op: string; urn: string; oldState?: StateJson; newState?: StateJson; diffReasons?: string[] }[];
  changeSummary: Record<string, number>;
  diagnostics?: { message: string; severity: string }[];
}

/** A resource in the state. */
export interface StateJson {
  urn: string;
  type: string;
  id?: string;
  inputs?: Record<string, unknown>;
  outputs?: Record<string, unknown>;
  [member: string]: unknown;
}

/** The checkpoint of a stack, as `pulumi stack export` prints it. */
export interface ExportedState {
  version: number;
  deployment: { resources?: StateJson[]; pending_operations?: unknown[]; [member: string]: unknown };
}

/** A Pulumi project with one stack, a backend and a home of its own, below the system's folder for temporary files. */
export interface Workspace {
  /** The project's folder: Pulumi.yaml, the program, node_modules. */
  readonly folder: string;
  /** Variables for every command that follows; may be changed between them. */
  readonly environment: Record<string, string | undefined>;
  /** Lets time pass for all commands that follow, as the provider sees it; the services go on with the real time. */
  pass(milliseconds: number): void;
  /** Replaces the program. */
  write(source: string): Promise<void>;
  up(options?: RunOptions): Promise<Update>;
  preview(options?: RunOptions & { json?: boolean }): Promise<Preview>;
  refresh(options?: RunOptions): Promise<Update>;
  destroy(options?: RunOptions): Promise<Update>;
  /** Sets a value of the stack's configuration, encrypted when it is a secret. */
  config(key: string, value: string, secret?: boolean): Promise<void>;
  /** What an export prints. With `showSecrets`, secrets are the values that they stand for; only with the key server. */
  exportState(options?: { showSecrets?: boolean }): Promise<ExportedState>;
  /** Where the backend keeps the state of the stack. */
  readonly stateFilePath: string;
  /** The text of the state file, as it lies on disk. */
  stateFile(): Promise<string>;
  outputs(options?: { showSecrets?: boolean }): Promise<Record<string, unknown>>;
  /** Runs any other command of the CLI, such as `["stack", "ls"]`. */
  run(args: string[], options?: RunOptions): Promise<Result>;
  /** Removes everything. Objects that a program made elsewhere are left: `destroy` removes those. */
  close(): Promise<void>;
}

/**
 * Makes a workspace in which the real engine runs a program that finds `pipestack` and `@pulumi/pulumi` like any
 * installed package. Every command throws when its exit code is not the expected one, with all that it printed.
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
    // For our own commands, too: they run the CLI.
    ...{ PATH, PIPESTACK_PULUMI, ...faster },
    NODE_OPTIONS: [
      faster.NODE_OPTIONS ?? clean.NODE_OPTIONS,
      `--require ${JSON.stringify(join(__dirname, "laterClock.cjs"))}`,
    ].join(" "),
    ...own,
    ...(secrets === "keyServer" ? { VAULT_ADDR: await keyServer() } : {}),
    // The CLI offers --event-log only to those who debug it.
    PULUMI_DEBUG_COMMANDS: "true",
    // What language hosts make of the option in Pulumi.yaml, save old ones such as that built from Go modules.
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
  /** Checking the types of a program takes longer than all the rest of a command: each program is checked once. */
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
 * Variables with which commands start faster. Most of a command's CPU time goes into loading Pulumi's SDK, in the program and in
 * the host of the provider. From version 22.1 on, Node can keep compiled code, and `fasterSdk.cjs` puts off what is rarely used.
 * The CLI lives too shortly to profit from its garbage collector. None of this applies while coverage is measured, which would be
 * less precise.
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

/** Both packages are links into the checkout, so that the provider and the program share one copy of the SDK. */
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
