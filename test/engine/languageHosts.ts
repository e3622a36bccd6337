import { buildArchive } from "../../toolchain/archive.mjs";
import { languageHost } from "../../toolchain/languages.mjs";
import { findPulumi } from "../../toolchain/pulumi.mjs";
import type { Fixture } from "./fixture";

/** Folders for PATH with which the CLI runs programs. */
export interface LanguageHosts {
  goHost: string;
  yamlHost: string;
  pythonHost: string;
  /** The PATH of the tests. */
  original: string;
}

/** Builds what runs programs in other languages, and installs the plugin's archive, before the tests of a `describe`. */
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
