import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./checkout.mjs";

/**
 * Makes a bundle with esbuild, and writes the licenses of all packages in it to a file, since their texts have to be shipped
 * with the bundle. This function makes every published bundle. If the bundle contains no other package, it writes no file.
 * @param {import("esbuild").BuildOptions} options
 * @param {string} licenses path of the file
 * @returns {Promise<string[]>} the folders of the packages in the bundle
 */
export async function bundleWithLicenses(options, licenses) {
  // esbuild is imported only when a bundle is made, since the toolchain also runs before packages are installed.
  const { build } = await import("esbuild");
  const { absWorkingDir = root } = options;
  const { metafile } = await build({ logLevel: "error", ...options, absWorkingDir, metafile: true });
  const packages = packagesIn(absWorkingDir, Object.keys(metafile.inputs));
  const texts = await Promise.all(packages.map(licenseIn));
  if (options.write !== false) {
    if (texts.length > 0) await writeFile(licenses, texts.join("\n"));
    else await rm(licenses, { force: true });
  }
  return packages;
}

/**
 * Finds the folders of the packages to which files belong.
 * @param {string} base the folder to which the paths of the files are relative
 * @param {readonly string[]} files
 */
function packagesIn(base, files) {
  const folders = files.map((file) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map((folder) => join(base, folder));
}

/**
 * Reads the text of a package's license from its license file, or else from a section of its README.
 * @param {string} folder
 * @throws if the package has neither
 */
export async function licenseIn(folder) {
  const { name, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const files = await readdir(folder);
  const read = async (/** @type {RegExp} */ pattern) => {
    const file = files.find((candidate) => pattern.test(candidate));
    return file && readFile(join(folder, file), "utf8");
  };
  const text = (await read(/^licen[cs]e/i)) ?? licenseSection(await read(/^readme/i));
  if (!text?.trim())
    throw new Error(`${name} ${version} has no text of its license, which has to be shipped`);
  return `${name} ${version}\n\n${text.trim()}\n`;
}

/**
 * Finds the section of a package's README that has the text of a license. The license's name or a link alone does not count.
 * @param {string} [readme]
 */
function licenseSection(readme = "") {
  const [, below = ""] = readme.split(/^(?:#+ *licen[cs]e.*|licen[cs]e\n-+)$/im);
  const [section = ""] = below.split(/^#+ |^.+\n[-=]{3,}$/m);
  return /copyright/i.test(section) ? section : undefined;
}
