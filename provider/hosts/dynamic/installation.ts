import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { printableMessage } from "../../values/printable";

/**
 * Matches the path of the program in Pulumi's SDK that a language host starts. The engine starts the dynamic provider in that
 * program's folder.
 */
const programRunner = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run(?=[\\/]|$)/;

/** The folder in which Node.js found this package. */
let found: string | undefined;

/**
 * Refuses to declare a resource if Pulumi's dynamic provider would not find this package: it looks for the package only from
 * the program's folder, and reports just a missing module. This happens if only a dependency of the program has the package, or
 * a bundle contains it. In processes that no language host started, such as those with the Automation API or tests, this cannot
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
