import { inCheckout } from "./checkout.mjs";
import { bundleWithLicenses } from "./notices.mjs";

/** The resource plugin as one file, and the licenses of the packages in it. */
export const pluginBundle = {
  program: inCheckout("dist", "plugin.js"),
  licenses: inCheckout("dist", "plugin.LICENSES"),
};

/**
 * Bundles the compiled plugin and everything that it imports into one file. This needs two thirds of the CPU time to
 * start, compared with some 300 modules, and no installed packages.
 * @returns {Promise<string[]>} the paths that it wrote
 */
export async function bundlePlugin() {
  await bundle(true);
  return Object.values(pluginBundle);
}

/** The folders of the packages in the plugin's bundle. */
export function bundledPackages() {
  return bundle(false);
}

/** @param {boolean} write */
function bundle(write) {
  return bundleWithLicenses(
    {
      entryPoints: ["dist/provider/plugin.js"],
      outfile: pluginBundle.program,
      bundle: true,
      write,
      platform: "node",
      target: "node20.19",
      // Shorter names would not make loading faster, and errors show the names of their classes.
      minifyWhitespace: true,
      plugins: [withDescriptions],
    },
    pluginBundle.licenses,
  );
}

/**
 * Puts the descriptions into the bundle, since an archive has no file to read them from.
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
