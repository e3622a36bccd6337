import { join } from "node:path";
import { inCheckout, root } from "./checkout.mjs";

/**
 * Makes one file each of what a program and the engine's dynamic host load, with all modules of this package that they
 * import: both start with each command, and load one file faster than a hundred. Other packages stay outside.
 *
 * The files do not name their source maps: the SDK reads the map of each file that a stack trace goes through, and every
 * resource takes one, so that each program would spend 70 ms. Only the measurement of coverage uses them.
 * @returns {Promise<void>}
 */
export async function bundleEntries() {
  // Loaded here because packages are installed first.
  const { build } = await import("esbuild");
  const output = inCheckout("dist", "provider");
  await build({
    absWorkingDir: root,
    entryPoints: ["index.js", "host.js"].map((name) => join(output, name)),
    outdir: output,
    allowOverwrite: true,
    bundle: true,
    packages: "external",
    platform: "node",
    target: "node20.19",
    // Shorter names would not make it faster, and errors show the names of their classes.
    minifyWhitespace: true,
    sourcemap: "external",
    logLevel: "error",
  });
}
