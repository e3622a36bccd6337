import path from "node:path";

/**
 * The folder of this package's modules, whose frames are left out of stack traces. In the built package, it holds one bundled
 * module.
 */
const ownFolder = __dirname.replace(/[\\/]hosts[\\/]dynamic$/, "") + path.sep;

/** Matches the file names in stack frames of Node.js, which begin with `node:`, and in those of Pulumi's SDK. */
const foreign = /^node:|[\\/]@pulumi[\\/]pulumi[\\/]/;

/**
 * Shortens the stack traces that Pulumi's SDK takes in a constructor: four for each property, whose formatting would take most
 * of the time of declaring a resource. The SDK takes one full trace to find the place of the declaration, which goes into the
 * state, and expects exactly one constructor between its own and the program. So only the SDK's frames, one constructor and the
 * program's frames are left in it. The returned function restores normal traces.
 */
export function limitStackTraces(): () => void {
  const format = Error.prepareStackTrace;
  // Only support for source maps sets `prepareStackTrace`. Without it V8 formats stack traces itself, so cheaply that they
  // need not be shortened.
  if (!format) return () => {};
  Error.prepareStackTrace = (error, frames) =>
    Error.stackTraceLimit === Number.POSITIVE_INFINITY ? format(error, declarationIn(frames)) : String(error);
  return () => {
    Error.prepareStackTrace = format;
  };
}

/** The text of a stack trace without the frames of this package. */
export function withoutOwnFrames(stack = ""): string {
  const isOwnFrame = (line: string) => /^\s+at /.test(line) && line.includes(ownFolder);
  return stack
    .split("\n")
    .filter((line) => !isOwnFrame(line))
    .join("\n");
}

function declarationIn(frames: NodeJS.CallSite[]): NodeJS.CallSite[] {
  const firstOwn = frames.findIndex(isOwn);
  return frames.filter((frame, index) => index <= firstOwn || isOfProgram(frame));
}

function isOwn(frame: NodeJS.CallSite): boolean {
  return frame.getFileName()?.startsWith(ownFolder) ?? false;
}

function isOfProgram(frame: NodeJS.CallSite): boolean {
  const file = frame.getFileName();
  return file !== null && file !== undefined && !foreign.test(file) && !isOwn(frame);
}
