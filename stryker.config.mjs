/**
 * Mutation tests: `npm run mutation`, or one file with the tests that are about it, which takes minutes and not hours:
 * `MUTATION_TESTS=test/unit/api/rateLimiter.test.ts npx stryker run --mutate provider/api/rateLimiter.ts`.
 */
const quickTests = [
  "test/unit/values/*.test.ts",
  "test/unit/lifecycle/*.test.ts",
  "test/unit/api/*.test.ts",
  "test/unit/resources/*.test.ts",
  "test/unit/functions/*.test.ts",
  "test/life/*.test.ts",
];

/** The types, as the titles of `test/life` name them, whose tests of `test/life` run; all if unset. */
const nouns = process.env.MUTATION_NOUNS;

/** @type {import("@stryker-mutator/api/core").PartialStrykerOptions} */
export default {
  mutate: ["provider/values/*.ts", "provider/lifecycle/*.ts", "provider/api/*.ts"],
  testRunner: "mocha",
  mochaOptions: {
    config: ".mocharc.cjs",
    require: ["tsx/cjs", "./test/seed.ts"],
    spec: process.env.MUTATION_TESTS?.split(",") ?? quickTests,
    ...(nouns && { grep: `^(?!Every resource type,)|\\b(${nouns})\\b` }),
  },
  coverageAnalysis: "perTest",
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 10_000,
  timeoutFactor: 3,
  reporters: ["progress-append-only", "clear-text", "html", "json"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: ".build/mutation/report.html" },
  jsonReporter: { fileName: ".build/mutation/report.json" },
  tempDirName: ".build/stryker",
  ignorePatterns: ["docs/site", "docs/images", "test/engine", ".build", "sdk", "archives", "/release"],
  thresholds: { high: 90, low: 80, break: 80 },
};
