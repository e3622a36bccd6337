import { inCheckout } from "./checkout.mjs";
import { bundleWithLicenses } from "./notices.mjs";
import { withoutFetch } from "./withoutFetch.mjs";

/**
 * In the single scope of a bundle, functions and classes with the same name are renamed. This code gives the bundle's exports
 * the names that they have in the sources.
 */
const exportsByTheirNames = `for (const [name, value] of Object.entries(module.exports))
  if (typeof value === "function") Object.defineProperty(value, "name", { value: name });`;

/**
 * Packages that are installed beside pipestack, and so are not part of its bundle. The bundle contains only axios, since its
 * modules would take longer to load one by one.
 */
const installed = ["@pulumi/pulumi", "ajv", "ajv-formats", "commander", "fflate"];

/**
 * Bundles the modules that a program loads and those that the engine's dynamic host loads into one file each: both start with
 * each command, and load one file faster than a hundred. The bundles are made from the TypeScript sources: modules compiled for
 * Node.js could not share one scope, and would take 1.4 times as long to load. The bundles do not name their source maps:
 * Pulumi's SDK reads the map of each file in a stack trace, and takes a stack trace for every resource, so that each program
 * would spend 70 ms.
 * @param {{ inLines?: boolean }} [options] `inLines` keeps the lines of the sources and names the maps, since coverage is
 *   measured by lines
 * @returns {Promise<string>} the path of the file with the licenses
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
      plugins: [withoutFetch],
      platform: "node",
      format: "cjs",
      target: "node20.19",
      // Shorter names in the bundle would load no faster, and errors show the names of their classes.
      minifyWhitespace: !inLines,
      footer: { js: exportsByTheirNames },
      sourcemap: inLines ? "linked" : "external",
    },
    licenses,
  );
  return licenses;
}
