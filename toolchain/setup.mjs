import { existsSync, realpathSync } from "node:fs";
import { rm, symlink } from "node:fs/promises";
import { buildWhenChanged, packageNames } from "./build.mjs";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { installDependencies } from "./dependencies.mjs";
import { findPulumi } from "./pulumi.mjs";

/**
 * Makes a checkout ready to run programs and tests: it installs npm packages, compiles both packages of this repository and
 * provides a Pulumi CLI. It does each part only when that is missing or out of date.
 * @returns {Promise<import("./pulumi.mjs").Pulumi>}
 */
export async function setup() {
  await compile();
  return await findPulumi();
}

/** Does the part of the setup that needs no Pulumi CLI: installs packages, and compiles both packages of this repository. */
export async function compile() {
  await installDependencies();
  await linkProvider();
  await Promise.all(packageNames.map(buildWhenChanged));
}

/** Lets the programs in examples/ import the provider by its name, as every user's program does. */
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
