import { root } from "../checkout.mjs";
import { command } from "../command.mjs";

/** @typedef {(program: string, args: string[]) => Promise<import("../command.mjs").CommandResult>} Run a function that runs a program in the checkout */

/** @type {Run} */
const runHere = (program, args) => command(program, args, { cwd: root });

/** The options with which npm publishes packages. The provenance states the commit and the workflow that made them. */
const options = ["--access", "public", "--provenance", "--ignore-scripts"];

/**
 * Lets npm check the packages as it would before it publishes them.
 * @param {string[]} tarballs
 * @param {Run} [run]
 */
export async function tryPublishing(tarballs, run = runHere) {
  for (const tarball of tarballs) await succeed(run, "npm", ["publish", tarball, "--dry-run", ...options]);
}

/**
 * @typedef {object} Release the parts of a release that are published
 * @property {string} version
 * @property {{ name: string, integrity: string, tarball: string }[]} packages
 * @property {{ tag: string, commit: string }} go the tag and commit of the SDK for Go
 * @property {string} notes the file with the text of the release
 * @property {string[]} files the files that people download
 */

/**
 * Publishes the packages and the SDK for Go, then the release on GitHub. If it is run again after a failure, it goes on at the
 * failed step: a published version can neither be taken back nor be replaced.
 * @param {Release} release
 * @param {Run} [run]
 */
export async function publish({ version, packages, go, notes, files }, run = runHere) {
  for (const { name, integrity, tarball } of packages) {
    const published = await publishedIntegrity(run, `${name}@${version}`);
    if (published === undefined) await succeed(run, "npm", ["publish", tarball, ...options]);
    else if (published !== integrity)
      throw new Error(`${name}@${version} is published with other contents; give the release a new version`);
  }
  const tagged = await taggedCommit(run, go.tag);
  if (tagged === undefined) await succeed(run, "git", ["push", "origin", `${go.commit}:refs/tags/${go.tag}`]);
  else if (tagged !== go.commit)
    throw new Error(`the tag ${go.tag} exists with other contents; give the release a new version`);
  const title = `pipestack ${version}`;
  const release = [`v${version}`, "--verify-tag", "--title", title, "--notes-file", notes];
  await succeed(run, "gh", ["release", "create", ...release, ...files]);
}

/**
 * Returns the checksum that npm has for a published version of a package; undefined if npm does not have the version.
 * @param {Run} run
 * @param {string} specifier
 */
async function publishedIntegrity(run, specifier) {
  const { code, stdout, output } = await run("npm", ["view", specifier, "dist.integrity"]);
  if (code === 0) return stdout.trim() || undefined;
  if (/\bE404\b/.test(output)) return undefined;
  throw new Error(`npm does not tell whether ${specifier} is published:\n${output}`);
}

/**
 * Finds the commit of a tag on GitHub; undefined if there is no such tag.
 * @param {Run} run
 * @param {string} tag
 */
async function taggedCommit(run, tag) {
  const { stdout } = await succeed(run, "git", ["ls-remote", "origin", `refs/tags/${tag}`]);
  return stdout.split("\t", 1)[0]?.trim() || undefined;
}

/**
 * Runs a program in the checkout that has to end with exit code 0.
 * @param {Run} run
 * @param {string} program
 * @param {string[]} args
 */
async function succeed(run, program, args) {
  const result = await run(program, args);
  const { code, output } = result;
  if (code === 0) return result;
  throw new Error(`${program} ${args.slice(0, 2).join(" ")} fails:\n${output}`);
}
