import { printableMessage } from "../../api/printable";

/** The host prints `${error}: ${error.stack}`. Show the message once, without a stack. */
export async function plainly<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (process.env.PIPESTACK_DEBUG) throw error;
    throw plainError(error);
  }
}

/** What the user is shown of an error. */
export function plainError(error: unknown): Error {
  return new PlainError(printableMessage(error instanceof Error ? error.message : String(error)));
}

/** An error that shows as its message and nothing else. With PIPESTACK_DEBUG set, the original goes through. */
class PlainError extends Error {
  override readonly stack = this.message;

  override toString(): string {
    return "pipestack";
  }
}
