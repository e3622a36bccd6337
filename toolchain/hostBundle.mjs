import { inCheckout, root } from "./checkout.mjs";

/**
 * Makes one file of what the engine's dynamic host loads, and of all modules of this package that it imports: the host
 * starts with each command, and loads the file in less than half of the time of the modules. Other packages stay outside.
 * @returns {Promise<void>}
 */
export async function bundleHost() {
  // Loaded here because packages are installed first.
  const { build } = await import("esbuild");
  const host = inCheckout("dist", "provider", "host.js");
  await build({
    absWorkingDir: root,
    entryPoints: [host],
    outfile: host,
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
