import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { succeed } from "./command.mjs";
import { archivedNodeVersion, installNode } from "./nodeVersions.mjs";
import { licenseIn } from "./notices.mjs";
import { pluginBundle } from "./pluginBundle.mjs";
import { withProgress } from "./progress.mjs";
import { compile } from "./setup.mjs";

const archives = inCheckout("archives");
const recorder = inCheckout("toolchain", "archiveRecorder.cjs");
const windows = process.platform === "win32";
const program = `pulumi-resource-pipestack${windows ? ".exe" : ""}`;

/** The platforms for which a release has an archive of the resource plugin, by the names that Pulumi gives them. */
export const platforms = ["linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64"];

const systems = { darwin: "darwin", linux: "linux", win32: "windows" };
const architectures = { arm64: "arm64", x64: "amd64" };

/**
 * Makes the archive of the resource plugin for this platform, unless the existing archive was made of these sources. The
 * archive contains one program that includes Node, for machines without Node. `pulumi plugin install resource pipestack
 * <version> --file <archive>` installs it.
 * @returns {Promise<{ version: string, file: string }>}
 */
export async function buildArchive() {
  await compile();
  const { version } = JSON.parse(await readFile(inCheckout("package.json"), "utf8"));
  const file = archiveFile(version, platform());
  const sources = [fileURLToPath(import.meta.url), recorder, pluginBundle.program, pluginBundle.bundle];
  const texts = await Promise.all(sources.map((path) => readFile(path)));
  const fingerprint = createHash("sha256")
    .update([archivedNodeVersion, ...texts].join("\n"))
    .digest("hex");
  const stamp = inCheckout(".build", "archive.sha256");
  if (existsSync(file) && existsSync(stamp) && (await readFile(stamp, "utf8")) === fingerprint)
    return { version, file };

  const node = join(await installNode(archivedNodeVersion), windows ? "node.exe" : "node");
  for (const folder of [archives, inCheckout(".build")]) await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(join(archives, ".incomplete-"));
  try {
    await withProgress("Building the archive of the plugin", async () => {
      // This option limits the memory that Node reserves for new objects. With Node's default, the plugin's process would
      // need a fifth more memory. With less, or a heap that grows slowly, it would spend a tenth more CPU time.
      const execArgv = ["--max-semi-space-size=2"];
      const { program: main, bundle } = pluginBundle;
      const assets = { bundle, code: join(draft, "code") };
      const codeCache = inCheckout("dist", "cli", "codeCache.js");
      await succeed(node, [...execArgv, recorder, codeCache, assets.bundle, assets.code]);
      const config = { main, output: join(draft, program), executable: node, assets, execArgv };
      await writeFile(
        join(draft, "sea.json"),
        JSON.stringify({ ...config, disableExperimentalSEAWarning: true }),
      );
      await succeed(node, ["--build-sea", join(draft, "sea.json")]);
      // On Apple's processors only signed programs run, so this step signs the plugin's program.
      if (process.platform === "darwin") await succeed("codesign", ["--sign", "-", join(draft, program)]);
      const licenses = [
        licenseIn(root),
        licenseIn(join(dirname(node), "..")),
        readFile(pluginBundle.licenses, "utf8"),
      ];
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
 * Returns the path of the plugin's archive for a platform, once it is built or downloaded.
 * @param {string} version
 * @param {string} platform
 */
export function archiveFile(version, platform) {
  return join(archives, `pulumi-resource-pipestack-v${version}-${platform}.tar.gz`);
}

export function platform() {
  const system = systems[/** @type {keyof typeof systems} */ (process.platform)];
  const architecture = architectures[/** @type {keyof typeof architectures} */ (process.arch)];
  if (!system || !architecture)
    throw new Error(`There is no archive for ${process.platform} on ${process.arch}.`);
  return `${system}-${architecture}`;
}

whenRunAsProgram(import.meta.url, async () => console.log((await buildArchive()).file));
