import { printableMessage } from "../../values/printable";
import { hiddenIn } from "../../values/redact";

/**
 * The host prints `${error}: ${error.stack}`. Show the message once, without a stack.
 *
 * @param hide takes secrets out of a message
 */
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

/** An error that shows as its message and nothing else. With PIPESTACK_DEBUG set, the original goes through. */
class PlainError extends Error {
  override readonly stack = this.message;

  override toString(): string {
    return "pipestack";
  }
}
