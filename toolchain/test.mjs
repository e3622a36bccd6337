import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { withBrowserIfAny } from "./browserTests.mjs";
import { changedPaths, testsOf } from "./changedTests.mjs";
import { inCheckout, root } from "./checkout.mjs";
import { installedChromium } from "./chromium.mjs";
import { cleanEnvironment } from "./environment.mjs";
import { compileForGo, pythonEnvironment } from "./languages.mjs";
import { nodeOfTests } from "./nodeVersions.mjs";

/** @typedef {import("./testWorker.mjs").Result} Result */
/** @typedef {{ path: string, part: string, timeout: number }} TestFile */

/**
 * The parts of the tests, with the seconds that a test of each part may take. The files start in this order, within a part the
 * largest first, so that the many short ones keep all workers busy to the end.
 */
const parts = new Map([
  ["engine", 300],
  ["browser", 60],
  ["acceptance", 120],
  ["simulation", 300],
  ["life", 60],
  ["unit", 60],
  ["sandbox", 60],
]);

/** The test files that take longest, which the test run starts first. */
const longest = [
  "test/life/life.test.ts",
  "test/life/otherClients.test.ts",
  "test/life/failedUpdates.test.ts",
  "test/life/histories.test.ts",
  "test/engine/languages/plugin.test.ts",
  "test/browser/consoleAccessibility.test.ts",
  "test/unit/hostile/patterns.test.ts",
  "test/unit/faults/matrix.test.ts",
  "test/unit/resources/documents.test.ts",
];

/** Tests spend a part of their time waiting, so more test files run at once than there are cores. */
const usualJobs = Math.min(6, availableParallelism() + 2);

/**
 * The engine tests that `npm test` runs, of each kind some, since each command of the CLI in them takes about a second of CPU time.
 * The others run weekly, and before a release.
 */
const engineTests = new Set([
  "test/engine/alertsOfTiles.test.ts",
  "test/engine/bothHosts.test.ts",
  "test/engine/driftCommand.test.ts",
  "test/engine/engineFacts.test.ts",
  "test/engine/kill/interrupted.test.ts",
  "test/engine/kill/pipes.test.ts",
  "test/engine/kill/services.test.ts",
  "test/engine/languages/plugin.test.ts",
  "test/engine/oldState/oldState.test.ts",
  "test/engine/package.test.ts",
  "test/engine/quickstart.test.ts",
  "test/engine/secrets.test.ts",
]);

const secondsToExit = 30;

/**
 * The factor of the time limits of tests: with `ALL=1`, tests that otherwise try a part of their cases take many times as long.
 */
const patience = process.env.ALL ? 30 : 1;

/**
 * Runs the tests in a fixed number of processes, and ends by printing the failures and the line `N passed, N failed`.
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @param {string[]} args parts to run (`unit`, `life`, `sandbox`, `acceptance`, `browser`, `engine`, `simulation`; all of them when none is
 *   named; `changed` for the tests that a change concerns), test files to run instead of all files of their part, `--grep` with
 *   a pattern of titles, `--jobs` with a number of processes. Unless the part `engine` is named, the
 *   files in `engineTests` run. `ALL=1` runs all
 * @returns {Promise<boolean>} whether there were tests, and all passed
 */
export async function test(pulumi, args) {
  const { values, positionals } = parseArgs({
    args,
    options: { grep: { type: "string", short: "g" }, jobs: { type: "string" } },
    allowPositionals: true,
  });
  const isChanged = positionals.length === 1 && positionals[0] === "changed";
  const named = isChanged ? await testsOf(changedPaths()) : positionals;
  if (isChanged && named.length === 0) {
    console.log("No test imports or names what has changed.");
    return true;
  }
  // CI has to run them all, and who names tests wants them; otherwise a machine without a browser passes without its tests.
  const isInsisted = Boolean(process.env.CI) || positionals.some((name) => name.includes("browser"));
  const { files: queue, leftOut } = withBrowserIfAny(await testFiles(named), installedChromium(), isInsisted);
  await prepareLanguages(queue);
  const jobs = Math.min(queue.length, Number(values.jobs ?? usualJobs));
  const failures = /** @type {string[]} */ ([]);
  const spent = new Map([...parts.keys()].map((part) => [part, { seconds: 0, cpuSeconds: 0 }]));
  let passed = 0;

  /** Prints the result of a test file, and adds it to the sums. @param {TestFile} file @param {Result} result */
  const report = ({ path, part }, result) => {
    passed += result.passed;
    const sum = spent.get(part);
    if (sum) {
      sum.seconds += result.seconds;
      sum.cpuSeconds += result.cpuSeconds;
    }
    for (const failure of result.failures) failures.push(`Failed (${part}): ${failure}\n`);
    if (result.passed + result.failures.length > 0)
      console.log(
        `\n== ${path}: ${result.seconds.toFixed(1)} s, of CPU ${result.cpuSeconds.toFixed(1)} s\n${result.output}`,
      );
  };
  const node = await nodeOfTests();
  const work = async () => {
    const worker = new Worker(pulumi, node);
    for (let file = queue.shift(); file !== undefined; file = queue.shift())
      report(file, await worker.run(file, values.grep));
    failures.push(...(await worker.end()));
  };
  await Promise.all(Array.from({ length: jobs }, work));

  const shares = [...spent].filter(([, { seconds }]) => seconds > 0);
  const texts = shares.map(
    ([part, of]) => `${part} ${Math.round(of.seconds)} (${Math.round(of.cpuSeconds)})`,
  );
  console.log(`\nSeconds in ${jobs} processes, and of CPU: ${texts.join(", ")}.\n`);
  for (const failure of failures) console.log(failure);
  if (leftOut !== undefined) console.log(leftOut);
  console.log(`${passed} passed, ${failures.length} failed`);
  return passed > 0 && failures.length === 0;
}

/**
 * Installs the Python packages and compiles the Go modules that test files use before the first of them starts, since that
 * takes longer than a test may. Where there is no Python or Go, these tests say so.
 * @param {readonly TestFile[]} files
 */
async function prepareLanguages(files) {
  /** @type {[string, () => Promise<unknown>][]} */
  const preparations = [
    ["toolchain/languages.mjs", pythonEnvironment],
    ["test/engine/languages/languageHosts.ts", compileForGo],
  ];
  for (const [module, prepare] of preparations) {
    const users = await testsOf([module]);
    if (files.some(({ path }) => users.includes(path.replaceAll("\\", "/"))))
      await prepare().catch((error) => console.error(error.message));
  }
}

/**
 * Finds the test files to run.
 * @param {string[]} wanted names of parts, and paths of files
 * @returns {Promise<TestFile[]>} in the order in which they have to start
 */
async function testFiles(wanted) {
  const paths = wanted.filter((name) => !parts.has(name)).map((path) => relative(root, path));
  const testFilesOfParts = /** @type {TestFile[]} */ ([]);
  for (const [part, seconds] of parts) {
    const folder = inCheckout("test", part);
    const names = existsSync(folder) ? await readdir(folder, { recursive: true }) : [];
    const testPaths = names
      .filter((name) => name.endsWith(".test.ts"))
      .map((name) => join("test", part, name))
      .sort((a, b) => statSync(inCheckout(b)).size - statSync(inCheckout(a)).size);
    const named = testPaths.filter((path) => paths.includes(path));
    const isSelected = (/** @type {string} */ path) =>
      part !== "engine" || process.env.ALL || engineTests.has(path.replaceAll("\\", "/"));
    const unnamed = testPaths.filter(isSelected);
    const ofPart = wanted.includes(part) ? testPaths : wanted.length === 0 ? unnamed : [];
    const chosen = named.length > 0 ? named : ofPart;
    testFilesOfParts.push(...chosen.map((path) => ({ path, part, timeout: seconds * 1000 * patience })));
  }
  const missing = paths.find((path) => !testFilesOfParts.some((file) => file.path === path));
  if (missing !== undefined)
    throw new Error(`${missing} is no test file; parts are ${[...parts.keys()].join(", ")}`);
  return testFilesOfParts.sort((a, b) => rank(a) - rank(b));
}

/** Returns the place of a test file in the list of those that take longest. @param {TestFile} file */
function rank({ path }) {
  const place = longest.indexOf(path.replaceAll("\\", "/"));
  return place < 0 ? longest.length : place;
}

/** A process that runs test files, one at a time. If a test file ends the process, the next file gets a new one. */
class Worker {
  /** @type {import("node:child_process").ChildProcess | undefined} */
  #process;

  /**
   * Makes a worker whose process starts with its first test file.
   * @param {import("./pulumi.mjs").Pulumi} pulumi
   * @param {string} node
   */
  constructor(pulumi, node) {
    this.pulumi = pulumi;
    this.node = node;
  }

  #start() {
    return fork(inCheckout("toolchain", "testWorker.mjs"), {
      cwd: root,
      execPath: this.node,
      env: cleanEnvironment(this.pulumi),
      execArgv: ["--require", "tsx/cjs", "--require", inCheckout("test", "seed.ts")],
    });
  }

  /**
   * Runs one test file in the worker process.
   * @param {TestFile} file
   * @param {string | undefined} grep
   * @returns {Promise<Result>}
   */
  async run({ path, timeout }, grep) {
    this.#process ??= this.#start();
    const worker = this.#process;
    worker.send({ path: inCheckout(path), timeout, grep });
    const stop = new AbortController();
    const answer = await Promise.race([
      once(worker, "message", stop).then(([result]) => result),
      once(worker, "exit", stop).then(([code, signal]) => {
        this.#process = undefined;
        const failure = `${path} ended its process (${signal ?? `exit code ${code}`})`;
        return { passed: 0, failures: [failure], output: failure, seconds: 0, cpuSeconds: 0 };
      }),
    ]);
    stop.abort();
    return answer;
  }

  /**
   * Ends the worker process.
   * @returns {Promise<string[]>} a failure if the process cannot exit because a test left something open
   */
  async end() {
    const worker = this.#process;
    if (worker === undefined) return [];
    const exited = once(worker, "exit");
    worker.disconnect();
    const late = setTimeout(() => worker.kill("SIGKILL"), secondsToExit * 1000);
    const [code, signal] = await exited;
    clearTimeout(late);
    if (code === 0) return [];
    return [
      signal === "SIGKILL"
        ? `Something that a test left open kept a process alive: ended after ${secondsToExit} s.\n`
        : `A process of the tests ended with ${signal ?? `exit code ${code}`} after its last test.\n`,
    ];
  }
}
