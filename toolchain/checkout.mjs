import { realpathSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root folder of the checkout that this toolchain belongs to. */
export const root = realpathSync(fileURLToPath(new URL("..", import.meta.url)));

/**
 * A path inside the checkout.
 * @param {string[]} parts
 */
export const inCheckout = (...parts) => join(root, ...parts);

/**
 * Runs `action` when the module with this `import.meta.url` is the program that node was asked to run. An error ends the
 * process with its message and exit code 1.
 * @param {string} moduleUrl
 * @param {(args: string[]) => Promise<void>} action is given the arguments of the program
 */
export function whenRunAsProgram(moduleUrl, action) {
  const program = process.argv[1];
  if (program === undefined || realpathSync(program) !== realpathSync(fileURLToPath(moduleUrl))) return;
  action(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
