import { join } from "node:path";
import { cachedFolder } from "../cache.mjs";
import { root } from "../checkout.mjs";
import { succeed } from "../command.mjs";
import { buildGoProgram, goPrograms, versionOf } from "../goPrograms.mjs";

/** The workflows of GitHub Actions: the project's own, and the workflow that users copy. */
export const workflows = [
  ".github/workflows/ci.yml",
  ".github/workflows/acceptance.yml",
  ".github/workflows/clients.yml",
  ".github/workflows/product-documents.yml",
  ".github/workflows/release.yml",
  ".github/workflows/weekly.yml",
  "examples/drift/github-actions/pipestack.yml",
];

/**
 * Lints the workflows with actionlint, built from its Go module into the user's cache.
 * @throws with the findings of actionlint
 */
export async function lintWorkflows() {
  const { name } = goPrograms.actionlint;
  const folder = await cachedFolder(`${name}-${versionOf(goPrograms.actionlint)}`, (folder) =>
    buildGoProgram(goPrograms.actionlint, folder),
  );
  // Other linters that a machine may have are switched off, so that actionlint gives the same result everywhere.
  const args = ["-no-color", "-oneline", "-shellcheck=", "-pyflakes=", ...workflows];
  await succeed(join(folder, name), args, { cwd: root });
}
