const { writeFileSync } = require("node:fs");
const { reporters, Runner } = require("mocha");

const secondsToExit = 30;

/**
 * Mocha's `spec` reporter, which also writes `{ passed, failed }` to the file named by the reporter option `counts`. A
 * failed hook counts as failed, and so does a process that cannot exit because a test left something open.
 */
module.exports = class CountingReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const counts = { passed: 0, failed: 0 };
    const write = () => writeFileSync(options.reporterOptions.counts, JSON.stringify(counts));
    runner.on(Runner.constants.EVENT_TEST_PASS, () => counts.passed++);
    runner.on(Runner.constants.EVENT_TEST_FAIL, () => counts.failed++);
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      write();
      setTimeout(() => {
        console.error(
          `Something that a test left open keeps the process alive: ended after ${secondsToExit} s.`,
        );
        counts.failed++;
        write();
        process.exit();
      }, secondsToExit * 1000).unref();
    });
  }
};
