import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inCheckout, root } from "../checkout.mjs";
import { succeed } from "../command.mjs";
import { pythonEnvironment } from "../languages.mjs";
import { generateSdks } from "../sdk.mjs";

/**
 * @typedef {object} Sdks the SDKs of the resource plugin as they are published
 * @property {import("./packages.mjs").Packed} node
 * @property {string[]} python the names of the wheel and the source distribution
 * @property {GoModule} go
 */

/**
 * Describes the SDK for Go. Go fetches modules from tags, so the SDK's generated files need a commit, although git ignores them
 * in the checkout.
 * @typedef {object} GoModule
 * @property {string} path the path of the module
 * @property {string} version the version of the module, with the prefix v
 * @property {string} tag the git tag by which Go finds this version of a module in a folder of a repository
 * @property {string} commit the commit with only the module, in its folder
 * @property {string} archive the name of the module's zip file, as proxies of Go modules serve it
 */

/**
 * Builds the plugin's SDKs for Node, Python and Go.
 * @param {string} folder gets the files
 * @returns {Promise<Sdks>}
 */
export async function packSdks(folder) {
  const sdk = await generateSdks();
  await mkdir(folder, { recursive: true });
  const draft = await mkdtemp(inCheckout(".build", "sdks-"));
  try {
    // The packing tools write files beside the sources, so this code copies the SDKs first. It adds the license, which the SDK
    // generator leaves out.
    for (const [from, to] of [
      ["nodejs/bin", "nodejs"],
      ["python", "python"],
      ["go", "sdk/go"],
    ]) {
      await cp(join(sdk, ...(from ?? "").split("/")), join(draft, to ?? ""), { recursive: true });
      await copyFile(inCheckout("LICENSE"), join(draft, to ?? "", "LICENSE"));
    }
    return {
      node: await packForNode(join(draft, "nodejs"), folder),
      python: await packForPython(join(draft, "python"), folder),
      go: await packForGo(draft, folder),
    };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Packs the SDK for Node, as it is published.
 * @param {string} source
 * @param {string} folder
 */
async function packForNode(source, folder) {
  const args = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const [packed] = JSON.parse((await succeed("npm", args, { cwd: source })).stdout);
  return packed;
}

/**
 * Packs the SDK for Python, as it is published.
 * @param {string} source
 * @param {string} folder
 */
async function packForPython(source, folder) {
  const output = join(source, "dist");
  // The functions of the Python build backend are called directly, since a build frontend would first download an environment
  // for them.
  const imports = "from setuptools.build_meta import build_sdist, build_wheel";
  await mkdir(output);
  for (const step of ["build_sdist('dist')", "build_wheel('dist')"])
    await succeed(join(await pythonEnvironment(), "python"), ["-c", `${imports}; ${step}`], { cwd: source });
  const names = await readdir(output);
  await Promise.all(names.map((name) => copyFile(join(output, name), join(folder, name))));
  return names.sort();
}

/**
 * Packs the SDK for Go as a module and as a commit.
 * @param {string} source the folder with the module in its folder of the repository
 * @param {string} folder
 * @returns {Promise<GoModule>}
 */
async function packForGo(source, folder) {
  const modFile = await readFile(join(source, "sdk", "go", "go.mod"), "utf8");
  const path = /^module (\S+)$/m.exec(modFile)?.[1] ?? "";
  const version = `v${JSON.parse(await readFile(inCheckout("package.json"), "utf8")).version}`;
  const [tag, archive] = [`sdk/go/${version}`, `pipestack-sdk-go-${version}.zip`];
  const commit = await commitOf(source, `sdk: SDK for Go ${version}`);

  // Go itself makes the zip file of the SDK's module from the tag, as it will do for users.
  const repository = join(source, "repository");
  await succeed("git", ["init", "--quiet", "--bare", repository]);
  await succeed("git", ["push", "--quiet", repository, `${commit}:refs/tags/${tag}`], { cwd: root });
  const environment = {
    ...process.env,
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: `url.${pathToFileURL(repository).href}.insteadOf`,
    GIT_CONFIG_VALUE_0: `https://${path.replace(/\/sdk\/go$/, "")}`,
    ...{ GOPRIVATE: path, GOMODCACHE: join(source, "modules"), GOFLAGS: "-modcacherw" },
  };
  const download = ["mod", "download", "-json", `${path}@${version}`];
  const { stdout } = await succeed("go", download, { cwd: source, environment });
  await copyFile(JSON.parse(stdout).Zip, join(folder, archive));
  return { path, version, tag, commit, archive };
}

/**
 * Makes a git commit that has only the folder `sdk`. The same checkout always gives the same commit.
 * @param {string} source the folder that contains `sdk`
 * @param {string} message
 */
async function commitOf(source, message) {
  const git = async (
    /** @type {string[]} */ args,
    /** @type {Record<string, string | undefined>} */ variables,
  ) =>
    (await succeed("git", args, { cwd: root, environment: { ...process.env, ...variables } })).stdout.trim();
  const format = "--format=%an%n%ae%n%cI";
  const [name, email, date] = (await git(["show", "--no-patch", format], {})).split("\n");
  // The commit of the SDK for Go is made with a separate git index, so that the checkout's index stays unchanged.
  const index = { GIT_INDEX_FILE: join(source, "index") };
  await git([`--work-tree=${source}`, "add", "--force", "--all", "--", join(source, "sdk")], index);
  return await git(["commit-tree", "-m", message, await git(["write-tree"], index)], {
    ...{ GIT_AUTHOR_NAME: name, GIT_AUTHOR_EMAIL: email, GIT_AUTHOR_DATE: date },
    ...{ GIT_COMMITTER_NAME: name, GIT_COMMITTER_EMAIL: email, GIT_COMMITTER_DATE: date },
  });
}
