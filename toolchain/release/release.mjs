import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { archiveFile, buildArchive, platform, platforms } from "../archive.mjs";
import { inCheckout, whenRunAsProgram } from "../checkout.mjs";
import { withProgress } from "../progress.mjs";
import { compile } from "../setup.mjs";
import { billOfArchives, billOfPackage } from "./billOfMaterials.mjs";
import { packPackages } from "./packages.mjs";
import { publish, tryPublishing } from "./publish.mjs";
import { packSdks } from "./sdks.mjs";
import { pendingIn, problemsIn, readFacts, releaseNotes, unreleased } from "./versions.mjs";
import { lintWorkflows, workflows } from "./workflows.mjs";

const folder = inCheckout("release");
const inFolder = (/** @type {string} */ name) => join(folder, name);

/**
 * Checks and makes all files of a release in the folder `release`. `--dry-run` then stops and lists them, `--publish` publishes
 * them on npm and GitHub. PyPI accepts no script, only the workflow that runs after this program.
 * @param {string[]} args
 */
async function release(args) {
  const { values } = parseArgs({
    args,
    options: { "dry-run": { type: "boolean" }, publish: { type: "boolean" } },
  });
  if (Boolean(values["dry-run"]) === Boolean(values.publish))
    throw new Error(
      "Say --dry-run to check and build a release, or --publish to publish it as the workflow does.",
    );

  const facts = await readFacts();
  const version = facts.manifests["package.json"]?.version ?? "";
  const pending = pendingIn(facts);
  refuse(problemsIn(facts));
  if (values.publish) refuse(pending);

  await compile();
  await withProgress("Checking the workflows", lintWorkflows);
  await rm(folder, { recursive: true, force: true });
  const packed = await withProgress("Packing and checking the packages", () => packPackages(folder));
  const sdks = await withProgress("Packing the SDKs", () => packSdks(folder));
  const packages = [...packed, sdks.node].map((file) => ({ ...file, tarball: inFolder(file.filename) }));
  await withProgress("Asking npm to check them", () => tryPublishing(packages.map(({ tarball }) => tarball)));

  const archives = await gatherArchives(version, Boolean(values.publish));
  const bills = await Promise.all([
    ...packed.map(async ({ name }) => ({ name, bill: await billOfPackage(name, version) })),
    billOfArchives(version).then((bill) => ({ name: "pulumi-resource-pipestack", bill })),
  ]);
  for (const { name, bill } of bills)
    await writeFile(inFolder(`${name}-${version}.cdx.json`), `${JSON.stringify(bill, undefined, 2)}\n`);
  const names = (await readdir(folder)).sort();
  const sums = await Promise.all(names.map(async (name) => `${await checksum(inFolder(name))}  ${name}\n`));
  await writeFile(inFolder("SHA256SUMS"), sums.join(""));

  const section = releaseNotes(facts.changelog, version) === "" ? unreleased : version;
  const notes = releaseNotes(facts.changelog, section);
  const notesFile = inCheckout(".build", "release-notes.md");
  await writeFile(notesFile, `${notes}\n`);
  if (values.publish) {
    const files = [...names, "SHA256SUMS"].map(inFolder);
    await withProgress("Publishing", () =>
      publish({ version, packages, go: sdks.go, notes: notesFile, files }),
    );
  }

  const rows = [
    [
      "versions",
      `${Object.keys(facts.manifests).join(", ")}, package-lock.json and all pages say ${version}`,
    ],
    ["changelog", `section "${section}", ${notes.split("\n").length} lines`],
    ["workflows", `${workflows.join(", ")}: actionlint finds nothing`],
    ...packed.map(({ filename, size, files }) => [
      "package",
      `${filename}, ${megabytes(size)}, ${files.length} files: publint, arethetypeswrong and npm find nothing`,
    ]),
    ["SDKs", [sdks.node.filename, ...sdks.python, sdks.go.archive].join(", ")],
    ["Go tag", `${sdks.go.tag} at ${sdks.go.commit}`],
    ...archives.built.map((name) => ["archive", name]),
    ...archives.missing.map((name) => ["not here", `${name}: its runner in the release workflow builds it`]),
    ["SBOM", bills.map(({ name, bill }) => `${name} ${bill.components.length} components`).join(", ")],
    ["checksums", `SHA256SUMS, ${sums.length} files`],
  ];
  const done = values.publish ? "is published" : "is in the folder release; nothing was published";
  console.log(`\npipestack ${version} ${done}\n`);
  for (const [name = "", text] of rows) console.log(`  ${name.padEnd(10)}  ${text}`);
  if (pending.length > 0)
    console.log(`\nBefore it can be published:\n${pending.map((line) => `  - ${line}`).join("\n")}`);
}

/**
 * Copies the plugin's archives into the folder of the release. A release that is published needs the archives of all platforms,
 * which the workflow has built.
 * @param {string} version
 * @param {boolean} needsAll
 */
async function gatherArchives(version, needsAll) {
  if (!needsAll) await buildArchive();
  const missing = platforms.filter((name) => !existsSync(archiveFile(version, name)));
  if (needsAll) refuse(missing.map((name) => `there is no archive for ${name}`));
  const present = needsAll ? platforms : [platform()];
  await mkdir(folder, { recursive: true });
  for (const name of present) {
    const file = archiveFile(version, name);
    await copyFile(file, inFolder(basename(file)));
  }
  return { built: present.map((name) => basename(archiveFile(version, name))), missing };
}

/** Fails if a release of this checkout has problems. @param {string[]} problems */
function refuse(problems) {
  if (problems.length > 0)
    throw new Error(`No release can be made of this checkout:\n  - ${problems.join("\n  - ")}`);
}

/** The SHA-256 checksum of a file of the release. @param {string} file */
async function checksum(file) {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest("hex");
}

/** The size of a file in megabytes, as text. @param {number} bytes */
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`;

whenRunAsProgram(import.meta.url, release);
