import { join } from "node:path";
import { command } from "../toolchain/command.mjs";

const checkout = join(__dirname, "..");

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export const pipestackBin = ["--require", require.resolve("tsx/cjs"), join(checkout, "cli", "main.ts")];

export const builtBin = [join(checkout, "dist", "cli", "main.js")];

/** Runs `pipestack` in a folder, without the provider's settings in the environment of the test process. */
export function pipestack(
  args: string[],
  cwd: string,
  environment: Record<string, string | undefined> = {},
): Promise<CommandResult> {
  return node([...pipestackBin, ...args], cwd, environment);
}

/** Runs the built `pipestack`, which starts much faster than the sources, for tests that need the build anyway. */
export function builtPipestack(
  args: string[],
  cwd: string,
  environment: Record<string, string | undefined> = {},
): Promise<CommandResult> {
  return node([...builtBin, ...args], cwd, environment);
}

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

/** Returns the environment of the test process without settings of the provider or of Pulumi. */
export function withoutSettings(): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(PULUMI|PIPESTACK)_/.test(name)),
  );
}

/** Returns the environment variable of a provider setting: `PIPESTACK_KEY_SECRET` for `keySecret`. */
export function settingVariable(name: string): string {
  return `PIPESTACK_${name.replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}

export function settingVariables(settings: { readonly [name: string]: string }): Record<string, string> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [settingVariable(name), value]));
}
