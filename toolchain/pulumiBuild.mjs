import { readFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { command, lastLines } from "./command.mjs";
import { withProgress } from "./progress.mjs";
import { compareVersions } from "./version.mjs";

const executable = process.platform === "win32" ? ".exe" : "";

/**
 * A program that is built from a wrapper module beside this file, which pins its version and checksums.
 * @typedef {{ name: string, wrapper: string, module: string, package: string }} Program
 */

/** @type {Program} */
const cli = {
  name: "pulumi",
  wrapper: fileURLToPath(new URL("cli", import.meta.url)),
  module: "github.com/pulumi/pulumi/pkg/v3",
  package: "cmd/pulumi",
};

/** @type {Program} */
const languageHost = {
  name: "pulumi-language-nodejs",
  wrapper: fileURLToPath(new URL("language-host", import.meta.url)),
  module: "github.com/pulumi/pulumi/sdk/v3",
  package: "nodejs/cmd/pulumi-language-nodejs",
};

/** The version of the Pulumi CLI that the project is developed with: the one its wrapper module names. */
export const pinnedVersion = requiredVersion(cli);

/**
 * Builds the CLI, the Node language host and the launcher of dynamic providers into `folder`.
 * @param {string} folder
 * @throws with the reason when Go is missing, too old, or fails
 */
export async function buildFromGoModules(folder) {
  await requireGo();
  for (const program of [cli, languageHost]) await build(program, folder);
  await writeDynamicProviderLauncher(folder);
}

/** @param {Program} program */
function requiredVersion(program) {
  return inGoMod(program, new RegExp(`${program.module} v(\\S+)`));
}

/**
 * @param {Program} program
 * @param {RegExp} pattern its first group is the answer
 */
function inGoMod({ wrapper }, pattern) {
  const found = pattern.exec(readFileSync(join(wrapper, "go.mod"), "utf8"))?.[1];
  if (found === undefined) throw new Error(`${join(wrapper, "go.mod")} lacks ${pattern}`);
  return found;
}

async function requireGo() {
  const needed = inGoMod(cli, /^go (\S+)/m);
  let answer;
  try {
    answer = await command("go", ["env", "GOVERSION"], { cwd: cli.wrapper });
  } catch {
    throw new Error(`no Go on PATH (${needed} or newer is needed)`);
  }
  const found = /^go(\d+(?:\.\d+)*)/.exec(answer.stdout)?.[1];
  if (answer.code !== 0 || found === undefined)
    throw new Error(`go env fails: ${lastLines(answer.output, 2)}`);
  if (compareVersions(found, needed) < 0)
    throw new Error(`Go ${found} is too old, ${needed} or newer is needed`);
}

/**
 * @param {Program} program
 * @param {string} folder
 */
async function build(program, folder) {
  const target = `${program.module}/${program.package}`;
  const version = requiredVersion(program);
  // What a user has set for their own Go work must neither change the pinned modules nor the target platform.
  const environment = { ...process.env, GOWORK: "off", CGO_ENABLED: "0", GOOS: "", GOARCH: "" };
  const go = async (/** @type {string[]} */ args, /** @type {(line: string) => void} */ onLine) => {
    const result = await command("go", args, { cwd: program.wrapper, environment, onLine });
    if (result.code !== 0) throw new Error(`go ${args[0]} fails: ${lastLines(result.output, 3)}`);
    return result.stdout;
  };

  await withProgress(`Building ${program.name} ${version} from its Go modules`, async (detail) => {
    let fetched = 0;
    const packages = await go(["list", "-mod=readonly", "-deps", target], (line) => {
      if (line.startsWith("go: downloading")) detail(`${++fetched} modules fetched`);
    });
    const total = packages.split("\n").filter((name) => name !== "" && name !== "unsafe").length;
    let compiled = 0;
    detail(`${total} packages to compile`);
    const stamp = `-s -w -X github.com/pulumi/pulumi/sdk/v3/go/common/version.Version=v${version}`;
    const flags = ["-mod=readonly", "-buildvcs=false", "-v", "-ldflags", stamp];
    await go(["build", ...flags, "-o", join(folder, program.name + executable), target], () => {
      detail(++compiled < total ? `${compiled} of ${total} packages compiled` : "linking");
    });
  });
}

/**
 * The engine starts dynamic providers by a program of this name. It must load the host from the program's own copy of
 * `@pulumi/pulumi`, as the launcher in official releases does.
 * @param {string} folder
 */
async function writeDynamicProviderLauncher(folder) {
  const script = join(folder, "pulumi-resource-pulumi-nodejs");
  await writeFile(
    script,
    `#!/usr/bin/env node
const { createRequire } = require("node:module");
const { join } = require("node:path");
const program = createRequire(join(process.cwd(), "index.js"));
require(program.resolve("@pulumi/pulumi/cmd/dynamic-provider"));
`,
  );
  await chmod(script, 0o755);
  if (process.platform === "win32")
    await writeFile(`${script}.cmd`, `@node "%~dp0pulumi-resource-pulumi-nodejs" %*\r\n`);
}
