import { printableMessage } from "../../values/printable";
import { hiddenIn } from "../../values/redact";

/**
 * Runs a provider method whose errors show only as their message. Pulumi's dynamic provider prints `${error}: ${error.stack}`,
 * so without this the message would show twice, with a stack.
 *
 * @param hide removes secrets from a message
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

/**
 * Makes an error that prints as its message alone. If the environment variable PIPESTACK_DEBUG is set, the original error is
 * thrown instead.
 */
class PlainError extends Error {
  override readonly stack = this.message;

  override toString(): string {
    return "pipestack";
  }
}
