import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { run } from "../../../cli/main";
import { type CommandResult, withoutSettings } from "../../pipestackCommand";

export interface Running {
  readonly lines: readonly string[];
  readonly ended: Promise<CommandResult>;
}

/**
 * Starts `pipestack` in the test's process, which is much faster than a new process. The command sees the given folder and
 * environment variables, but none of the settings in the environment of the test's process. If several commands run at once,
 * the one that started last must end first.
 */
export function start(args: string[], folder: string, variables: Record<string, string> = {}): Running {
  const { log, error } = console;
  const { env } = process;
  const checkout = process.cwd();
  const printed = { stdout: "", stderr: "" };
  const lines: string[] = [];
  console.log = (text = "") => {
    printed.stdout += `${text}\n`;
    lines.push(...String(text).split("\n"));
  };
  console.error = (text = "") => {
    printed.stderr += `${text}\n`;
  };
  process.env = { ...withoutSettings(), ...variables };
  process.chdir(folder);
  const ended = run(args)
    .then((code) => ({ code, ...printed }))
    .finally(() => {
      Object.assign(console, { log, error });
      process.env = env;
      process.chdir(checkout);
    });
  return { lines, ended };
}

export function runHere(
  args: string[],
  folder: string,
  variables?: Record<string, string>,
): Promise<CommandResult> {
  return start(args, folder, variables).ended;
}

/**
 * Writes a script into the given folder that replaces the Pulumi CLI. It answers each command of the CLI by the shell script
 * under the command's name in `answers`, and all other commands by the one under `*`. Returns the environment variable by which
 * `pipestack` finds the script.
 */
export async function pulumiThatAnswers(folder: string, answers: Record<string, string>) {
  const PIPESTACK_PULUMI = join(folder, "pulumi");
  const cases = Object.entries(answers).map(([command, script]) => `${command}) ${script} ;;`);
  const program = `#!/bin/sh\ncase "$1" in\n${cases.join("\n")}\nesac\n`;
  await writeFile(PIPESTACK_PULUMI, program, { mode: 0o755 });
  return { PIPESTACK_PULUMI };
}

/** Returns the error message of a `pipestack` command, and expects exit code 1 and no other output. */
export async function errorOf(ended: Promise<CommandResult>): Promise<string> {
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }, stderr).to.deep.equal({ code: 1, stdout: "" });
  return stderr;
}
