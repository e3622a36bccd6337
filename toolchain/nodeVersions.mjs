import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { whenRunAsProgram } from "./checkout.mjs";
import { command, lastLines } from "./command.mjs";
import { withProgress } from "./progress.mjs";

/** The packed provider is tried with the lowest versions that its `engines` allow, and with a current one. */
export const nodeVersions = ["20.19.0", "22.12.0", "24.21.0"];

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pipestack");

/**
 * Installs a version of Node into the user's cache, once, from the packages that the npm package `node` consists of.
 * @param {string} version
 * @returns {Promise<string>} the folder of its program, for PATH
 */
export async function installNode(version) {
  const platform = process.platform === "win32" ? "win" : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const installed = join(cache, `node-${version}`);
  if (!existsSync(installed)) {
    await withProgress(`Installing Node ${version}`, async () => {
      await mkdir(cache, { recursive: true });
      const folder = await mkdtemp(`${installed}-`);
      try {
        const args = ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"];
        const { code, output } = await command("npm", [...args, `${name}@${version}`]);
        if (code !== 0) throw new Error(`Node ${version} cannot be installed:\n${lastLines(output, 5)}`);
        await rename(folder, installed).catch((error) => {
          // Another process was first.
          if (!existsSync(installed)) throw error;
        });
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
  return join(installed, "node_modules", name, "bin");
}

whenRunAsProgram(import.meta.url, async () => {
  for (const version of nodeVersions) await installNode(version);
});
