import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The user's own Pulumi CLI: the program or folder that PIPESTACK_PULUMI names, or else the one on PATH. */
function pulumiProgram(): string {
  const named = process.env.PIPESTACK_PULUMI;
  if (!named) return "pulumi";
  return statSync(named, { throwIfNoEntry: false })?.isDirectory() ? join(named, "pulumi") : named;
}

/**
 * Variables that give the Pulumi CLI options as if they were typed, but those that say where it works and how many steps at once: by
 * `PULUMI_OPTION_TARGET` it would look at a part of the stack, and by `PULUMI_OPTION_SHOW_SECRETS` print secrets.
 */
const optionVariable = /^PULUMI_OPTION_(?!(?:STACK|CWD|CONFIG_FILE|PARALLEL)$)/;

/**
 * Runs `pulumi` in a folder without prompts, with further environment variables. If it cannot start, the error says what to do.
 */
export function runPulumi(
  args: readonly string[],
  cwd: string,
  environment: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const program = pulumiProgram();
  const given = Object.entries(process.env).filter(([name]) => !optionVariable.test(name));
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...args, "--non-interactive", "--color", "never"], {
      cwd,
      env: { ...Object.fromEntries(given), PULUMI_SKIP_UPDATE_CHECK: "true", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const output = { stdout: "", stderr: "" };
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        output[stream] += text;
      });
    }
    child.on("error", (error: NodeJS.ErrnoException) => reject(cannotStart(program, cwd, error)));
    child.on("close", (code) => resolve({ code: code ?? 1, ...output }));
  });
}

function cannotStart(program: string, cwd: string, error: NodeJS.ErrnoException): Error {
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    return new Error(`there is no folder ${cwd}; check --cwd`);
  if (error.code !== "ENOENT") return new Error(`${program} cannot be started: ${error.message}`);
  return new Error(
    `${program} was not found; install the Pulumi CLI (https://www.pulumi.com/docs/install/) or set PIPESTACK_PULUMI to its path`,
  );
}
