import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { buildArchive } from "../../toolchain/archive.mjs";
import { type CommandResult, command, succeed } from "../../toolchain/command.mjs";
import { cleanEnvironment } from "../../toolchain/environment.mjs";
import { languageHost } from "../../toolchain/languages.mjs";
import type { Pulumi } from "../../toolchain/pulumi.mjs";
import { createTemporaryProject } from "../../toolchain/temporaryProject.mjs";
import { type Peaks, watchMemory } from "./processes";
import { bridgeProgram, type Objects, pipestackProgram, terraformProgram, type Used } from "./programs";

export type PeerName = "pipestack" | "bridge" | "terraform";

/**
 * The commands that the benchmark gives a peer (a provider that it compares). `check` looks for drift and changes nothing;
 * `refresh` writes the state anew.
 */
export type Step = "preview" | "up" | "check" | "refresh" | "destroy";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Run extends CommandResult {
  readonly seconds: number;
  readonly peaks: Peaks;
}

/** A peer in the benchmark: one of the compared providers, with its own project and state. */
export interface Peer {
  readonly name: PeerName;
  declare(objects: Objects, used: Used): Promise<void>;
  run(step: Step, environment: Environment, options?: RunOptions): Promise<Run>;
  unlock(): Promise<unknown>;
  /**
   * Takes the objects that a killed update has created into the state of the compared provider. Absent if the provider has no
   * command for this.
   */
  recover?(environment: Environment): Promise<unknown>;
  state(): Promise<string>;
  close(): Promise<void>;
}

export interface RunOptions {
  /** Called with the id of the peer's process once it runs, for scenarios that kill the process. */
  readonly started?: (pid: number) => void;
}

/** The paths of the compared providers' programs, which the benchmark cannot download: see bench/peers/README.md. */
export interface Binaries {
  readonly bridge?: string;
  readonly terraformProvider?: string;
}

const pulumiSteps: Record<Step, string[]> = {
  preview: ["preview"],
  up: ["up", "--yes", "--skip-preview"],
  check: ["preview", "--refresh", "--expect-no-changes"],
  refresh: ["refresh", "--yes", "--skip-preview"],
  destroy: ["destroy", "--yes", "--skip-preview"],
};

const terraformSteps: Record<Step, string[]> = {
  preview: ["plan"],
  up: ["apply", "-auto-approve"],
  check: ["plan", "-detailed-exitcode"],
  refresh: ["apply", "-refresh-only", "-auto-approve"],
  destroy: ["destroy", "-auto-approve"],
};

/** Makes a peer of the benchmark (a compared provider) with an empty state. Fails if its program is missing. */
export async function createPeer(name: PeerName, pulumi: Pulumi, binaries: Binaries): Promise<Peer> {
  if (name === "terraform") return terraform(needed(binaries.terraformProvider, "--terraform-provider"));
  return name === "pipestack" ? pipestack(pulumi) : bridge(pulumi, binaries);
}

async function pipestack(pulumi: Pulumi): Promise<Peer> {
  const plugins = { providers: [{ name: "pipestack", path: "plugin" }] };
  return pulumiPeer("pipestack", pulumi, async (folder) => {
    const { file } = await buildArchive();
    await mkdir(join(folder, "plugin"));
    await succeed("tar", ["-xzf", file, "-C", join(folder, "plugin")]);
    const recovery = [join(folder, "plugin", "pulumi-resource-pipestack"), "orphans", "--recover", "--yes"];
    return { project: { plugins }, program: pipestackProgram, recovery };
  });
}

async function bridge(pulumi: Pulumi, binaries: Binaries): Promise<Peer> {
  const plugin = needed(binaries.bridge, "--bridge");
  const provider = needed(binaries.terraformProvider, "--terraform-provider");
  return pulumiPeer("bridge", pulumi, async (folder, run) => {
    const version = "1.0.0";
    const installed = await run([
      "plugin",
      "install",
      "resource",
      "terraform-provider",
      version,
      "--file",
      dirname(plugin),
    ]);
    if (installed.code !== 0) throw new Error(`the bridge cannot be installed\n${installed.output}`);
    // Language hosts that are built from Go modules are too old to link the package of Pulumi's Terraform bridge. So `pulumi
    // package add` fails, but only after it has written the declaration of the bridge's types, which is all that programs in
    // YAML need. An unreleased bridge declares another version than the installed one, so this code corrects the version.
    const added = await run(["package", "add", `terraform-provider@${version}`, provider]);
    const [declaration] = await declarationsIn(join(folder, "sdks"));
    if (declaration === undefined) throw new Error(`the bridge declares no types\n${added.output}`);
    const text = await readFile(declaration, "utf8");
    await writeFile(declaration, text.replace(/^version: .*$/m, `version: ${version}`));
    return { project: {}, program: bridgeProgram };
  });
}

/** Reads the declarations of packages that `pulumi package add` has written for programs in YAML. */
async function declarationsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith(".yaml")).map((name) => join(folder, name));
}

type Prepare = (
  folder: string,
  run: (args: string[]) => Promise<CommandResult>,
) => Promise<{ project: object; program: (objects: Objects, used: Used) => object; recovery?: string[] }>;

async function pulumiPeer(name: PeerName, pulumi: Pulumi, prepare: Prepare): Promise<Peer> {
  const { folder, backend, environment, close } = await createTemporaryProject("peers");
  const yaml = await languageHost(pulumi, "yaml");
  const own = cleanEnvironment(pulumi);
  const variables = {
    ...own,
    ...environment,
    // Pulumi's file backend writes no metadata file for the benchmark's stack, since a killed CLI would leave the file half
    // written.
    PULUMI_BACKEND_URL: `${environment.PULUMI_BACKEND_URL}?metadata=skip`,
    PATH: [yaml, own.PATH].join(delimiter),
  };
  const file = join(folder, "Pulumi.yaml");
  const head = { name: "peers", runtime: "yaml" };
  await writeFile(file, JSON.stringify(head));
  const {
    project,
    program,
    recovery: [recovery, ...args] = [],
  } = await prepare(folder, (args) => command(pulumi.bin, args, { cwd: folder, environment: variables }));
  const options = { cwd: folder, environment: variables };
  const stateFile = join(backend, ".pulumi", "stacks", "peers", "peers.json");
  await succeed(pulumi.bin, ["stack", "init", "peers"], options);
  return {
    name,
    async declare(objects, used) {
      await writeFile(file, JSON.stringify({ ...head, ...project, ...program(objects, used) }));
    },
    run: (step, further, options) =>
      measured(pulumi.bin, [...pulumiSteps[step], "--stack", "peers", "--non-interactive"], {
        cwd: folder,
        environment: { ...variables, ...further },
        ...options,
      }),
    unlock: () => succeed(pulumi.bin, ["cancel", "--yes", "--stack", "peers"], options),
    ...(recovery === undefined
      ? {}
      : {
          async recover(further) {
            const ofServer = { ...options, environment: { ...variables, ...further } };
            const clearing = [
              "refresh",
              "--clear-pending-creates",
              "--yes",
              "--skip-preview",
              "--stack",
              "peers",
            ];
            await succeed(pulumi.bin, clearing, ofServer);
            // `pipestack orphans` exits with 7, since the server has sample data that is in no Pulumi state. The benchmark
            // ignores this exit code.
            await command(recovery, args, ofServer);
          },
        }),
    state: () => readFile(stateFile, "utf8"),
    close,
  };
}

async function terraform(provider: string): Promise<Peer> {
  const { folder, close } = await createTemporaryProject("peers");
  const overrides = JSON.stringify(dirname(provider));
  const config = join(folder, "terraform.rc");
  const installation = `provider_installation {\n  dev_overrides { "ClickHouse/clickhouse" = ${overrides} }\n  direct {}\n}\n`;
  await writeFile(config, installation);
  const variables = {
    ...process.env,
    TF_CLI_CONFIG_FILE: config,
    TF_IN_AUTOMATION: "1",
    CHECKPOINT_DISABLE: "1",
  };
  return {
    name: "terraform",
    declare: (objects, used) =>
      writeFile(join(folder, "main.tf.json"), JSON.stringify(terraformProgram(objects, used), undefined, 2)),
    run: (step, further, options) =>
      measured("terraform", [...terraformSteps[step], "-no-color", "-input=false"], {
        cwd: folder,
        environment: { ...variables, ...further },
        ...options,
      }),
    // The operating system releases Terraform's lock of the state file when the process ends, so this function has nothing to
    // unlock.
    unlock: async () => {},
    state: () => readFile(join(folder, "terraform.tfstate"), "utf8"),
    close,
  };
}

async function measured(
  program: string,
  args: string[],
  { started, ...options }: RunOptions & { cwd: string; environment: Environment },
): Promise<Run> {
  const begun = performance.now();
  let ended: () => Peaks = () => new Map();
  const result = await command(program, args, {
    ...options,
    timeoutSeconds: 1200,
    started: ({ pid = 0 }) => {
      ended = watchMemory(pid);
      started?.(pid);
    },
  });
  return { ...result, seconds: (performance.now() - begun) / 1000, peaks: ended() };
}

function needed(value: string | undefined, option: string): string {
  if (value === undefined) throw new Error(`${option} is needed for that: see bench/peers/README.md`);
  return value;
}
