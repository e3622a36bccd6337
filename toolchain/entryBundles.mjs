import { join } from "node:path";
import { inCheckout, root } from "./checkout.mjs";

/**
 * Makes one file each of what a program and the engine's dynamic host load, with all modules of this package that they
 * import: both start with each command, and load the file in less than half of the time of the modules. Other packages
 * stay outside.
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
    sourcemap: true,
    logLevel: "error",
  });
}
