import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { succeed } from "./command.mjs";
import { withProgress } from "./progress.mjs";

/** Installs the packages of package-lock.json, unless they are already installed. */
export async function installDependencies() {
  if (await areInstalled()) return;
  await withProgress("Installing the packages of package-lock.json", () =>
    succeed("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root }),
  );
}

/** Whether npm's record of the installed packages agrees with the lock file, except for packages of other platforms. */
async function areInstalled() {
  const record = inCheckout("node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const installed = await lockedPackages(record);
  const wanted = await lockedPackages(inCheckout("package-lock.json"));
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const present = installed[path];
    if (present === undefined) return entry.optional === true;
    return present.version === entry.version && present.integrity === entry.integrity;
  });
}

/**
 * The packages in a lock file of npm, by their folders.
 * @param {string} path
 * @returns {Promise<Record<string, { version?: string, integrity?: string, optional?: boolean }>>}
 */
async function lockedPackages(path) {
  return JSON.parse(await readFile(path, "utf8")).packages;
}

whenRunAsProgram(import.meta.url, installDependencies);
