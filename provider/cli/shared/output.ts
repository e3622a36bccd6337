import { printableMessage } from "../../values/printable";

/** How a command ends. */
export const exitCodes = {
  /** It came to its end and found nothing to report. */
  done: 0,
  /** It did not come to its end, or a part of its work failed. */
  failed: 1,
  /** It found drift, orphans or misplaced tiles. `pulumi preview --expect-no-changes` ends with the same code. */
  found: 7,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Prints a message beside the result of a command. */
export function note(message: string): void {
  console.error(printableMessage(message));
}

/** Prints a warning, likewise. */
export function warn(message: string): void {
  note(`warning: ${message}`);
}
