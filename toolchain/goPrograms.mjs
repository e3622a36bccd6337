import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command, lastLines } from "./command.mjs";
import { withProgress } from "./progress.mjs";
import { compareVersions } from "./version.mjs";

const executable = process.platform === "win32" ? ".exe" : "";

/**
 * @typedef {object} GoProgram a program in Go that is built from a wrapper module in the toolchain, which pins versions and
 *   checksums
 * @property {string} name
 * @property {string} wrapper the folder of the wrapper module
 * @property {string} module the Go module that determines the program's version
 * @property {string} target the Go package to build: its path, or its folder in the wrapper module
 */

/**
 * Describes a program that is built from a Go module.
 * @param {string} name
 * @param {string} wrapper
 * @param {string} module
 * @param {string} target
 * @returns {GoProgram}
 */
function goProgram(name, wrapper, module, target) {
  return { name, wrapper: fileURLToPath(new URL(wrapper, import.meta.url)), module, target };
}

const cli = "github.com/pulumi/pulumi/pkg/v3";
const sdk = "github.com/pulumi/pulumi/sdk/v3";
const yaml = "github.com/pulumi/pulumi-yaml";
const actionlint = "github.com/rhysd/actionlint";

/** The programs that the project builds from Go modules. Pulumi does not publish newer language hosts as modules. */
export const goPrograms = {
  cli: goProgram("pulumi", "cli", cli, `${cli}/cmd/pulumi`),
  sdkGenerator: goProgram("sdk-generator", "cli", cli, "./sdk-generator"),
  node: goProgram("pulumi-language-nodejs", "language-host", sdk, `${sdk}/nodejs/cmd/pulumi-language-nodejs`),
  python: goProgram(
    "pulumi-language-python",
    "language-host",
    sdk,
    `${sdk}/python/cmd/pulumi-language-python`,
  ),
  actionlint: goProgram("actionlint", "actionlint", actionlint, `${actionlint}/cmd/actionlint`),
  go: goProgram("pulumi-language-go", "go-host", sdk, `${sdk}/go/pulumi-language-go`),
  yaml: goProgram("pulumi-language-yaml", "yaml-host", yaml, `${yaml}/cmd/pulumi-language-yaml`),
};

/** Returns the version of a program that is built from a Go module. @param {GoProgram} program */
export function versionOf({ wrapper, module }) {
  return inGoMod(wrapper, new RegExp(`${module} v(\\S+)`));
}

/**
 * Reads a value from the go.mod of a Go program's wrapper module.
 * @param {string} wrapper
 * @param {RegExp} pattern whose first group is the value
 */
function inGoMod(wrapper, pattern) {
  const required = pattern.exec(readFileSync(join(wrapper, "go.mod"), "utf8"))?.[1];
  if (required === undefined) throw new Error(`${join(wrapper, "go.mod")} lacks ${pattern}`);
  return required;
}

/**
 * Runs a Go command in a module, and returns its output. The user's own settings for Go must change neither the pinned modules
 * nor the target platform.
 * @param {string} folder
 * @param {string[]} args
 * @param {(line: string) => void} [onLine]
 */
export async function go(folder, args, onLine) {
  const environment = { ...process.env, GOWORK: "off", CGO_ENABLED: "0", GOOS: "", GOARCH: "" };
  const result = await command("go", args, { cwd: folder, environment, onLine });
  if (result.code !== 0) throw new Error(`go ${args[0]} fails: ${lastLines(result.output, 3)}`);
  return result.stdout;
}

/**
 * Builds a program from its Go module.
 * @param {GoProgram} program
 * @param {string} folder gets the program
 * @throws with the reason when Go is missing or too old, or the build fails
 */
export async function buildGoProgram(program, folder) {
  const { name, wrapper, target } = program;
  await requireGo(wrapper);
  const version = versionOf(program);
  await withProgress(`Building ${name} ${version} from its Go modules`, async (detail) => {
    let fetched = 0;
    const packages = await go(wrapper, ["list", "-mod=readonly", "-deps", target], (line) => {
      if (line.startsWith("go: downloading")) detail(`${++fetched} modules fetched`);
    });
    const total = packages.split("\n").filter((name) => name !== "" && name !== "unsafe").length;
    let compiled = 0;
    detail(`${total} packages to compile`);
    const stamp = `-s -w -X ${sdk}/go/common/version.Version=v${version}`;
    const flags = ["-mod=readonly", "-buildvcs=false", "-v", "-ldflags", stamp];
    await go(wrapper, ["build", ...flags, "-o", join(folder, name + executable), target], () => {
      detail(++compiled < total ? `${compiled} of ${total} packages compiled` : "linking");
    });
  });
}

/** Fails unless Go is installed, and new enough for the go.mod of a program's wrapper module. @param {string} wrapper */
async function requireGo(wrapper) {
  const needed = inGoMod(wrapper, /^go (\S+)/m);
  let answer;
  try {
    answer = await command("go", ["env", "GOVERSION"], { cwd: wrapper });
  } catch {
    throw new Error(`no Go on PATH (${needed} or newer is needed)`);
  }
  const version = /^go(\d+(?:\.\d+)*)/.exec(answer.stdout)?.[1];
  if (answer.code !== 0 || version === undefined)
    throw new Error(`go env fails: ${lastLines(answer.output, 2)}`);
  if (compareVersions(version, needed) < 0)
    throw new Error(`Go ${version} is too old, ${needed} or newer is needed`);
}
