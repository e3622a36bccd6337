/** Whether a language host of Pulumi started this process only to run a program, unlike a process with the Automation API. */
const runsProgram = /[\\/]cmd[\\/]run[\\/]index\.js$/.test(require.main?.filename ?? "");

/**
 * A promise for an output whose value cannot exist because of this error, such as the id of a missing tile. The program fails
 * with the error, and resources that depend on the output are never declared.
 *
 * In a process that the engine started, the promise stays pending, and the error is thrown separately. In such a process,
 * Pulumi's SDK attaches a debugger, and on each rejection V8 then looks for a handler along every path from the promise: for
 * two sources used by a dashboard and its alert, this took minutes and 20 GB of memory. In other processes, such as those with
 * the Automation API, the promise is rejected: there is no debugger, and the SDK would wait for a pending promise for ever.
 */
export function failedValue(error: Error): Promise<never> {
  if (!runsProgram) return Promise.reject(error);
  setImmediate(() => void Promise.reject(error));
  return new Promise(() => {});
}
