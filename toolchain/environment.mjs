import { delimiter } from "node:path";

/**
 * Makes the environment variables with which the project's tests and demo run Pulumi: this CLI first on PATH, no update check,
 * and none of the user's own Pulumi or pipestack settings, so that no test reaches a real ClickHouse Cloud account.
 * @param {import("./pulumi.mjs").Pulumi} pulumi
 * @returns {Record<string, string | undefined>}
 */
export function cleanEnvironment(pulumi) {
  const inherited = Object.entries(process.env).filter(([name]) => !/^(PULUMI|PIPESTACK)_/.test(name));
  return {
    ...Object.fromEntries(inherited),
    PATH: `${pulumi.folder}${delimiter}${process.env.PATH ?? ""}`,
    PIPESTACK_PULUMI: pulumi.bin,
    PULUMI_SKIP_UPDATE_CHECK: "1",
  };
}
