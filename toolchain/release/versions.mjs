import { readFile } from "node:fs/promises";
import { inCheckout, root } from "../checkout.mjs";
import { succeed } from "../command.mjs";

/**
 * @typedef {object} Facts the facts of a checkout that a release of it has to agree on
 * @property {Record<string, Manifest>} manifests the package.json files by their paths
 * @property {Record<string, string | undefined>} locked the versions in package-lock.json, by the folders of the packages
 * @property {Record<string, string>} texts pages and manifests of examples, by their paths
 * @property {string} changelog
 * @property {string[]} tags the git tags of the commit
 * @property {string[]} changes the files with uncommitted changes
 */

/**
 * @typedef {object} Manifest
 * @property {string} version
 * @property {string} [license]
 * @property {{ url?: string, directory?: string }} [repository]
 * @property {string} [homepage]
 * @property {string} [bugs]
 * @property {{ node?: string }} [engines]
 */

const manifests = { "package.json": "", "sandbox/package.json": "sandbox" };

/** Reads the facts of this checkout that a release has to agree on. @returns {Promise<Facts>} */
export async function readFacts() {
  const named = await git("ls-files", "*.md", "examples/**/package.json", "examples/**/go.mod");
  const pages = named.filter((path) => path !== "CHANGELOG.md");
  const { packages } = JSON.parse(await read("package-lock.json"));
  return {
    manifests: await valuesByPath(Object.keys(manifests), async (path) => JSON.parse(await read(path))),
    locked: Object.fromEntries(Object.values(manifests).map((folder) => [folder, packages[folder]?.version])),
    texts: await valuesByPath(pages, read),
    changelog: await read("CHANGELOG.md"),
    tags: await git("tag", "--points-at", "HEAD"),
    changes: await git("status", "--porcelain"),
  };
}

/**
 * Lists the problems of a checkout that prevent any release, published or not.
 * @param {Facts} facts
 * @returns {string[]}
 */
export function problemsIn({ manifests, locked, texts, changelog, tags }) {
  const version = manifests["package.json"]?.version ?? "";
  const problems = [];
  if (!/^\d+\.\d+\.\d+$/.test(version))
    problems.push(`package.json: the version "${version}" is not three numbers`);
  for (const [path, manifest] of Object.entries(manifests)) {
    if (manifest.version !== version)
      problems.push(`${path}: the version is ${manifest.version}, not ${version}`);
    for (const member of /** @type {const} */ (["license", "repository", "homepage", "bugs", "engines"]))
      if (!manifest[member]) problems.push(`${path}: ${member} is missing`);
  }
  for (const [folder, lockedVersion] of Object.entries(locked))
    if (lockedVersion !== version)
      problems.push(
        `package-lock.json: the version of "${folder}" is ${lockedVersion}, not ${version}; run npm install`,
      );
  for (const [path, text] of Object.entries(texts))
    for (const [mention, mentionedVersion] of text.matchAll(mentions))
      if (mentionedVersion !== version) problems.push(`${path}: "${mention}" is not of version ${version}`);
  const versionTags = tags.filter((tag) => /^v\d/.test(tag));
  if (versionTags.length > 0 && !versionTags.includes(`v${version}`))
    problems.push(
      `the commit has the tag ${versionTags.join(", ")}, but the packages have the version ${version}`,
    );
  if (releaseNotes(changelog, version) === "" && releaseNotes(changelog, unreleased) === "")
    problems.push(`CHANGELOG.md: neither "## ${version}" nor "## ${unreleased}" has an entry`);
  return problems;
}

/** Matches versions of this project in texts of the docs: those of tarballs, archives, SDKs and dependencies. */
const mentions = /\bpipestack(?:-sandbox)?(?:": "\^|\/sdk\/go v|-v?| |@)(\d+\.\d+\.\d+)/g;

/**
 * Lists the problems of a checkout that only prevent the publication of its release.
 * @param {Facts} facts
 * @returns {string[]}
 */
export function pendingIn({ manifests, texts, changelog, tags, changes }) {
  const version = manifests["package.json"]?.version ?? "";
  const pending = [];
  if (releaseNotes(changelog, version) === "")
    pending.push(`CHANGELOG.md: call the section "## ${unreleased}" "## ${version}"`);
  for (const [path, text] of Object.entries(texts)) {
    const [untrue] = /\bnot (?:on npm|published) yet\b/.exec(text) ?? [];
    if (untrue) pending.push(`${path}: it says "${untrue}"`);
  }
  if (changes.length > 0) pending.push(`commit ${changes.map((change) => change.slice(3)).join(", ")}`);
  if (!tags.includes(`v${version}`)) pending.push(`tag the commit v${version}`);
  return pending;
}

export const unreleased = "Unreleased";

/**
 * Returns the text of a section of the changelog; empty if there is none.
 * @param {string} changelog
 * @param {string} name the name of the section: a version, perhaps with its date after it, or `Unreleased`
 */
export function releaseNotes(changelog, name) {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => text.split(/\s/, 1)[0] === name) ?? "";
  return section.slice(section.indexOf("\n") + 1).trim();
}

/** Reads a file of the checkout. @param {string} path */
const read = (path) => readFile(inCheckout(path), "utf8");

/**
 * Maps paths of the checkout to values.
 * @template Value
 * @param {string[]} paths
 * @param {(path: string) => Promise<Value>} value
 * @returns {Promise<Record<string, Value>>}
 */
async function valuesByPath(paths, value) {
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await value(path)])));
}

/**
 * Runs a git command in the checkout.
 * @param {string[]} args
 * @returns {Promise<string[]>} the lines that it prints
 */
async function git(...args) {
  const { stdout } = await succeed("git", args, { cwd: root });
  return stdout.split("\n").filter((line) => line !== "");
}
