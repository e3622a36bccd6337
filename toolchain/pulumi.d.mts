/** A Pulumi CLI with its Node language host. */
export interface Pulumi {
  /** The program `pulumi`. */
  bin: string;
  /** Its folder: first on PATH, it makes a working installation. */
  folder: string;
  /** Such as `3.259.0`. */
  version: string;
  /** How it was found: `PIPESTACK_PULUMI`, `PATH`, `cache`, `official release` or `Go modules`. */
  origin: string;
}

/** Finds a Pulumi CLI, or installs one. Rejects with what to do when neither is possible. */
export function findPulumi(): Promise<Pulumi>;
