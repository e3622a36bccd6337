import path from "node:path";

/**
 * The folder of this package's modules, whose frames are left out of stack traces. In the built package, this folder holds one
 * bundled module.
 */
const ownFolder = __dirname.replace(/[\\/]hosts[\\/]dynamic$/, "") + path.sep;

/** Matches the paths in stack frames of Node.js, which are no paths of files, and of Pulumi's SDK. */
const foreign = /^node:|[\\/]@pulumi[\\/]pulumi[\\/]/;

/**
 * Shortens the stack traces that Pulumi's SDK takes in a constructor: four for each property, to be shown if the program ends
 * before the property has a value. Formatting them would take most of the time of declaring a resource.
 *
 * The SDK takes one full trace to find where the resource is declared, which goes into the state. It expects exactly one
 * constructor between its own and the program. Since this package has several constructors, only the SDK's own frames, one
 * constructor and the frames of the program are left in the trace.
 *
 * @returns a function that restores normal stack traces
 */
export function limitStackTraces(): () => void {
  const format = Error.prepareStackTrace;
  // Without support for source maps V8 formats stack traces itself, which is cheap.
  if (!format) return () => {};
  Error.prepareStackTrace = (error, frames) =>
    Error.stackTraceLimit === Number.POSITIVE_INFINITY ? format(error, declarationIn(frames)) : String(error);
  return () => {
    Error.prepareStackTrace = format;
  };
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
