import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inCheckout, whenRunAsProgram } from "./checkout.mjs";
import { command } from "./command.mjs";
import { bundleEntries } from "./entryBundles.mjs";
import { setup } from "./setup.mjs";
import { test } from "./test.mjs";

const leastLines = 95;

/** The coverage run skips this test of stack traces, which needs the source maps of the usual build. */
const testOfSourceMaps = inCheckout("test", "unit", "hosts", "dynamic", "stackTraces.test.ts");

const recorded = inCheckout(".build", "coverage", "recorded");
const chosen = inCheckout(".build", "coverage", "provider");

/**
 * Measures which lines of provider/ and cli/ are run by the unit tests and by the tests of each resource's whole life in the real
 * engine. All processes count: mocha, the command line, programs, and the engine's dynamic host. Unit tests run the TypeScript
 * sources through tsx, all other tests the compiled modules; both count for the same lines.
 * @returns {Promise<boolean>} whether all tests passed and enough lines were run
 */
async function measure() {
  const pulumi = await setup();
  await bundleEntries({ inLines: true });
  await rm(inCheckout(".build", "coverage"), { recursive: true, force: true });
  const hook = inCheckout("toolchain", "coverageOfProcess.cjs");
  process.env.NODE_V8_COVERAGE = recorded;
  process.env.NODE_OPTIONS = [process.env.NODE_OPTIONS, `--require ${JSON.stringify(hook)}`]
    .filter(Boolean)
    .join(" ");
  let passed = false;
  try {
    const unit = (await testsIn("unit")).filter((path) => path !== testOfSourceMaps);
    passed = await test(pulumi, [...unit, "life", ...(await testsIn("engine", "resources"))]);
  } finally {
    delete process.env.NODE_V8_COVERAGE;
    await bundleEntries();
  }
  await chooseProvider();
  return (await report()) && passed;
}

/** The paths of the test files in folders of test/. @param {string[]} folders below test/ */
async function testsIn(...folders) {
  const names = await readdir(inCheckout("test", ...folders), { recursive: true });
  return names
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => inCheckout("test", ...folders, name));
}

/**
 * Removes the coverage records of modules outside of the provider: each process records every module that it loads, which takes
 * several megabytes.
 */
async function chooseProvider() {
  await mkdir(chosen, { recursive: true });
  const sources = ["provider", "cli", "drawing", "dist"].map(
    (folder) => `${pathToFileURL(inCheckout(folder)).href}/`,
  );
  const isOfProvider = (/** @type {string} */ url) => sources.some((source) => url.startsWith(source));
  for (const name of existsSync(recorded) ? await readdir(recorded) : []) {
    /** @type {{ result: { url: string }[], "source-map-cache"?: Record<string, unknown> }} */
    const { result, "source-map-cache": maps = {} } = JSON.parse(
      await readFile(join(recorded, name), "utf8"),
    );
    const scripts = result.filter(({ url }) => isOfProvider(url));
    if (scripts.length === 0) continue;
    const providerMaps = Object.fromEntries(Object.entries(maps).filter(([url]) => isOfProvider(url)));
    await writeFile(
      join(chosen, name),
      JSON.stringify({ result: scripts, "source-map-cache": providerMaps }),
    );
  }
  await rm(recorded, { recursive: true, force: true });
}

async function report() {
  const options = [
    "--temp-directory",
    chosen,
    "--reports-dir",
    inCheckout(".build", "coverage"),
    "--all",
    "--src",
    "provider",
    "--src",
    "cli",
  ];
  const files = ["--include", "provider/**", "--include", "cli/**", "--exclude-after-remap", "--merge-async"];
  const reports = ["--reporter", "text", "--reporter", "html"];
  const bounds = ["--check-coverage", "--lines", String(leastLines)];
  const c8 = inCheckout("node_modules", "c8", "bin", "c8.js");
  const { code, output } = await command(
    process.execPath,
    [c8, "report", ...options, ...files, ...reports, ...bounds],
    { cwd: inCheckout() },
  );
  console.log(output);
  return code === 0;
}

whenRunAsProgram(import.meta.url, async () => {
  if (!(await measure())) process.exitCode = 1;
});
