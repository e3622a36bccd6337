import { inCheckout } from "./checkout.mjs";
import { bundleWithLicenses } from "./notices.mjs";

export const pluginBundle = {
  program: inCheckout("dist", "plugin.js"),
  licenses: inCheckout("dist", "plugin.LICENSES"),
};

/**
 * Bundles the compiled resource plugin and everything that it imports into one file. The file needs no installed packages, and
 * starts in two thirds of the CPU time that some 300 modules need.
 * @returns {Promise<string[]>} the paths that it wrote
 */
export async function bundlePlugin() {
  await bundle(true);
  return Object.values(pluginBundle);
}

export function bundledPackages() {
  return bundle(false);
}

/** Bundles the resource plugin with esbuild. @param {boolean} write */
function bundle(write) {
  return bundleWithLicenses(
    {
      entryPoints: ["dist/cli/plugin.js"],
      outfile: pluginBundle.program,
      bundle: true,
      write,
      platform: "node",
      target: "node20.19",
      // Shorter names in the plugin's bundle would load no faster, and errors show the names of their classes.
      minifyWhitespace: true,
      plugins: [withDescriptions],
    },
    pluginBundle.licenses,
  );
}

/**
 * Puts the descriptions of the package schema into the plugin's bundle, since a plugin archive has no file to read them from.
 * @type {import("esbuild").Plugin}
 */
const withDescriptions = {
  name: "descriptions",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]dist[/\\]provider[/\\]descriptions\.js$/ }, () => ({
      contents: 'exports.readDescriptions = () => require("./descriptions.json");',
      resolveDir: inCheckout("dist", "provider"),
    }));
  },
};
