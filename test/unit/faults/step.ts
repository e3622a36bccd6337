import type { Fault, SandboxOptions } from "../../../sandbox/index";
import type { Run } from "../../promises/account";
import type { Service } from "./faultyService";

export interface Setup {
  readonly options: SandboxOptions;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * A step of the fault matrix: one operation of a program on a resource, or one call of a function. Its requests are columns of
 * the matrix.
 */
export interface Step {
  /** The resource type that the step of the fault matrix is about, or "functions". */
  readonly table: string;
  readonly name: string;
  /** A fault that always happens in the step before the fault that the fault matrix tries. */
  readonly after?: Fault;
  /**
   * True if the fault in `after` alone makes the step of the fault matrix fail, even without the fault that the matrix tries.
   */
  readonly endsInError?: boolean;
  /** The kind of server for the step of the fault matrix. If absent, it serves both APIs in the neutral dialect. */
  readonly setup?: Setup;
  /** Prepares a service for the step of the fault matrix, before any fault happens. */
  begin(service: Service): Promise<Attempt>;
}

export interface Attempt {
  run(): Promise<Run>;
  /**
   * Runs what the next `pulumi up` would after the step, without faults, and checks that a further one would change nothing.
   */
  again(): Promise<void>;
}
