import { printableMessage } from "../../provider/values/printable";

export const exitCodes = {
  done: 0,
  failed: 1,
  /** The exit code of a command that found drift, orphans or mistakes, as of `pulumi preview --expect-no-changes`. */
  findings: 7,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Prints a message for the user on stderr, so that it is not part of the command's result on stdout. */
export function note(message: string): void {
  console.error(printableMessage(message));
}

export function warn(message: string): void {
  note(`warning: ${message}`);
}
