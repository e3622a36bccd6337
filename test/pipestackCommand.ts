import { join } from "node:path";
import { command } from "../toolchain/command.mjs";

const checkout = join(__dirname, "..");

/** The result of running the command `pipestack`. */
export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Arguments for Node that run the command `pipestack` from its sources. */
export const pipestackBin = [
  "--require",
  require.resolve("tsx/cjs"),
  join(checkout, "provider", "cli", "main.ts"),
];

export const builtBin = [join(checkout, "dist", "provider", "cli", "main.js")];

/** Runs `pipestack` in a folder, without the provider's settings in this process's environment. */
export function pipestack(
  args: string[],
  cwd: string,
  environment: Record<string, string | undefined> = {},
): Promise<CommandResult> {
  return node([...pipestackBin, ...args], cwd, environment);
}

/** Runs the built `pipestack`, which starts much faster than the sources. It is for tests that need the build anyway. */
export function builtPipestack(
  args: string[],
  cwd: string,
  environment: Record<string, string | undefined> = {},
): Promise<CommandResult> {
  return node([...builtBin, ...args], cwd, environment);
}

/** Runs a Node program until it ends. */
export function node(
  args: string[],
  cwd: string,
  environment: Record<string, string | undefined> = {},
): Promise<CommandResult> {
  return command(process.execPath, args, {
    cwd,
    environment: { ...withoutSettings(), ...environment },
    timeoutSeconds: 120,
  });
}

/** This process's environment without settings of the provider or of Pulumi. */
export function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PULUMI|PIPESTACK)_/.test(name)),
  );
}

/** The environment variable of a setting: `PIPESTACK_KEY_SECRET` for `keySecret`. */
export function settingVariable(name: string): string {
  return `PIPESTACK_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

/** Returns settings, given by name, as environment variables. */
export function settingVariables(settings: { readonly [name: string]: string }): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [settingVariable(name), value]));
}
