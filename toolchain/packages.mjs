import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { buildWhenChanged, packageNames } from "./build.mjs";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { command } from "./command.mjs";

const requiredFiles = ["package.json", "README.md", "LICENSE"];

/** The pages that only the package of the provider has. */
const requiredPages = ["docs/README.md", "dist/reference/README.md"];

/**
 * Packs both packages as they are published, and checks the tarballs: their files, and by publint and
 * arethetypeswrong that every way to import them finds its modules and types.
 */
async function checkPackages() {
  for (const name of packageNames) await buildWhenChanged(name);
  const build = inCheckout(".build");
  await mkdir(build, { recursive: true });
  const folder = await mkdtemp(join(build, "packages-"));
  try {
    const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder, ".", "./sandbox"];
    /** @type {{ filename: string, files: { path: string }[] }[]} */
    const packed = JSON.parse((await succeed("npm", args)).stdout);
    for (const { filename, files } of packed) {
      const required = filename.startsWith("pipestack-sandbox")
        ? requiredFiles
        : [...requiredFiles, ...requiredPages];
      const missing = required.filter((name) => !files.some(({ path }) => path === name));
      if (missing.length > 0) throw new Error(`${filename} lacks ${missing.join(", ")}`);
      console.log(`${filename}: ${files.length} files`);
    }
    const tarballs = packed.map(({ filename }) => join(folder, filename));
    // Resolution as in Node before 12.7, which knows no `exports`, is not supported.
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
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} program
 * @param {string[]} args
 */
async function succeed(program, args) {
  const result = await command(program, args, { cwd: root });
  if (result.code !== 0) throw new Error(result.output);
  return result;
}

whenRunAsProgram(import.meta.url, checkPackages);
