import { printableMessage } from "../../values/printable";

/** Prints a message beside the result of a command. */
export function note(message: string): void {
  console.error(printableMessage(message));
}

/** Prints a warning, likewise. */
export function warn(message: string): void {
  note(`warning: ${message}`);
}
