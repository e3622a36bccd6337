/** Whether this process runs a program of the engine, and nothing else. */
const runsProgram = /[\\/]cmd[\\/]run[\\/]index\.js$/.test(require.main?.filename ?? "");

/**
 * A value that a program cannot have, for an output. The program fails with the error, as after a rejection, and resources
 * that depend on the value are never declared.
 *
 * In a program of the engine the value never comes, and the error is thrown apart from it. There the SDK has V8 debug the
 * process, and for that V8 looks for a handler of each rejection along every path from the promise:
 * two sources that a dashboard and its alert use took it minutes and 20 GB of memory. In a process that does more than
 * run the program, as one with the Automation API, nothing is debugged, and the SDK would wait for the value forever.
 */
export function failedValue(error: Error): Promise<never> {
  if (!runsProgram) return Promise.reject(error);
  setImmediate(() => void Promise.reject(error));
  return new Promise(() => {});
}
