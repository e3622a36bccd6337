import { format } from "node:util";
import Mocha from "mocha";
import { cpuSecondsOfChildren } from "./cpuTime.mjs";

/** @typedef {{ path: string, timeout: number, grep?: string }} Order what the parent process asks for */
/** @typedef {{ passed: number, failures: string[], output: string, seconds: number, cpuSeconds: number }} Result */

const { EVENT_TEST_FAIL, EVENT_TEST_PASS } = Mocha.Runner.constants;

/**
 * The worker process runs one test file after the other, each when the parent process names it, and answers with the result.
 */
process.on("message", async (/** @type {Order} */ order) => {
  process.send?.(await run(order));
});

/**
 * Runs one test file in this process.
 * @param {Order} order
 * @returns {Promise<Result>} a failed hook is a failure, and so is a file that cannot be loaded
 */
async function run({ path, timeout, grep }) {
  const [started, cpuBefore] = [Date.now(), cpuSeconds()];
  const result = { passed: 0, failures: /** @type {string[]} */ ([]) };
  const lines = /** @type {string[]} */ ([]);
  // Several workers run test files at once, so the output of each file is collected and shown together.
  Mocha.reporters.Base.consoleLog = (/** @type {unknown[]} */ ...values) => lines.push(format(...values));
  class Reporter extends Mocha.reporters.Spec {
    /**
     * Collects the results of a test file while mocha reports them.
     * @param {import("mocha").Runner} runner
     * @param {import("mocha").MochaOptions} options
     */
    constructor(runner, options) {
      super(runner, options);
      runner.on(EVENT_TEST_PASS, () => result.passed++);
      runner.on(EVENT_TEST_FAIL, (test, error) =>
        result.failures.push(`${test.fullTitle()}\n${textOf(error)}`),
      );
    }
  }
  try {
    const mocha = new Mocha({ timeout, reporter: Reporter, forbidOnly: true, forbidPending: true });
    if (grep !== undefined) mocha.grep(new RegExp(grep));
    mocha.addFile(path);
    await new Promise((resolve) => mocha.run(resolve));
    // If mocha's listeners for uncaught exceptions were not removed, they would remain for the next test file.
    mocha.dispose();
  } catch (error) {
    result.failures.push(`${path} cannot be loaded\n${textOf(/** @type {Error} */ (error))}`);
  }
  return {
    ...result,
    output: lines.join("\n"),
    seconds: (Date.now() - started) / 1000,
    cpuSeconds: cpuSeconds() - cpuBefore,
  };
}

/** Returns user and system time of the test worker and, on Linux, of its children that have ended. */
function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + (cpuSecondsOfChildren() ?? 0);
}

/**
 * The text of an error with its stack trace and its causes.
 * @param {Error} error
 * @returns {string}
 */
function textOf({ stack, message, cause }) {
  const text = stack ?? message;
  return cause instanceof Error ? `${text}\nCaused by: ${textOf(cause)}` : text;
}
