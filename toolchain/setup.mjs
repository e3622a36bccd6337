import { existsSync, realpathSync } from "node:fs";
import { readFile, rm, symlink } from "node:fs/promises";
import { buildWhenChanged, packageNames } from "./build.mjs";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { command } from "./command.mjs";
import { withProgress } from "./progress.mjs";
import { findPulumi } from "./pulumi.mjs";

/**
 * Makes a checkout ready to run programs and tests: packages installed, both packages compiled, a Pulumi CLI at hand.
 * Each part is done only when it is missing or out of date.
 * @returns {Promise<import("./pulumi.mjs").Pulumi>}
 */
export async function setup() {
  if (!(await packagesAreInstalled())) await installPackages();
  await linkProvider();
  for (const name of packageNames) await buildWhenChanged(name);
  return await findPulumi();
}

/** npm keeps a record of what it has installed; it must agree with the lock file, save what is for other platforms. */
async function packagesAreInstalled() {
  const record = inCheckout("node_modules", ".package-lock.json");
  if (!existsSync(record)) return false;
  const [wanted, installed] = await Promise.all(
    [inCheckout("package-lock.json"), record].map(lockedPackages),
  );
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === "") return true;
    const present = installed[path];
    if (present === undefined) return entry.optional === true;
    return present.version === entry.version && present.integrity === entry.integrity;
  });
}

async function lockedPackages(path) {
  return JSON.parse(await readFile(path, "utf8")).packages;
}

async function installPackages() {
  await withProgress("Installing the packages of package-lock.json", async () => {
    const { code, output } = await command("npm", ["ci", "--no-audit", "--no-fund"], { cwd: root });
    if (code === 0) return;
    // npm ends its message with a page of usage, so the reason is at the beginning.
    const complaint = output.split("\n").filter((line) => /^npm error ./.test(line));
    throw new Error(`npm ci fails:\n${complaint.slice(0, 10).join("\n")}`);
  });
}

/** Programs under examples/ import the provider by its name, like every user's program. */
async function linkProvider() {
  const link = inCheckout("node_modules", "pipestack");
  if (existsSync(link) && realpathSync(link) === root) return;
  await rm(link, { recursive: true, force: true });
  await symlink(root, link, "junction");
}

whenRunAsProgram(import.meta.url, async () => {
  const { version, folder } = await setup();
  console.error(`Ready, with Pulumi ${version} in ${folder}.`);
});
