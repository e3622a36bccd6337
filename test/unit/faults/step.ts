import type { Fault, SandboxOptions } from "../../../sandbox/index";
import type { Run } from "../../promises/account";
import type { Service } from "./service";

/** What a service offers, and what its user sets. */
export interface Setup {
  readonly options: SandboxOptions;
  readonly settings: Readonly<Record<string, string>>;
}

/** One thing that is done with a resource, or one function: a group of columns of the matrix. */
export interface Step {
  /** The type of resource, or the functions. */
  readonly table: string;
  /** What is done, in one word if possible. */
  readonly name: string;
  /** A fault that happens in any case, before the one of the cell. */
  readonly after?: Fault;
  /** Whether that fault alone ends the step in an error. */
  readonly endsInError?: boolean;
  /** Default: both APIs, in the vocabulary of the API document. */
  readonly setup?: Setup;
  /** Gets a service ready in which nothing has gone wrong yet. */
  begin(service: Service): Promise<Attempt>;
}

/** A step on its way. */
export interface Attempt {
  /** Does it, whatever happens. */
  run(): Promise<Run>;
  /** Does what the next `pulumi up` would do, with nothing in its way, and looks whether there is anything left to do. */
  again(): Promise<void>;
}
