import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { succeed } from "./command.mjs";
import { installDependencies } from "./dependencies.mjs";
import { bundleEntries } from "./entryBundles.mjs";
import { bundleWithLicenses } from "./notices.mjs";
import { bundlePlugin } from "./pluginBundle.mjs";
import { withProgress } from "./progress.mjs";
import { writeReference } from "./reference.mjs";

/**
 * @typedef {object} Package a package of this repository
 * @property {string} project the path of its tsconfig.json
 * @property {string} output the folder into which the compiler writes
 * @property {string[]} sources files and folders on which the output depends
 * @property {Record<string, string>} [descriptions] files that get the descriptions of the modules' exports
 * @property {Record<string, string>} [declarations] files that get the type declarations of the modules' exports, which need no
 *   other package
 * @property {string} [reference] the folder that gets the reference pages of the package
 * @property {boolean} [hosts] whether the resource plugin and the modules that the dynamic host loads are bundled into one file
 *   each
 * @property {{ source: string, output: string }} [page] a web page to bundle
 */

/** @type {Record<string, Package>} */
const packages = {
  provider: {
    project: "provider/tsconfig.json",
    output: "dist",
    sources: [
      "provider",
      "cli",
      "drawing",
      "tsconfig.json",
      "toolchain/compile.mjs",
      "toolchain/declarations",
      "toolchain/descriptions.mjs",
      "toolchain/entryBundles.mjs",
      "toolchain/notices.mjs",
      "toolchain/operationTables.mjs",
      "toolchain/pluginBundle.mjs",
      "toolchain/reference.mjs",
      "toolchain/referenceTables.mjs",
      "toolchain/symbols.mjs",
      "toolchain/withoutFetch.mjs",
      // The bundle contains modules of installed packages, so a change of the lock file makes a new build necessary.
      "package-lock.json",
    ],
    hosts: true,
    reference: "dist/reference",
    descriptions: { "provider/index.ts": "dist/provider/descriptions.json" },
    declarations: {
      "provider/index.ts": "dist/provider/index.d.ts",
      "provider/host.ts": "dist/provider/host.d.ts",
      "provider/testing.ts": "dist/provider/testing.d.ts",
    },
  },
  sandbox: {
    project: "sandbox/tsconfig.json",
    output: "sandbox/dist",
    sources: [
      "sandbox/core",
      "sandbox/http",
      "sandbox/index.ts",
      "sandbox/page",
      "product",
      "drawing",
      "sandbox/tsconfig.json",
      "tsconfig.json",
      "toolchain/notices.mjs",
      "package-lock.json",
    ],
    page: { source: "sandbox/page", output: "sandbox/dist/sandbox/page" },
  },
};

/** The packages of this repository that have to be compiled: `provider` and `sandbox`. */
export const packageNames = Object.keys(packages);

/** The settings for building a package of this repository. @param {string} name */
function packageOf(name) {
  const description = packages[name];
  if (description === undefined)
    throw new Error(`There is no package ${name}: build ${packageNames.join(" or ")}.`);
  return description;
}

/**
 * Compiles a package of this repository from TypeScript, bundles its web page if it has one, and removes older output. The
 * build overwrites files in place, so programs that run meanwhile always find the package.
 * @param {string} name
 * @throws with the compiler's messages; the output of the last build then stays
 */
export async function build(name) {
  const { project, output, descriptions = {}, declarations = {}, reference, hosts, page } = packageOf(name);
  const fingerprint = await sourceFingerprint(name);
  const further = Object.entries({ describe: descriptions, declare: declarations }).flatMap(
    ([option, files]) => Object.entries(files).map(([module, file]) => `--${option}=${module}=${file}`),
  );
  const compiler = [inCheckout("toolchain", "compile.mjs"), project, ...further];
  const emitted = await withProgress(`Compiling the ${name}`, async () => {
    const { stdout } = await succeed(process.execPath, compiler, { cwd: root });
    return new Set(JSON.parse(stdout).map((/** @type {string} */ path) => join(path)));
  });
  if (reference) {
    const paths = await writeReference(inCheckout(output, name), inCheckout(reference));
    for (const path of paths) emitted.add(path);
  }
  if (hosts) for (const path of await bundlePlugin()) emitted.add(path);
  if (hosts) emitted.add(await bundleEntries());
  if (page) for (const path of await bundlePage(page.source, page.output)) emitted.add(path);
  for (const path of await filesIn(inCheckout(output))) if (!emitted.has(path)) await rm(path);
  await mkdir(dirname(stampOf(name)), { recursive: true });
  await writeFile(stampOf(name), fingerprint);
}

/**
 * Compiles a package of this repository if its sources have changed since its last build.
 * @param {string} name
 */
export async function buildWhenChanged(name) {
  const stamp =
    existsSync(inCheckout(packageOf(name).output)) &&
    existsSync(stampOf(name)) &&
    (await readFile(stampOf(name), "utf8"));
  if (stamp !== (await sourceFingerprint(name))) await build(name);
}

/** Returns the path of the file with the digest of the sources from which a package was last built. @param {string} name */
const stampOf = (name) => inCheckout(".build", `${name}.sha256`);

/** Computes the digest of all sources of a package, by which the build recognises a change. @param {string} name */
async function sourceFingerprint(name) {
  const hash = createHash("sha256");
  for (const source of packageOf(name).sources) {
    for (const path of await filesIn(inCheckout(source)))
      hash
        .update(path)
        .update("\0")
        .update(await readFile(path))
        .update("\0");
  }
  return hash.digest("hex");
}

/**
 * Bundles the scripts and styles of a web page into a folder, with the page's other files. Returns the paths that it wrote.
 * @param {string} source
 * @param {string} output
 */
async function bundlePage(source, output) {
  const name = (/** @type {string} */ file) => inCheckout(output, file);
  await bundleWithLicenses(
    {
      entryPoints: { app: `${source}/main.tsx` },
      outdir: output,
      bundle: true,
      minify: true,
      format: "iife",
      target: "es2022",
      jsx: "automatic",
      jsxImportSource: "preact",
    },
    name("LICENSES"),
  );
  for (const file of ["index.html", "icon.svg"]) await copyFile(inCheckout(source, file), name(file));
  return ["app.js", "app.css", "LICENSES", "index.html", "icon.svg"].map(name);
}

/**
 * Lists all files below a folder, or the file itself if the path names a file; none if nothing has that path.
 * @param {string} path
 */
async function filesIn(path) {
  if (!existsSync(path)) return [];
  if ((await stat(path)).isFile()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

whenRunAsProgram(import.meta.url, async (args) => {
  await installDependencies();
  for (const name of args.length > 0 ? args : packageNames) await build(name);
});
