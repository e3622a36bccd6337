import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { inCheckout, root } from "./checkout.mjs";

/**
 * Selects the test files to run after a change: those that import a changed file, directly or not, and those whose text names a
 * changed file that no module imports, such as a page of the docs. Tests of the engine and the simulation run the built package
 * and import none of it, so only changes of their own files select them.
 * @param {readonly string[]} changed paths in the checkout
 * @returns {Promise<string[]>} in the order of their paths
 */
export async function testsOf(changed) {
  const tests = readdirSync(inCheckout("test"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name).replaceAll("\\", "/"));
  const users = await usersOfFiles(tests);
  const touched = new Set(changed.filter((path) => tests.includes(path)));
  const queue = [...changed];
  const visited = new Set(queue);
  for (let path = queue.shift(); path !== undefined; path = queue.shift())
    for (const user of users.get(path) ?? []) {
      if (tests.includes(user)) touched.add(user);
      if (!visited.has(user)) queue.push(user);
      visited.add(user);
    }
  const unknown = changed.filter((path) => !users.has(path) && !tests.includes(path));
  for (const test of tests) {
    const text = readFileSync(inCheckout(test), "utf8");
    if (unknown.some((path) => text.includes(`"${basename(path)}"`) || text.includes(path)))
      touched.add(test);
  }
  return [...touched].sort();
}

/** Lists the paths that differ from the main branch of git, or from the last commit if there is no such branch. */
export function changedPaths() {
  const git = (/** @type {string[]} */ ...args) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const lines = (/** @type {string} */ text) => text.split("\n").filter((line) => line !== "");
  const base = ["origin/main", "main"].find((name) => {
    try {
      return git("rev-parse", "--verify", "--quiet", name);
    } catch {
      return false;
    }
  });
  const since = base === undefined ? "HEAD" : git("merge-base", base, "HEAD").trim();
  const untracked = lines(git("ls-files", "--others", "--exclude-standard"));
  return [...new Set([...lines(git("diff", "--name-only", since)), ...untracked])];
}

/**
 * Finds the files that import each file of the checkout, as bundling all tests shows.
 * @param {readonly string[]} tests
 */
async function usersOfFiles(tests) {
  const { metafile } = await build({
    absWorkingDir: root,
    // A single entry for the bundler imports all tests, so that it reads each file only once.
    stdin: { contents: tests.map((test) => `import "./${test}";`).join("\n"), resolveDir: root },
    outdir: "unwritten",
    ...{ bundle: true, write: false, metafile: true, packages: "external", platform: "node" },
    ...{ format: "cjs", logLevel: "silent", loader: { ".node": "empty", ".css": "empty" } },
  });
  const users = /** @type {Map<string, Set<string>>} */ (new Map());
  for (const [path, { imports }] of Object.entries(metafile.inputs))
    for (const imported of imports.filter(({ external }) => !external))
      users.set(imported.path, (users.get(imported.path) ?? new Set()).add(path));
  return users;
}
