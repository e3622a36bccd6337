import { join } from "node:path";
import { cachedFolder } from "./cache.mjs";
import { whenRunAsProgram } from "./checkout.mjs";
import { succeed } from "./command.mjs";
import { withProgress } from "./progress.mjs";
import { compareVersions } from "./version.mjs";

/** The versions of Node in which the packed provider is tested: the lowest ones that its `engines` allow, and a current one. */
export const nodeVersions = ["20.19.0", "22.12.0", "24.21.0"];

/** The version of Node in the archives of the resource plugin, which also builds them: the newest with long-term support. */
export const archivedNodeVersion = "26.10.0";

/**
 * Installs a version of Node into the user's cache, once, from the npm packages of which the package `node` consists.
 * @param {string} version
 * @returns {Promise<string>} the folder of its program, for PATH
 */
export async function installNode(version) {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const installed = await cachedFolder(`node-${version}`, (folder) =>
    withProgress(`Installing Node ${version}`, async () => {
      const args = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
      await succeed("npm", ["install", `${name}@${version}`, ...args]);
    }),
  );
  return join(installed, "node_modules", name, "bin");
}

/**
 * Returns the Node program that runs the tests: the running one, or the newest of the tested versions if that is newer, since
 * it needs two thirds of the CPU time of Node 20.
 */
export async function nodeOfTests() {
  const newest = /** @type {string} */ (nodeVersions.at(-1));
  return compareVersions(process.versions.node, newest) < 0
    ? join(await installNode(newest), "node")
    : process.execPath;
}

whenRunAsProgram(import.meta.url, async () => {
  for (const version of [...nodeVersions, archivedNodeVersion]) await installNode(version);
});
