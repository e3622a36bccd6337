import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inCheckout, root } from "./checkout.mjs";

/** The resource plugin as one file, and the licenses of the packages in it. */
export const pluginBundle = {
  program: inCheckout("dist", "plugin.js"),
  licenses: inCheckout("dist", "plugin.LICENSES"),
};

/**
 * Makes one file of the compiled plugin and all that it imports: it starts in two thirds of the CPU time of some 300
 * modules, and needs nothing that is installed beside it.
 * @returns {Promise<string[]>} the paths that it wrote
 */
export async function bundlePlugin() {
  const { text, packages } = await bundle();
  const licenses = await Promise.all(packages.map(licenseIn));
  await writeFile(pluginBundle.program, text);
  await writeFile(pluginBundle.licenses, licenses.join("\n"));
  return Object.values(pluginBundle);
}

/** The folders of the packages of which the bundle has modules. */
export async function bundledPackages() {
  return (await bundle()).packages;
}

async function bundle() {
  // Loaded here because packages are installed first.
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["dist/provider/plugin.js"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: "node20.19",
    // Shorter names would not make it faster, and errors show the names of their classes.
    minifyWhitespace: true,
    logLevel: "error",
    plugins: [withDescriptions],
  });
  const folders = Object.keys(metafile.inputs).map(
    (path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0],
  );
  const packages = [...new Set(folders)].filter((folder) => folder !== undefined).sort();
  return { text: outputFiles[0]?.text ?? "", packages: packages.map((folder) => inCheckout(folder)) };
}

/**
 * The license of a package, whose text has to go with what is made of it.
 * @param {string} folder
 */
export async function licenseIn(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  const text = file === undefined ? license : await readFile(join(folder, file), "utf8");
  return `${name} ${version}\n\n${text.trim()}\n`;
}

/**
 * An archive has no file to read the descriptions from.
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
