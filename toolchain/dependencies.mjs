import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { command } from "./command.mjs";
import { withProgress } from "./progress.mjs";

/** Installs the packages of package-lock.json, unless they are installed. */
export async function installDependencies() {
  if (await areInstalled()) return;
  await withProgress("Installing the packages of package-lock.json", async () => {
    const { code, output } = await command("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root });
    if (code === 0) return;
    // npm ends its message with a page of usage, so the reason is at the beginning.
    const reasons = output.split("\n").filter((line) => /^npm error ./.test(line));
    throw new Error(`npm ci fails:\n${reasons.slice(0, 10).join("\n")}`);
  });
}

/** npm keeps a record of what it has installed; it must agree with the lock file, save what is for other platforms. */
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
 * @param {string} path
 * @returns {Promise<Record<string, { version?: string, integrity?: string, optional?: boolean }>>}
 */
async function lockedPackages(path) {
  return JSON.parse(await readFile(path, "utf8")).packages;
}

whenRunAsProgram(import.meta.url, installDependencies);
