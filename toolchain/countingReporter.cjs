const { writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");

const secondsToExit = 30;

/**
 * Mocha's `spec` reporter, which also writes `{ passed, failures }` to the file named by the reporter option `results`,
 * with a text for each failure. A failed hook is a failure, and so is a process that cannot exit because a test left
 * something open.
 */
module.exports = class CountingReporter extends reporters.Spec {
  /**
   * @param {import("mocha").Runner} runner
   * @param {import("mocha").MochaOptions} options
   */
  constructor(runner, options) {
    super(runner, options);
    /** @type {import("./test.mjs").Results} */
    const results = { passed: 0, failures: [] };
    const write = () => writeFileSync(options.reporterOptions.results, JSON.stringify(results));
    runner.on(Runner.constants.EVENT_TEST_PASS, () => results.passed++);
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      results.failures.push(`${test.fullTitle()}\n${textOf(error)}`),
    );
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      write();
      setTimeout(() => {
        results.failures.push(
          `Something that a test left open keeps the process alive: ended after ${secondsToExit} s.`,
        );
        write();
        process.exit();
      }, secondsToExit * 1000).unref();
    });
  }
};

/**
 * @param {Error} error
 * @returns {string}
 */
function textOf({ stack, message, cause }) {
  const text = stack ?? message;
  return cause instanceof Error ? `${text}\nCaused by: ${textOf(cause)}` : text;
}
