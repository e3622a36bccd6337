import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { command } from "./command.mjs";
import { archivedNodeVersion, installNode } from "./nodeVersions.mjs";
import { withProgress } from "./progress.mjs";
import { compile } from "./setup.mjs";

const archives = inCheckout("archives");
const windows = process.platform === "win32";
const program = `pulumi-resource-pipestack${windows ? ".exe" : ""}`;

/** The platforms that a release has an archive for, in Pulumi's names. */
export const platforms = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"];

/** Pulumi's names of what Node calls otherwise. */
const systems = { darwin: "darwin", linux: "linux", win32: "windows" };
const architectures = { arm64: "arm64", x64: "amd64" };

/**
 * Makes the archive of the resource plugin for this platform, unless it is that of these sources: one program, Node within
 * it, for machines without Node. `pulumi plugin install resource pipestack <version> --file <archive>` installs it.
 * @returns {Promise<{ version: string, file: string }>}
 */
export async function buildArchive() {
  await compile();
  const { version } = JSON.parse(await readFile(inCheckout("package.json"), "utf8"));
  const file = archiveFile(version, platform());
  const { bundle, packages } = await bundlePlugin();
  const fingerprint = createHash("sha256").update(archivedNodeVersion).update(bundle).digest("hex");
  const stamp = inCheckout(".build", "archive.sha256");
  if (existsSync(file) && existsSync(stamp) && (await readFile(stamp, "utf8")) === fingerprint)
    return { version, file };

  const node = join(await installNode(archivedNodeVersion), windows ? "node.exe" : "node");
  for (const folder of [archives, inCheckout(".build")]) await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(join(archives, ".incomplete-"));
  try {
    await withProgress("Building the archive of the plugin", async () => {
      const main = join(draft, "plugin.js");
      await writeFile(main, bundle);
      const config = { main, output: join(draft, program), executable: node, useCodeCache: true };
      await writeFile(
        join(draft, "sea.json"),
        JSON.stringify({ ...config, disableExperimentalSEAWarning: true }),
      );
      await succeed(node, ["--build-sea", join(draft, "sea.json")]);
      // Apple's processors run signed programs alone.
      if (process.platform === "darwin") await succeed("codesign", ["--sign", "-", join(draft, program)]);
      const licenses = [root, join(dirname(node), ".."), ...packages].map(licenseIn);
      await writeFile(join(draft, "LICENSES"), (await Promise.all(licenses)).join("\n"));
      await succeed("tar", ["-czf", join(draft, "archive"), "-C", draft, program, "LICENSES"]);
      await rename(join(draft, "archive"), file);
      await writeFile(stamp, fingerprint);
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { version, file };
}

/**
 * Where the archive of a platform is, once it is built or fetched.
 * @param {string} version
 * @param {string} platform
 */
export function archiveFile(version, platform) {
  return join(archives, `pulumi-resource-pipestack-v${version}-${platform}.tar.gz`);
}

/** The platform that this is. */
export function platform() {
  const system = systems[/** @type {keyof typeof systems} */ (process.platform)];
  const architecture = architectures[/** @type {keyof typeof architectures} */ (process.arch)];
  if (!system || !architecture)
    throw new Error(`There is no archive for ${process.platform} on ${process.arch}.`);
  return `${system}-${architecture}`;
}

/** The compiled plugin with all that it imports as one module, and the folders of the packages in it. */
export async function bundlePlugin() {
  // Loaded here because packages are installed first.
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["dist/provider/plugin.js"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    target: `node${archivedNodeVersion}`,
    minify: true,
    // Names of errors show in messages.
    keepNames: true,
    logLevel: "error",
    plugins: [withDescriptions],
  });
  const folders = Object.keys(metafile.inputs).map(
    (path) => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0],
  );
  const packages = [...new Set(folders)].filter((folder) => folder !== undefined);
  return { bundle: outputFiles[0]?.text ?? "", packages: packages.map((folder) => inCheckout(folder)) };
}

/**
 * The license of a package, whose text has to go with what is made of it.
 * @param {string} folder
 */
async function licenseIn(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((name) => /^licen[cs]e/i.test(name));
  const text = file === undefined ? license : await readFile(join(folder, file), "utf8");
  return `${name} ${version}\n\n${text.trim()}\n`;
}

/**
 * A program without a package of its own has no file to read the descriptions from.
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

/**
 * @param {string} name
 * @param {string[]} args
 */
async function succeed(name, args) {
  const { code, output } = await command(name, args);
  if (code !== 0) throw new Error(`The archive cannot be built, because ${name} fails:\n${output}`);
}

whenRunAsProgram(import.meta.url, async () => console.log((await buildArchive()).file));
