import * as pulumi from "@pulumi/pulumi";
import { printableMessage } from "../../values/printable";
import { withoutOwnFrames } from "./stackTraces";

/**
 * An error about what a program declares or calls. Its stack trace has the frames of the program, and none of this package,
 * whose code is one minified line. With the environment variable PIPESTACK_DEBUG, it has the stack trace of the cause.
 */
export function programError(message: string, cause?: unknown): Error {
  const error = new pulumi.RunError(printableMessage(message));
  const isDebugged = process.env.PIPESTACK_DEBUG && cause instanceof Error;
  error.stack = isDebugged ? cause.stack : withoutOwnFrames(error.stack);
  return error;
}
