import { constants } from "node:fs";
import { access, mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { whenRunAsProgram } from "./checkout.mjs";
import { command, lastLines } from "./command.mjs";
import { buildFromGoModules, pinnedVersion } from "./pulumiBuild.mjs";
import { installOfficialRelease } from "./pulumiRelease.mjs";
import { compareVersions } from "./version.mjs";

const oldestVersion = "3.250.0";
const extensions = process.platform === "win32" ? [".exe", ".cmd"] : [""];
const companions = ["pulumi-language-nodejs", "pulumi-resource-pulumi-nodejs"];

/**
 * @typedef {object} Pulumi a Pulumi CLI with its Node language host
 * @property {string} bin the program `pulumi`
 * @property {string} folder the folder of the program; with the folder first on PATH, the CLI works
 * @property {string} version the version, such as `3.259.0`
 */

/**
 * Finds a Pulumi CLI with its Node language host, or installs one below `~/.pulumi/versions`, in which the npm package `pulumi`
 * and the Automation API also look for it. The environment variable `PULUMI_HOME` moves that folder, as it does for these two.
 * @returns {Promise<Pulumi>}
 * @throws when no CLI is found and none can be installed, with the reason of each attempt
 */
export async function findPulumi() {
  if (process.env.PIPESTACK_PULUMI) return await namedByUser(process.env.PIPESTACK_PULUMI);

  const versions = join(process.env.PULUMI_HOME || join(homedir(), ".pulumi"), "versions");
  const cache = join(versions, pinnedVersion, "bin");
  /** @type {[string, () => Promise<Pulumi>][]} */
  const ways = [
    ["PATH", onPath],
    ["cache", () => inFolder(cache)],
    [
      "official release",
      () => install(versions, cache, (folder) => installOfficialRelease(pinnedVersion, folder)),
    ],
    ["Go modules", () => install(versions, cache, (folder) => buildFromGoModules(folder).then(() => folder))],
  ];
  const refusals = [];
  for (const [way, find] of ways) {
    try {
      return await find();
    } catch (/** @type {any} */ error) {
      refusals.push(`  ${way}: ${error.message}`);
    }
  }
  throw new Error(`No Pulumi CLI was found, and none could be installed:
${refusals.join("\n")}
Install the Pulumi CLI, ${oldestVersion} or newer (https://www.pulumi.com/docs/install/), or Go (https://go.dev/dl/), and try again.
A CLI that is not on PATH can be named by the environment variable PIPESTACK_PULUMI.`);
}

/** Returns the Pulumi CLI that the user names by the environment variable PIPESTACK_PULUMI. @param {string} path */
async function namedByUser(path) {
  try {
    return (await stat(path)).isDirectory() ? await inFolder(path) : await inspect(path);
  } catch (/** @type {any} */ error) {
    throw new Error(`PIPESTACK_PULUMI is ${path}, which cannot be used: ${error.message}`);
  }
}

async function onPath() {
  const programs = await programsIn(pathFolders(), "pulumi");
  if (programs.length === 0) throw new Error("no pulumi there");
  const refusals = [];
  for (const bin of programs) {
    try {
      return await inspect(bin);
    } catch (/** @type {any} */ error) {
      refusals.push(error.message);
    }
  }
  throw new Error(refusals.join("; "));
}

/** The Pulumi CLI in a folder. @param {string} folder */
async function inFolder(folder) {
  const [bin] = await programsIn([folder], "pulumi");
  if (bin === undefined) throw new Error(`no pulumi in ${folder}`);
  return await inspect(bin);
}

/**
 * Checks that a Pulumi CLI runs, is new enough, and has what it needs to run Node programs and dynamic providers.
 * @param {string} bin
 */
async function inspect(bin) {
  const environment = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "1" };
  const answer = await command(bin, ["version"], { environment, timeoutSeconds: 60 });
  const version = /^v?(\d+\.\d+\.\d+)/.exec(answer.stdout)?.[1];
  if (answer.code !== 0 || version === undefined) {
    throw new Error(`${bin} version fails: ${lastLines(answer.output, 1)}`);
  }
  if (compareVersions(version, oldestVersion) < 0) {
    throw new Error(`${bin} is ${version}, older than ${oldestVersion}`);
  }
  const places = [dirname(bin), dirname(await realpath(bin)), ...pathFolders()];
  for (const companion of companions) {
    if ((await programsIn(places, companion)).length === 0)
      throw new Error(`${bin} comes without ${companion}`);
  }
  return { bin, folder: dirname(bin), version };
}

/**
 * Installs a Pulumi CLI into a folder beside the cache, tries its programs, and only then moves them into the cache. The cache
 * is complete or missing, even if two installations run at once, or one is killed: each move is atomic, and `pulumi` itself is
 * moved last.
 * @param {string} versions
 * @param {string} cache
 * @param {(folder: string) => Promise<string>} fill returns the folder with the programs
 */
async function install(versions, cache, fill) {
  await mkdir(versions, { recursive: true });
  const draft = await mkdtemp(join(versions, ".incomplete-"));
  try {
    const filled = await fill(draft);
    await inFolder(filled);
    await mkdir(cache, { recursive: true });
    const isCli = (/** @type {string} */ name) =>
      extensions.some((extension) => name === `pulumi${extension}`);
    const names = (await readdir(filled)).sort((a, b) => Number(isCli(a)) - Number(isCli(b)));
    for (const name of names) await moveUnlessInUse(join(filled, name), join(cache, name));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return await inFolder(cache);
}

/**
 * Moves a program of the Pulumi CLI into the cache. If Windows refuses to replace a running program, another installation was
 * faster, and its program is used.
 * @param {string} from
 * @param {string} to
 */
async function moveUnlessInUse(from, to) {
  try {
    await rename(from, to);
  } catch (/** @type {any} */ error) {
    if (!["EPERM", "EBUSY", "EACCES"].includes(error.code) || !(await isProgram(to))) throw error;
  }
}

function pathFolders() {
  return (process.env.PATH ?? "").split(delimiter).filter((folder) => folder !== "");
}

/**
 * The paths of programs of this name in the given folders.
 * @param {string[]} folders
 * @param {string} name
 */
async function programsIn(folders, name) {
  const candidates = folders.flatMap((folder) =>
    extensions.map((extension) => join(folder, name + extension)),
  );
  const programs = [];
  for (const candidate of new Set(candidates)) if (await isProgram(candidate)) programs.push(candidate);
  return programs;
}

/** Whether a path leads to an executable file that is not empty. @param {string} path */
async function isProgram(path) {
  try {
    await access(path, constants.X_OK);
    const entry = await stat(path);
    return entry.isFile() && entry.size > 0;
  } catch {
    return false;
  }
}

whenRunAsProgram(import.meta.url, async () => console.log((await findPulumi()).folder));
