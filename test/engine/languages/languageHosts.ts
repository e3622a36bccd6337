import { cp, readFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { buildArchive } from "../../../toolchain/archive.mjs";
import { cachedFolder } from "../../../toolchain/cache.mjs";
import { succeed } from "../../../toolchain/command.mjs";
import { languageHost, pythonEnvironment } from "../../../toolchain/languages.mjs";
import { findPulumi } from "../../../toolchain/pulumi.mjs";
import { generateSdks } from "../../../toolchain/sdk.mjs";
import type { Fixture } from "../fixture";

/** Folders with language hosts of the CLI, which PATH has to contain for the CLI to run programs in these languages. */
export interface LanguageHosts {
  goHost: string;
  yamlHost: string;
  pythonHost: string;
  /** The PATH of the test process, with which the tests run the CLI. */
  original: string;
}

/** Builds the CLI's language hosts, and installs the plugin's archive, before the tests of a `describe` block. */
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

/**
 * Environment variables for programs in Go, which must not depend on a C compiler or a Go workspace of the user. `-trimpath`
 * lets the next run reuse compiled code, although the SDK is in another folder then.
 */
export const goVariables = { CGO_ENABLED: "0", GOWORK: "off", GOFLAGS: "-trimpath" };

export interface Languages extends LanguageHosts {
  sdk: string;
  /** A PATH as on a machine that has Python but no Node. */
  python: string;
}

/** Installs the plugin's archive and the SDK for Python before the tests of a `describe` block. */
export function useLanguages(fixture: Fixture): Languages {
  const languages = useLanguageHosts(fixture) as Languages;
  before(async () => {
    languages.sdk = await generateSdks();
    languages.python = [await pythonEnvironment(), languages.pythonHost].join(delimiter);
    fixture.environment.PYTHONPATH = await installInPython(languages.sdk);
  });
  return languages;
}

/** Installs the Python SDK as users do, once for all tests, and returns the folder for PYTHONPATH. */
async function installInPython(sdk: string): Promise<string> {
  const fingerprint = await readFile(join(sdk, ".fingerprint"), "utf8");
  const folder = await cachedFolder(`python-sdk-${fingerprint.slice(0, 16)}`, async (draft) => {
    const copy = join(draft, "source");
    await cp(join(sdk, "python"), copy, { recursive: true });
    const options = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation"];
    const args = ["-m", "pip", "install", ...options, "--target", join(draft, "packages"), copy];
    await succeed(join(await pythonEnvironment(), "python"), args);
  });
  return join(folder, "packages");
}
