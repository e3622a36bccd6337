import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { printableMessage } from "../../values/printable";

/**
 * Matches the program in Pulumi's SDK that a language host starts. Its folder is where the engine starts the dynamic
 * host.
 */
const programRunner = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run(?=[\\/]|$)/;

/** The folder in which this package was found. */
let found: string | undefined;

/**
 * Refuses to declare a resource if the engine's dynamic host would not find this package: the host looks for it only
 * from the program's folder, and reports just a missing module. This happens if only a dependency of the program has
 * the package, or a bundle contains it. In other processes, such as those with the Automation API or tests, this cannot
 * be checked.
 *
 * @throws RunError
 */
export function requireInstallation(resource: string, runner = process.argv[1]): void {
  const folder = process.cwd();
  if (!runner || !programRunner.test(runner) || folder === found) return;
  try {
    createRequire(join(folder, "index.js")).resolve("pipestack/host");
  } catch {
    const message = `${resource}: the engine does not find the package pipestack from ${folder}; add it to the dependencies in the package.json there and install it: it is not enough that another package depends on it, or that a bundle contains it`;
    throw new pulumi.RunError(printableMessage(message));
  }
  found = folder;
}
