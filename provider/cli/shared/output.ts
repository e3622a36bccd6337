import { printableMessage } from "../../values/printable";

export const exitCodes = {
  done: 0,
  failed: 1,
  /** It found drift, orphans or mistakes. `pulumi preview --expect-no-changes` ends with the same code. */
  findings: 7,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Prints a message beside the result of a command, on stderr. */
export function note(message: string): void {
  console.error(printableMessage(message));
}

export function warn(message: string): void {
  note(`warning: ${message}`);
}
