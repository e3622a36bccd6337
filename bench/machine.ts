import { availableParallelism, cpus, totalmem } from "node:os";
import type { Pulumi } from "../toolchain/pulumi.mjs";

/** What the figures depend on, in one line. */
export function machineWith(pulumi: Pulumi): string {
  return [
    `${availableParallelism()} × ${cpus()[0]?.model ?? "unknown processor"}`,
    `${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    process.platform,
    `Node.js ${process.versions.node}`,
    `Pulumi ${pulumi.version}`,
  ].join(", ");
}
