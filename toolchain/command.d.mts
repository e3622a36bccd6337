import type { ChildProcess } from "node:child_process";

/** What a program ended with. */
export interface CommandResult {
  /** Null where a signal ended it. */
  code: number | null;
  stdout: string;
  stderr: string;
  /** Both streams, in the order in which they came, and the signal that ended the program, if any. */
  output: string;
}

/** What a program is run with. */
export interface CommandOptions {
  cwd?: string;
  /** Default: the environment of this process. */
  environment?: Record<string, string | undefined>;
  /** How long it may take. Default: as long as it does. */
  timeoutSeconds?: number;
  /** Called with each line that it prints. */
  onLine?: (line: string) => void;
  /** Called once it runs. */
  started?: (child: ChildProcess) => void;
}

/**
 * Runs a program to its end, without stdin, and gathers what it prints. Rejects when it cannot be started, or takes
 * longer than it may.
 */
export function command(
  program: string,
  args: readonly string[],
  options?: CommandOptions,
): Promise<CommandResult>;
