import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, copyFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { buildArchive } from "./archive.mjs";
import { cachedFolder } from "./cache.mjs";
import { inCheckout, whenRunAsProgram } from "./checkout.mjs";
import { command, succeed } from "./command.mjs";
import { buildGoProgram, go, goPrograms, versionOf } from "./goPrograms.mjs";
import { withProgress } from "./progress.mjs";
import { findPulumi } from "./pulumi.mjs";
import { generateSdks } from "./sdk.mjs";
import { compareVersions } from "./version.mjs";

const oldestPython = "3.9";

/**
 * Python packages for the tests of Python programs: those that the programs and the SDK import, an installer of the SDK, a type
 * checker, and a database that runs queries.
 */
const pythonPackages = [
  `pulumi==${versionOf(goPrograms.cli)}`,
  "parver==1.0.1.post0",
  "semver==3.1.1",
  "setuptools==80.9.0",
  "mypy==2.4.1",
  "chdb-core==26.9.0",
];

/** Languages other than JavaScript and TypeScript for which a language host of the CLI can be built. */
const languages = /** @type {const} */ (["python", "go", "yaml"]);

/** @typedef {typeof languages[number]} Language */

/**
 * Returns the folder of the language host that runs Pulumi programs in a language: the host of the CLI if it brings one, as
 * official releases do, else a host that is built from Go modules into the user's cache.
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @param {Language} language
 */
export async function languageHost(pulumi, language) {
  const program = goPrograms[language];
  const extension = process.platform === "win32" ? ".exe" : "";
  if (existsSync(join(pulumi.folder, program.name + extension))) return pulumi.folder;
  return await cachedFolder(`${program.name}-${versionOf(program)}`, async (folder) => {
    await buildGoProgram(program, folder);
    if (language === "python") await copyPythonLauncher(folder);
  });
}

/**
 * Copies the script with which Python's language host starts programs. The script has to lie beside the host.
 * @param {string} folder
 */
async function copyPythonLauncher(folder) {
  const { name, wrapper, module } = goPrograms.python;
  const script = `${name}-exec`;
  const source = (await go(wrapper, ["list", "-m", "-f", "{{.Dir}}", module])).trim();
  await copyFile(join(source, "python", "cmd", script), join(folder, script));
  await chmod(join(folder, script), 0o755);
}

/**
 * Installs Python with Pulumi's SDK into the user's cache.
 * @returns {Promise<string>} the folder of its program, for PATH
 * @throws when there is no Python, or its packages cannot be installed
 */
export async function pythonEnvironment() {
  const { program, version } = await findPython();
  const packages = createHash("sha256").update(pythonPackages.join()).digest("hex").slice(0, 8);
  const environment = await cachedFolder(`python-${version}-${packages}`, (folder) =>
    withProgress(`Installing Pulumi's SDK for Python ${version}`, async () => {
      await succeed(program, ["-m", "venv", folder]);
      const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...pythonPackages];
      await succeed(join(programsOf(folder), "python"), pip);
    }),
  );
  return programsOf(environment);
}

/** The folder of the programs in a virtual environment of Python. @param {string} environment */
function programsOf(environment) {
  return join(environment, process.platform === "win32" ? "Scripts" : "bin");
}

async function findPython() {
  const refusals = [];
  for (const program of ["python3", "python"]) {
    const answer = await command(program, ["--version"]).catch(() => undefined);
    const version = /^Python (\d+\.\d+\.\d+)/.exec(answer?.stdout ?? "")?.[1];
    if (version && compareVersions(version, oldestPython) >= 0) return { program, version };
    refusals.push(`${program} ${version ? `is ${version}` : "is not on PATH"}`);
  }
  throw new Error(
    `Programs in Python need Python ${oldestPython} or newer with its module venv: ${refusals.join(", ")}.`,
  );
}

/**
 * Compiles the first program in Go, and with it all modules that programs in Go import, which takes minutes where Go has not
 * compiled them before. As in the tests (`goVariables` there), the result does not depend on the checkout's path, so that Go
 * finds it again for the next checkout.
 */
export async function compileForGo() {
  await generateSdks();
  const args = ["build", "-trimpath", "-o", inCheckout(".build", "first"), "."];
  await withProgress("Compiling Pulumi's SDK for Go", () => go(inCheckout("examples", "plugin", "go"), args));
}

/**
 * Given names of languages, this program prints the folders that PATH needs for the CLI to run programs in them. Without names,
 * it prepares everything that the tests of other languages need, and downloads the Go modules that their program imports.
 */
whenRunAsProgram(import.meta.url, async (names) => {
  const unknown = names.find((name) => !isLanguage(name));
  if (unknown !== undefined) throw new Error(`${unknown} is none of ${languages.join(", ")}.`);
  const pulumi = await findPulumi();
  const chosen = names.length > 0 ? names.filter(isLanguage) : languages;
  const folders = [];
  for (const language of chosen) folders.push(await languageHost(pulumi, language));
  if (names.length > 0) return console.log([...new Set([...folders, pulumi.folder])].join(delimiter));
  await pythonEnvironment();
  await Promise.all([compileForGo(), buildArchive()]);
});

/**
 * Whether a language host can be built for a language of this name.
 * @param {string} name
 * @returns {name is Language}
 */
function isLanguage(name) {
  return languages.some((language) => language === name);
}
