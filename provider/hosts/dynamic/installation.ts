import { createRequire } from "node:module";
import { join } from "node:path";
import { programError } from "./programError";

/** Matches the file of Pulumi's SDK in which a process runs a Pulumi program. */
const programRunner = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run(?=[\\/]|$)/;

/** The folder in which Node.js found this package. */
let found: string | undefined;

/**
 * Refuses to declare a resource if Pulumi's dynamic provider, which only reports a missing module, would not find this package:
 * it looks from the program's folder, but only a dependency of the program has the package, or a bundle contains it. Processes
 * that no language host started, such as tests and those with the Automation API, cannot be checked.
 */
export function requireInstallation(resource: string, runner = process.argv[1]): void {
  const folder = process.cwd();
  if (!runner || !programRunner.test(runner) || folder === found) return;
  try {
    createRequire(join(folder, "index.js")).resolve("pipestack/host");
  } catch {
    const message = `${resource}: the engine does not find the package pipestack from ${folder}; add it to the dependencies in the package.json there and install it: it is not enough that another package depends on it, or that a bundle contains it`;
    throw programError(message);
  }
  found = folder;
}
