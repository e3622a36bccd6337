import type { Pulumi } from "./pulumi.mjs";

/** The environment in which the project runs Pulumi, without the user's own Pulumi and pipestack settings. */
export function cleanEnvironment(pulumi: Pulumi): Record<string, string | undefined>;
