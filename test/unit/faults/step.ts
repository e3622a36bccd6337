import type { Fault, SandboxOptions } from "../../../sandbox/index";
import type { Run } from "../../promises/account";
import type { Service } from "./service";

/** The options of the sandbox and the settings of the provider for a step of the fault matrix. */
export interface Setup {
  readonly options: SandboxOptions;
  readonly settings: Readonly<Record<string, string>>;
}

/**
 * A step of the fault matrix: one thing that a program does with a resource or a function. Its requests are a group of columns.
 */
export interface Step {
  /** The type of resource that the step is about, or "functions". */
  readonly table: string;
  /** A short name of what the step does. */
  readonly name: string;
  /** A fault that always happens in the step before the fault of a cell. */
  readonly after?: Fault;
  /** True if the fault in `after` alone makes the step fail. */
  readonly endsInError?: boolean;
  /** The kind of server for the step. Default: both APIs in the neutral dialect. */
  readonly setup?: Setup;
  /** Prepares a service for the step, in which no fault has happened yet. */
  begin(service: Service): Promise<Attempt>;
}

/** A prepared step of the fault matrix that can be run. */
export interface Attempt {
  /** Runs the step. The fault of a cell may happen meanwhile. */
  run(): Promise<Run>;
  /**
   * Runs what the next `pulumi up` would after the step, without faults, and checks whether a further one would change
   * anything.
   */
  again(): Promise<void>;
}
