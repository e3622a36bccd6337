import { createHash } from "node:crypto";
import { readFile, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { inCheckout } from "./checkout.mjs";
import { bundleWithLicenses } from "./notices.mjs";
import { withoutFetch } from "./withoutFetch.mjs";

/** @type {import("esbuild").BuildOptions} */
const options = { bundle: true, platform: "node", target: "node20.19" };

/** What the plugin's program runs: a function of what a module of Node sees, with the hash of its text in the first line. */
const bundle = inCheckout("dist", "pluginBundle.js");

export const pluginBundle = {
  program: inCheckout("dist", "plugin.js"),
  bundle,
  licenses: inCheckout("dist", "plugin.LICENSES"),
};

/**
 * Bundles the compiled resource plugin and everything that it imports into one file, and its program, which runs that file, into
 * another. They need no installed packages, and start in two thirds of the CPU time that some 300 modules need.
 * @returns {Promise<string[]>} the paths that it wrote
 */
export async function bundlePlugin() {
  await bundled(true);
  // V8 takes two bytes for each character of a text that has others than ASCII. Regular expressions keep such characters.
  const text = (await readFile(bundle, "utf8")).replace(/[^\0-\x7f]/g, escaped);
  const hash = createHash("sha256").update(text).digest("hex");
  await writeFile(`${bundle}.new`, `// ${hash}\n${text}`);
  await rename(`${bundle}.new`, bundle);
  const program = { entryPoints: ["dist/cli/plugin.js"], outfile: pluginBundle.program };
  await bundleWithLicenses({ ...options, ...program }, inCheckout("dist", "program.LICENSES"));
  return Object.values(pluginBundle);
}

/** @param {string} unit of UTF-16 */
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

export function bundledPackages() {
  return bundled(false);
}

/** Bundles the resource plugin with esbuild. @param {boolean} write */
function bundled(write) {
  return bundleWithLicenses(
    {
      ...options,
      entryPoints: ["dist/cli/pluginServer.js"],
      outfile: bundle,
      write,
      // Shorter names in the plugin's bundle would load no faster, and errors show the names of their classes.
      minifyWhitespace: true,
      alias: { "form-data": inCheckout("toolchain", "noFormData.mjs") },
      banner: { js: "(function (exports, require, module, __filename, __dirname) {" },
      footer: { js: "})" },
      plugins: [withSchema, withoutFetch],
    },
    pluginBundle.licenses,
  );
}

/**
 * Puts the text of the package schema into the plugin's bundle, in the place of the module that makes it from the definitions and
 * their descriptions, which takes longer than to start the plugin.
 * @type {import("esbuild").Plugin}
 */
const withSchema = {
  name: "schema",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]hosts[/\\]plugin[/\\]schemaText\.js$/ }, ({ path }) => {
      const compiled = createRequire(path);
      const text = compiled(path).schemaText(compiled("./offer").offer);
      return { contents: `exports.schemaText = () => ${JSON.stringify(text)};` };
    });
  },
};
