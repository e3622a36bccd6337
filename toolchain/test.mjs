import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative } from "node:path";
import { inCheckout, root } from "./checkout.mjs";
import { cleanEnvironment } from "./environment.mjs";

/** Engine tests spend their time in other processes: a third file at once still helps on two cores. */
const engineJobs = Math.max(2, Math.min(4, availableParallelism() + 1));
/** @type {Record<string, string[]>} */
const parts = {
  unit: ["--timeout", "20000"],
  sandbox: ["--timeout", "20000"],
  browser: ["--timeout", "60000"],
  engine: ["--timeout", "300000", "--parallel", "--jobs", String(engineJobs)],
};

/**
 * What countingReporter.cjs counts.
 * @typedef {object} Results
 * @property {number} passed
 * @property {string[]} failures a text for each
 */

/**
 * Runs the tests and ends with what failed in any of their parts and the line `N passed, N failed`.
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @param {string[]} args parts to run (`unit`, `sandbox`, `browser`, `engine`; all of them when none is named), then what mocha is to
 * be told, such as `--grep Alert`. A test file named here is run instead of all files of its part.
 * @returns {Promise<boolean>} whether there were tests, and all passed
 */
export async function test(pulumi, args) {
  const files = args.filter((argument) => argument.endsWith(".test.ts")).map((path) => relative(root, path));
  const named = Object.keys(parts).filter((part) => args.includes(part));
  const options = args.filter((argument) => !argument.endsWith(".test.ts") && !named.includes(argument));

  let passed = 0;
  /** @type {string[]} */
  const failures = [];
  for (const part of named.length > 0 ? named : Object.keys(parts)) {
    const ofPart = await testFiles(part);
    const chosen = files.length > 0 ? ofPart.filter((path) => files.includes(path)) : ofPart;
    if (chosen.length === 0) continue;
    console.log(`\n${part} tests`);
    const results = await runMocha(pulumi, part, [...options, ...chosen]);
    passed += results.passed;
    failures.push(...results.failures.map((failure) => `Failed (${part}): ${failure}\n`));
  }
  for (const failure of failures) console.log(failure);
  console.log(`${passed} passed, ${failures.length} failed`);
  return passed > 0 && failures.length === 0;
}

/** @param {string} part */
async function testFiles(part) {
  const folder = inCheckout("test", part);
  if (!existsSync(folder)) return [];
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", part, name))
    .sort();
}

/**
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @param {string} part
 * @param {string[]} args
 */
async function runMocha(pulumi, part, args) {
  await mkdir(inCheckout(".build"), { recursive: true });
  const written = inCheckout(".build", `tests-${part}-${process.pid}.json`);
  const mocha = [
    inCheckout("node_modules", "mocha", "bin", "mocha.js"),
    "--no-config",
    "--require",
    "tsx/cjs",
    "--require",
    inCheckout("test", "seed.ts"),
  ];
  const reporter = [
    "--reporter",
    inCheckout("toolchain", "countingReporter.cjs"),
    "--reporter-option",
    `results=${written}`,
  ];
  const code = await new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [
        ...mocha,
        ...reporter,
        "--extension",
        "ts",
        "--forbid-only",
        "--forbid-pending",
        ...(parts[part] ?? []),
        ...args,
      ],
      { cwd: root, env: cleanEnvironment(pulumi), stdio: ["ignore", "inherit", "inherit"] },
    );
    child.on("error", reject);
    child.on("close", resolve);
  });
  /** @type {Results} */
  const results = existsSync(written)
    ? JSON.parse(await readFile(written, "utf8"))
    : { passed: 0, failures: [] };
  await rm(written, { force: true });
  // A file that cannot be loaded, or a process that dies, fails without any failed test.
  if (code !== 0 && results.failures.length === 0)
    results.failures.push(`mocha ended with code ${code} and told of no failed test: see above.`);
  return results;
}
