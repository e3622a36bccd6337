import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { command } from "./command.mjs";
import { withProgress } from "./progress.mjs";

const packages = {
  provider: {
    project: "tsconfig.json",
    output: "dist",
    sources: ["provider", "drawing", "tsconfig.json", "toolchain/descriptions.mjs"],
    descriptions: ["provider/index.ts", "dist/provider/descriptions.json"],
  },
  sandbox: {
    project: "sandbox/tsconfig.json",
    output: "sandbox/dist",
    sources: ["sandbox/src", "sandbox/page", "drawing", "sandbox/tsconfig.json", "tsconfig.json"],
    page: { source: "sandbox/page", output: "sandbox/dist/page" },
  },
};

/** The packages of this repository that are compiled: `provider` and `sandbox`. */
export const packageNames = Object.keys(packages);

/**
 * Compiles a package from TypeScript, and bundles its page where it has one. Afterwards its output folder holds what the sources give and nothing else; files
 * are overwritten where they are, so that programs which run meanwhile always find the package.
 * @throws with the compiler's messages; then the output of the last build stays as it is
 */
export async function build(name) {
  const { project, output, descriptions = [], page } = packages[name];
  const fingerprint = await sourceFingerprint(name);
  const compiler = [inCheckout("toolchain", "compile.mjs"), project, ...descriptions];
  const emitted = await withProgress(`Compiling the ${name}`, async () => {
    const result = await command(process.execPath, compiler, { cwd: root });
    if (result.code !== 0) throw new Error(`The ${name} does not compile:\n${result.output}`);
    return new Set(JSON.parse(result.stdout).map((path) => join(path)));
  });
  if (page) for (const path of await bundlePage(page.source, page.output)) emitted.add(path);
  for (const path of await filesIn(inCheckout(output))) if (!emitted.has(path)) await rm(path);
  await mkdir(dirname(stampOf(name)), { recursive: true });
  await writeFile(stampOf(name), fingerprint);
}

/** Compiles a package when its sources are not those of its last build. */
export async function buildWhenChanged(name) {
  const stamp =
    existsSync(inCheckout(packages[name].output)) &&
    existsSync(stampOf(name)) &&
    (await readFile(stampOf(name), "utf8"));
  if (stamp !== (await sourceFingerprint(name))) await build(name);
}

const stampOf = (name) => inCheckout(".build", `${name}.sha256`);

async function sourceFingerprint(name) {
  const hash = createHash("sha256");
  for (const source of packages[name].sources) {
    for (const path of await filesIn(inCheckout(source)))
      hash
        .update(path)
        .update("\0")
        .update(await readFile(path))
        .update("\0");
  }
  return hash.digest("hex");
}

/** Bundles a page of scripts and styles into a folder, with the page's other files. Answers the paths that it wrote. */
async function bundlePage(source, output) {
  // Loaded here because the rest of this module runs before packages are installed.
  const { build: bundle } = await import("esbuild");
  const name = (file) => inCheckout(output, file);
  await bundle({
    absWorkingDir: root,
    entryPoints: { app: `${source}/main.tsx` },
    outdir: output,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    jsx: "automatic",
    jsxImportSource: "preact",
    logLevel: "error",
  });
  for (const file of ["index.html", "icon.svg"]) await copyFile(inCheckout(source, file), name(file));
  return ["app.js", "app.css", "index.html", "icon.svg"].map(name);
}

/** All files below a folder, or the file itself; none when there is no such path. */
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
  for (const name of args.length > 0 ? args : packageNames) {
    if (!packageNames.includes(name))
      throw new Error(`There is no package ${name}: build ${packageNames.join(" or ")}.`);
    await build(name);
  }
});
