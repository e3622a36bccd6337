import { inCheckout } from "./checkout.mjs";
import { bundleWithLicenses } from "./notices.mjs";

/**
 * Names exports as the sources do: in a bundle's single scope, functions and classes with the same name are renamed.
 */
const exportsByTheirNames = `for (const [name, value] of Object.entries(module.exports))
  if (typeof value === "function") Object.defineProperty(value, "name", { value: name });`;

/**
 * Packages that are installed beside this one. Only axios is in the bundle, since its modules would take longer to load
 * one by one.
 */
const installed = ["@pulumi/pulumi", "ajv", "ajv-formats", "commander"];

/**
 * Makes one file each of what a program and the engine's dynamic host load, with all modules of this package that they
 * import: both start with each command, and load one file faster than a hundred. They are
 * made from the sources: what is compiled to modules of Node.js could not share one scope, and would load in 1.4 times
 * the time.
 *
 * The files do not name their source maps: the SDK reads the map of each file that a stack trace goes through, and every
 * resource takes one, so that each program would spend 70 ms.
 * @param {{ inLines?: boolean }} [options] `inLines` keeps the lines of the sources and names the maps: coverage is
 *   measured by lines
 * @returns {Promise<string>} the path of their licenses
 */
export async function bundleEntries({ inLines = false } = {}) {
  const licenses = inCheckout("dist", "provider", "LICENSES");
  await bundleWithLicenses(
    {
      entryPoints: ["index.ts", "host.ts"].map((name) => inCheckout("provider", name)),
      outdir: inCheckout("dist", "provider"),
      bundle: true,
      external: installed,
      alias: { "form-data": inCheckout("toolchain", "noFormData.mjs") },
      platform: "node",
      format: "cjs",
      target: "node20.19",
      // Shorter names would not make loading faster, and errors show the names of their classes.
      minifyWhitespace: !inLines,
      footer: { js: exportsByTheirNames },
      sourcemap: inLines ? "linked" : "external",
    },
    licenses,
  );
  return licenses;
}
