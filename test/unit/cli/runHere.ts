import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "chai";
import { run } from "../../../provider/cli/main";
import { type CommandResult, withoutSettings } from "../../pipestackCommand";

/** A command that runs in this process. */
export interface Running {
  /** What it has printed so far, by lines. */
  readonly lines: readonly string[];
  readonly ended: Promise<CommandResult>;
}

/**
 * Starts `pipestack` in this process, which takes a fraction of the time that a process of its own takes. It sees the
 * given folder and variables, and nothing of the settings that this process may have. Of several at a time, the last one
 * must end first.
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

/** Runs `pipestack` to its end, likewise. */
export function runHere(
  args: string[],
  folder: string,
  variables?: Record<string, string>,
): Promise<CommandResult> {
  return start(args, folder, variables).ended;
}

/**
 * Puts a CLI of Pulumi into a folder that answers each of its commands by a script of the shell; `*` stands for all others.
 * Returns the variable by which `pipestack` finds it.
 */
export async function pulumiThatAnswers(folder: string, answers: Record<string, string>) {
  const PIPESTACK_PULUMI = join(folder, "pulumi");
  const cases = Object.entries(answers).map(([command, script]) => `${command}) ${script} ;;`);
  const program = `#!/bin/sh\ncase "$1" in\n${cases.join("\n")}\nesac\n`;
  await writeFile(PIPESTACK_PULUMI, program, { mode: 0o755 });
  return { PIPESTACK_PULUMI };
}

/** The error of a command, which has to end with 1 and to print nothing else. */
export async function errorOf(ended: Promise<CommandResult>): Promise<string> {
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }, stderr).to.deep.equal({ code: 1, stdout: "" });
  return stderr;
}
