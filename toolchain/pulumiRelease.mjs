import { join } from "node:path";
import { command, lastLines } from "./command.mjs";
import { withProgress } from "./progress.mjs";

const timeoutSeconds = 15 * 60;

/**
 * Lets the npm package `pulumi`, the official wrapper of the Pulumi CLI, download a release. The package installs the CLI below
 * `PULUMI_HOME`, which is set to `folder`. It also runs in that folder, so that no package of this checkout replaces it.
 * @param {string} version
 * @param {string} folder
 * @returns the folder with the programs
 * @throws with the reason when the download is refused
 */
export async function installOfficialRelease(version, folder) {
  const installer = { PULUMI_HOME: folder, PULUMI_VERSION: version, PULUMI_SKIP_UPDATE_CHECK: "1" };
  const environment = { ...process.env, ...installer };
  const args = ["exec", "--yes", "--", `pulumi@${version}`, "version"];
  await withProgress(`Downloading the official release of pulumi ${version}`, async () => {
    const installed = await command("npm", args, { cwd: folder, environment, timeoutSeconds });
    if (installed.code !== 0) throw new Error(lastLines(installed.output, 1));
  });
  return join(folder, "versions", version, "bin");
}
