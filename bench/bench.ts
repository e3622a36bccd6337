import type { Pulumi } from "../toolchain/pulumi.mjs";
import type { Project } from "./project";
import type { BenchSandbox } from "./sandbox";

/** What every measurement needs. */
export interface Bench {
  pulumi: Pulumi;
  project: Project;
  sandbox: BenchSandbox;
  /** Whether small numbers will do. */
  quick: boolean;
  roundsFor(size: number): number;
  /** The size of the stack that the handwritten contenders take part with; 0 for none. */
  handwrittenSize: number;
  /** Reports progress. */
  tell(text: string): void;
}
