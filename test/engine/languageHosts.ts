import { execFile } from "node:child_process";
import { cp } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { buildArchive } from "../../toolchain/archive.mjs";
import { languageHost, pythonEnvironment } from "../../toolchain/languages.mjs";
import { findPulumi } from "../../toolchain/pulumi.mjs";
import { generateSdks } from "../../toolchain/sdk.mjs";
import type { Fixture } from "./fixture";

/** Folders for PATH with which the CLI runs programs. */
export interface LanguageHosts {
  goHost: string;
  yamlHost: string;
  pythonHost: string;
  /** The PATH of the tests. */
  original: string;
}

/** Builds the hosts of other languages, and installs the plugin's archive, before the tests of a `describe`. */
export function useLanguageHosts(fixture: Fixture): LanguageHosts {
  const hosts = {} as LanguageHosts;
  before(async () => {
    const pulumi = await findPulumi();
    Object.assign(hosts, {
      goHost: await languageHost(pulumi, "go"),
      yamlHost: await languageHost(pulumi, "yaml"),
      pythonHost: await languageHost(pulumi, "python"),
      original: process.env.PATH ?? "",
    });
    const { version, file } = await buildArchive();
    await fixture.run(["plugin", "install", "resource", "pipestack", version, "--file", file]);
  });
  return hosts;
}

/** Variables for programs in Go, which must not depend on a C compiler and a workspace of the user. */
export const withoutCgo = { CGO_ENABLED: "0", GOWORK: "off" };

/** The SDKs of other languages, and the hosts of their programs. */
export interface Languages extends LanguageHosts {
  sdk: string;
  /** A machine that has Python, and no Node. */
  python: string;
}

/** Installs the plugin's archive and the SDK for Python before the tests of a `describe`. */
export function useLanguages(fixture: Fixture): Languages {
  const languages = useLanguageHosts(fixture) as Languages;
  before(async () => {
    languages.sdk = await generateSdks();
    languages.python = [await pythonEnvironment(), languages.pythonHost].join(delimiter);
    fixture.environment.PYTHONPATH = await installInPython(join(languages.sdk, "python"));
  });

  /** Installs a package as users do, and returns the folder for PYTHONPATH. */
  async function installInPython(source: string) {
    const [copy, folder] = [join(fixture.folder, "package"), join(fixture.folder, "packages")];
    await cp(source, copy, { recursive: true });
    const options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", folder];
    const program = join(await pythonEnvironment(), "python");
    await promisify(execFile)(program, ["-m", "pip", "install", ...options, copy]);
    return folder;
  }
  return languages;
}
