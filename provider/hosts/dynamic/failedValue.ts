/** Whether a language host of Pulumi started this process only to run a program, unlike a process with the Automation API. */
const runsProgram = /[\\/]cmd[\\/]run[\\/]index\.js$/.test(require.main?.filename ?? "");

/**
 * A promise for an output whose value cannot exist because of the given error, such as the id of a missing tile. In a program
 * that a language host started, the promise stays pending, and the error is thrown separately: there, Pulumi's SDK attaches a
 * debugger, and at each rejection V8 looks for a handler along every path from the promise, which took minutes and 20 GB of
 * memory. In other processes, such as the Automation API's, the promise is rejected: the SDK would wait for a pending one for
 * ever.
 */
export function failedValue(error: Error): Promise<never> {
  if (!runsProgram) return Promise.reject(error);
  setImmediate(() => void Promise.reject(error));
  return new Promise(() => {});
}
