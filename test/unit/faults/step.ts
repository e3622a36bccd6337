import type { Fault, SandboxOptions } from "../../../sandbox/index";
import type { Run } from "../../promises/account";
import type { Service } from "./service";

/** The options of the sandbox and the settings of the provider. */
export interface Setup {
  readonly options: SandboxOptions;
  readonly settings: Readonly<Record<string, string>>;
}

/** One thing that a program does with a resource or a function: a group of columns of the matrix. */
export interface Step {
  /** The type of resource, or "functions". */
  readonly table: string;
  /** A short name of what the step does. */
  readonly name: string;
  /** A fault that always happens before the fault of a cell. */
  readonly after?: Fault;
  /** True if the fault in `after` alone makes the step fail. */
  readonly endsInError?: boolean;
  /** Default: both APIs in the neutral dialect. */
  readonly setup?: Setup;
  /** Prepares a service in which no fault has happened yet. */
  begin(service: Service): Promise<Attempt>;
}

/** A prepared step that can be run. */
export interface Attempt {
  /** Runs the step. The fault of a cell may happen meanwhile. */
  run(): Promise<Run>;
  /** Runs what the next `pulumi up` would, without faults, and checks whether a further one would change anything. */
  again(): Promise<void>;
}
