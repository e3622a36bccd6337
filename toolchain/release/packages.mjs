import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { buildWhenChanged, packageNames } from "../build.mjs";
import { inCheckout, root } from "../checkout.mjs";
import { succeed } from "../command.mjs";

const requiredFiles = ["package.json", "README.md", "LICENSE"];

const requiredPages = ["docs/README.md", "dist/reference/README.md"];

/**
 * @typedef {object} Packed an npm package as it is published
 * @property {string} name
 * @property {string} version
 * @property {string} filename
 * @property {number} size the size in bytes
 * @property {string} integrity
 * @property {{ path: string }[]} files
 */

/**
 * Packs both npm packages as they are published, and checks the tarballs: their files, and with publint and arethetypeswrong
 * that every kind of import finds its modules and types.
 * @param {string} folder gets the tarballs
 * @returns {Promise<Packed[]>}
 */
export async function packPackages(folder) {
  for (const name of packageNames) await buildWhenChanged(name);
  await mkdir(folder, { recursive: true });
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder, ".", "./sandbox"];
  /** @type {Packed[]} */
  const packed = JSON.parse((await succeed("npm", args, { cwd: root })).stdout);
  for (const { name, filename, files } of packed) {
    const required = name === "pipestack" ? [...requiredFiles, ...requiredPages] : requiredFiles;
    const missing = required.filter((name) => !files.some(({ path }) => path === name));
    if (missing.length > 0) throw new Error(`${filename} lacks ${missing.join(", ")}`);
  }
  const tarballs = packed.map(({ filename }) => join(folder, filename));
  // Node before 12.7 ignores the `exports` of a package. pipestack does not support it, so the check leaves this Node out.
  const options = ["--profile", "node16", "--no-color", "--no-emoji"];
  await Promise.all(
    tarballs.flatMap((tarball) => [
      succeed(process.execPath, [
        inCheckout("node_modules", "publint", "src", "cli.js"),
        "--strict",
        tarball,
      ]),
      succeed(process.execPath, [
        inCheckout("node_modules", "@arethetypeswrong", "cli", "dist", "index.js"),
        tarball,
        ...options,
      ]),
    ]),
  );
  return packed;
}
