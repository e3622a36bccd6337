import path from "node:path";

/** The folder of this package's own modules, of which the build makes one that stands there itself. */
const ownFolder = __dirname.replace(/[\\/]hosts[\\/]dynamic$/, "") + path.sep;

/** Modules of node itself, which have no path, and those of the SDK. */
const foreign = /^node:|[\\/]@pulumi[\\/]pulumi[\\/]/;

/**
 * Runs a constructor of the SDK without most of the stack traces that it takes: four for each property, to be shown
 * if the program ends before the property has a value. Formatting them takes most of the time of a declaration.
 *
 * The one trace that the SDK asks for in full length says where the resource is declared, and goes into the state.
 * The SDK expects a single constructor between its own and the program, and would take one of this package for the
 * program; so only that one and the frames of the program are left.
 *
 * @returns a function that undoes it
 */
export function limitStackTraces(): () => void {
  const format = Error.prepareStackTrace;
  // Without source maps the engine of JavaScript formats traces by itself, which is cheap.
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
