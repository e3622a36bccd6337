import { once } from "node:events";
import { lstat, readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { DialectName } from "../../provider/api/dialect";
import type { ObservabilityVia } from "../../provider/api/operations";
import { environmentVariable, type SettingName } from "../../provider/api/settingsSchema";
import { type ExitCode, exitCodes } from "../shared/output";
import { textOfFile } from "../shared/textFile";

export interface SandboxCommandOptions {
  readonly port?: number;
  readonly obsPort?: number;
  readonly consolePort?: number;
  readonly state?: string;
  readonly faults?: string;
  readonly tls?: string;
  readonly dialect: DialectName;
  readonly serverVersion?: string;
  readonly apis: ObservabilityVia;
}

/**
 * The exports of the package `pipestack-sandbox` that the command `pipestack sandbox` uses. Users install the package
 * separately.
 */
interface SandboxPackage {
  createSandbox(options: {
    port?: number;
    obsPort?: number;
    consolePort: number;
    stateFile?: string;
    faults?: unknown;
    tls: boolean;
    dialect: DialectName;
    version?: string;
    apis: ObservabilityVia;
  }): Promise<{
    readonly baseUrl: string;
    readonly obsBaseUrl: string;
    readonly certificate?: string;
    readonly consoleUrl: string;
    readonly store: { readonly services: ReadonlyMap<string, { readonly name: string }> };
    readonly credentials: Readonly<
      Record<"organizationId" | "serviceId" | "keyId" | "keySecret" | "accessToken", string>
    >;
    close(): Promise<void>;
  }>;
}

/** Runs the sandbox until SIGINT or SIGTERM, and prints the settings that reach it. */
export async function runSandbox(options: SandboxCommandOptions): Promise<ExitCode> {
  const { port, obsPort, consolePort = 0, state, faults, tls, dialect, serverVersion, apis } = options;
  const { createSandbox } = loadSandbox();
  const sandbox = await createSandbox({
    port,
    obsPort,
    consolePort,
    stateFile: state,
    ...(faults === undefined ? {} : { faults: await readFaults(faults) }),
    tls: tls !== undefined,
    dialect,
    ...(serverVersion === undefined ? {} : { version: serverVersion }),
    apis,
  });
  try {
    if (tls !== undefined && sandbox.certificate) await writeCertificate(tls, sandbox.certificate);
    const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    const { baseUrl, obsBaseUrl, consoleUrl, credentials, store } = sandbox;
    const { organizationId, serviceId, keyId, keySecret, accessToken } = credentials;
    const settings = {
      ...(dialect === "neutral" ? {} : { dialect }),
      ...(baseUrl ? { baseUrl } : {}),
      ...(obsBaseUrl ? { obsBaseUrl } : {}),
      ...(baseUrl ? { organizationId, serviceId, keyId, keySecret } : {}),
      ...(obsBaseUrl ? { accessToken } : {}),
    };
    const lines = settingLines(settings, { ...(tls && { NODE_EXTRA_CA_CERTS: resolve(tls) }) });
    const services = baseUrl ? [...store.services].map(([id, { name }]) => `${id} (${name})`) : [];
    console.log(`The sandbox is running.
  management API:    ${baseUrl || "not served"}
  observability API: ${obsBaseUrl || "not served"}
  console:           ${consoleUrl}
  services:          ${services.join("\n                     ") || "not served"}

Settings for programs:
${lines.join("\n")}

Press Ctrl+C to stop.`);
    await stopped;
  } finally {
    await sandbox.close();
  }
  console.log("The sandbox has stopped.");
  return exitCodes.done;
}

/** Writes the sandbox's TLS certificate to a new file, or over the one of an earlier run. */
async function writeCertificate(file: string, certificate: string): Promise<void> {
  const present = await lstat(file).catch(() => undefined);
  const beginning = certificate.slice(0, certificate.indexOf("\n"));
  if (present && !(present.isFile() && (await readFile(file, "utf8")).startsWith(beginning)))
    throw new Error(`--tls ${file} is not a certificate; name another file`);
  await writeFile(file, certificate).catch(cannot("write", `--tls ${file}`));
}

async function readFaults(file: string): Promise<unknown> {
  const text = await textOfFile(file).catch(cannot("read", `--faults ${file}`));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`--faults ${file} is not JSON: ${(error as Error).message}`);
  }
}

/** Turns an error of the file system, such as "ENOENT: no such file or directory, open 'x'", into a readable message. */
function cannot(act: "read" | "write", name: string) {
  return ({ message }: Error): never => {
    throw new Error(`cannot ${act} ${name}: ${message.replace(/^[A-Z]+: |, \w+( '.*)?$/g, "")}`);
  };
}

/** Lines for the user's shell that set the provider's settings for a program, and further environment variables. */
export function settingLines(
  settings: { readonly [Name in SettingName]?: string },
  further: { readonly [variable: string]: string } = {},
  platform: string = process.platform,
): string[] {
  const entries = [
    ...Object.entries(settings).map(([name, value]) => [environmentVariable(name as SettingName), value]),
    ...Object.entries(further),
  ];
  const bash = entries.map(([name, value]) => `export ${name}='${value}'`);
  if (platform !== "win32") return bash;
  return ["PowerShell:", ...entries.map(([name, value]) => `$env:${name} = '${value}'`), "bash:", ...bash];
}

/** Loads the package `pipestack-sandbox`, beside this package or, if that is installed globally, from the user's project. */
export function loadSandbox(folders: readonly string[] = [__dirname, process.cwd()]): SandboxPackage {
  const name = "pipestack-sandbox";
  let path: string;
  try {
    path = require.resolve(name, { paths: [...folders] });
  } catch {
    throw new Error(`the sandbox is a separate package; install it with: npm install --save-dev ${name}`);
  }
  return require(path) as SandboxPackage;
}
