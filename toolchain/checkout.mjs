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
 * Runs `action` if Node was started with the module that has this `import.meta.url`. An error ends the process with its message
 * and exit code 1.
 * @param {string} moduleUrl
 * @param {(args: string[]) => Promise<void>} action the main function, which gets the arguments of the program
 */
export function whenRunAsProgram(moduleUrl, action) {
  const program = process.argv[1];
  if (program === undefined || realpathSync(program) !== realpathSync(fileURLToPath(moduleUrl))) return;
  action(process.argv.slice(2)).catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
