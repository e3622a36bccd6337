import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildGoProgram, goPrograms, versionOf } from "./goPrograms.mjs";

/** The version of the Pulumi CLI with which the project is developed: the one that the Go wrapper module of the CLI names. */
export const pinnedVersion = versionOf(goPrograms.cli);

/**
 * Builds the Pulumi CLI, its Node language host and the launcher of dynamic providers into `folder`.
 * @param {string} folder
 * @throws with the reason when Go is missing, too old, or fails
 */
export async function buildFromGoModules(folder) {
  for (const program of [goPrograms.cli, goPrograms.node]) await buildGoProgram(program, folder);
  await writeDynamicProviderLauncher(folder);
}

/**
 * Writes the program with which Pulumi's engine starts dynamic providers. It must load the host from the program's own copy of
 * `@pulumi/pulumi`, as the launcher in official releases does.
 * @param {string} folder
 */
async function writeDynamicProviderLauncher(folder) {
  const script = join(folder, "pulumi-resource-pulumi-nodejs");
  await writeFile(
    script,
    `#!/usr/bin/env node
const { createRequire } = require("node:module");
const { join } = require("node:path");
const program = createRequire(join(process.cwd(), "index.js"));
require(program.resolve("@pulumi/pulumi/cmd/dynamic-provider"));
`,
  );
  await chmod(script, 0o755);
  if (process.platform === "win32")
    await writeFile(`${script}.cmd`, `@node "%~dp0pulumi-resource-pulumi-nodejs" %*\r\n`);
}
