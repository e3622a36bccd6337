const { availableParallelism, loadavg } = require("node:os");

// Where others work beside the tests, each takes as many times longer.
const share = Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

module.exports = {
  require: ["tsx/cjs", "./test/seed.ts"],
  extension: ["ts"],
  timeout: 20_000 * share,
};
