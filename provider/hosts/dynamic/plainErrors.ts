import { printableMessage } from "../../values/printable";
import { hiddenIn } from "../../values/redact";

/** Runs a provider method so that errors show once: Pulumi's dynamic provider prints `${error}: ${error.stack}`. */
export async function plainly<Result>(
  run: () => Promise<Result>,
  hide: (message: string) => string,
): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (process.env.PIPESTACK_DEBUG) throw hiddenIn(error, hide);
    throw plainError(error, hide);
  }
}

export function plainError(error: unknown, hide: (message: string) => string): Error {
  return new PlainError(printableMessage(hide(error instanceof Error ? error.message : String(error))));
}

/** An error that prints as its message alone. With the environment variable PIPESTACK_DEBUG, the original is thrown. */
class PlainError extends Error {
  override readonly stack = this.message;

  override toString(): string {
    return "pipestack";
  }
}
