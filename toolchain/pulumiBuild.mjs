import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildGoProgram, goPrograms, versionOf } from "./goPrograms.mjs";

/** The version of the Pulumi CLI with which the project is developed. The CLI's Go wrapper module in the toolchain names it. */
export const pinnedVersion = versionOf(goPrograms.cli);

/**
 * Builds the Pulumi CLI, its Node language host and the launcher of dynamic providers into a folder.
 * @param {string} folder
 * @throws with the reason when Go is missing or too old, or the build fails
 */
export async function buildFromGoModules(folder) {
  for (const program of [goPrograms.cli, goPrograms.node]) await buildGoProgram(program, folder);
  await writeDynamicProviderLauncher(folder);
}

/**
 * Writes the program with which Pulumi's engine starts dynamic providers. The program must load the host from the user
 * program's own copy of `@pulumi/pulumi`, as the launcher in official releases does.
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
