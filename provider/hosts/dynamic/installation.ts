import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { printableMessage } from "../../values/printable";

/** The program of the SDK that a language host starts, and so in the folder where the engine starts its dynamic host. */
const programRunner = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run(?=[\\/]|$)/;

/** The folder from which this package was found. */
let found: string | undefined;

/**
 * Refuses a resource whose host the engine would not find: it looks for this package from the program's folder alone, and
 * says only that a module is missing. A package that the program depends on may have one of its own, a bundle may contain it.
 * A program inside another process, as of the Automation API or a test, does not tell where the engine looks.
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
