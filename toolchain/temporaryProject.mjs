import { copyFile, mkdir, mkdtemp, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { inCheckout } from "./checkout.mjs";

/**
 * @typedef {object} TemporaryProject the folders for a Pulumi project that leaves nothing behind, below the system's folder for
 *   temporary files
 * @property {string} base the folder that contains all other folders
 * @property {string} folder the project's folder, which is empty
 * @property {string} backend the folder of the Pulumi states
 * @property {Record<string, string>} environment variables by which the CLI uses this backend and its own home
 * @property {() => Promise<void>} close removes all folders
 */

/**
 * Makes temporary folders for a Pulumi project.
 * @param {string} name part of the folder's name, and the passphrase of its secrets
 * @returns {Promise<TemporaryProject>}
 */
export async function createTemporaryProject(name) {
  const base = await realpath(await mkdtemp(join(tmpdir(), `pipestack-${name}-`)));
  const [folder, backend, home] = [join(base, "project"), join(base, "backend"), join(base, "home")];
  await Promise.all([folder, backend, home].map((path) => mkdir(path)));
  return {
    base,
    folder,
    backend,
    environment: {
      PULUMI_BACKEND_URL: pathToFileURL(backend).href,
      PULUMI_HOME: home,
      PULUMI_CONFIG_PASSPHRASE: name,
    },
    close: () => rm(base, { recursive: true, force: true, maxRetries: 5 }),
  };
}

/**
 * Links packages into `node_modules` of a folder, as if they were installed there.
 * @param {string} folder
 * @param {Record<string, string>} packages the folder of each package by its name
 */
export async function linkPackages(folder, packages) {
  for (const [name, target] of Object.entries(packages)) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(target, link, "junction");
  }
}

/**
 * Links pipestack into `node_modules` of a folder, as it is published and without the rest of the checkout: before each run of
 * a program the Pulumi CLI scans all installed packages, and it would try to download the plugin that a generated SDK names.
 * @param {string} folder
 */
export async function linkOwnPackage(folder) {
  await linkPackages(folder, { "pipestack/dist": inCheckout("dist") });
  await copyFile(inCheckout("package.json"), join(folder, "node_modules", "pipestack", "package.json"));
}
