import type { Pulumi } from "../toolchain/pulumi.mjs";
import type { Project } from "./project";
import type { BenchSandbox } from "./sandbox";

/** What a measurement works with. */
export interface Bench {
  pulumi: Pulumi;
  project: Project;
  sandbox: BenchSandbox;
  quick: boolean;
  roundsFor(size: number): number;
  /** Largest stack of the handwritten contenders. */
  handwrittenUpTo: number;
  /** Says what is done now. */
  tell(text: string): void;
}
