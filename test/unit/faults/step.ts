import type { Fault, SandboxOptions } from "../../../sandbox/index";
import type { Service } from "./service";

/** Whether a fault happens to one call, or to that one and all that follow. */
export const durations = ["once", "lasting"] as const;

export type Duration = (typeof durations)[number];

/** What a service offers, and what its user sets. */
export interface Setup {
  readonly options: SandboxOptions;
  readonly settings: Readonly<Record<string, string>>;
}

/** One thing that is done with a resource, or one function: a group of columns of the matrix. */
export interface Step {
  /** The table that it is part of: a type of resource, or the functions. */
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
  begin(service: Service): Promise<Run>;
}

/** A step on its way. */
export interface Run {
  /** Does it, whatever happens. Returns what is wrong although no error was thrown. */
  attempt(): Promise<string[]>;
  /** Does what the next `pulumi up` would do, with nothing in its way. */
  again(): Promise<void>;
  /** Ids of objects that were created by the step or for it, and that no state knows of. */
  strays(): string[];
  /** What is not as it is declared, although the error does not say so. */
  problems(): string[];
  /** What must not be found in any message. */
  secrets(): string[];
  /** How an error may name a stray, other than by its id. */
  readonly description?: string;
}
