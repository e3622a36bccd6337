import { once } from "node:events";
import type { DialectName } from "../api/dialect";
import type { StackApi } from "../api/operations";
import { environmentVariable, type SettingName } from "../api/settings";

/** Options of `pipestack sandbox`. */
export interface SandboxCommandOptions {
  /** Port of the management API. Default: a free one. */
  readonly port?: number;
  /** Port of the observability API. Default: a free one. */
  readonly obsPort?: number;
  /** File that keeps the contents over restarts. Default: none. */
  readonly state?: string;
  /** Whose words it speaks. */
  readonly dialect: DialectName;
  /** Which APIs it serves. */
  readonly apis: StackApi;
}

/** What this command uses of the package `pipestack-sandbox`, which only those have who installed it. */
interface SandboxPackage {
  createSandbox(options: {
    port?: number;
    obsPort?: number;
    stateFile?: string;
    dialect: DialectName;
    apis: StackApi;
  }): Promise<{
    readonly baseUrl: string;
    readonly obsBaseUrl: string;
    readonly credentials: Readonly<
      Record<"organizationId" | "serviceId" | "keyId" | "keySecret" | "accessToken", string>
    >;
    close(): Promise<void>;
  }>;
}

/** Runs the sandbox until SIGINT or SIGTERM, and says how a program reaches it. */
export async function runSandbox(options: SandboxCommandOptions): Promise<void> {
  const { port, obsPort, state, dialect, apis } = options;
  const { createSandbox } = loadSandbox();
  const sandbox = await createSandbox({ port, obsPort, stateFile: state, dialect, apis });
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  const { baseUrl, obsBaseUrl, credentials } = sandbox;
  const { organizationId, serviceId, keyId, keySecret, accessToken } = credentials;
  const settings = {
    ...(dialect === "neutral" ? {} : { dialect }),
    ...(baseUrl ? { baseUrl } : {}),
    ...(obsBaseUrl ? { obsBaseUrl } : {}),
    ...(baseUrl ? { organizationId, serviceId, keyId, keySecret } : {}),
    ...(obsBaseUrl ? { accessToken } : {}),
  };
  console.log(`The sandbox is running.
  management API:    ${baseUrl || "not served"}
  observability API: ${obsBaseUrl || "not served"}

A program reaches it with these settings:
${settingLines(settings).join("\n")}

Ctrl+C stops it.`);
  await stopped;
  await sandbox.close();
  console.log("The sandbox has stopped.");
}

/** Lines for the user's shell that set what a program needs. */
export function settingLines(
  settings: { readonly [Name in SettingName]?: string },
  platform: string = process.platform,
): string[] {
  const entries = Object.entries(settings) as [SettingName, string][];
  const bash = entries.map(([name, value]) => `export ${environmentVariable(name)}='${value}'`);
  if (platform !== "win32") return bash;
  return [
    "PowerShell:",
    ...entries.map(([name, value]) => `$env:${environmentVariable(name)} = '${value}'`),
    "bash:",
    ...bash,
  ];
}

/**
 * @param folders from which the package is looked for: beside this one, or in the project in which a globally installed
 *   `pipestack` runs
 * @throws with the command that installs it
 */
export function loadSandbox(folders: readonly string[] = [__dirname, process.cwd()]): SandboxPackage {
  const name = "pipestack-sandbox";
  let path: string;
  try {
    path = require.resolve(name, { paths: [...folders] });
  } catch {
    throw new Error(`the sandbox is a package of its own; install it with: npm install --save-dev ${name}`);
  }
  return require(path) as SandboxPackage;
}
