import { isStack } from "../promises/store";
import type { Edit, Instance } from "./program";
import type { Behaviour } from "./world/behaviour";
import type { Faults } from "./world/network";
import type { WorldPart } from "./world/others";

/** An option of a command, or of a resource, by which the engine replaces an object that could go on existing. */
export type Replacing = "--replace" | "replaceOnChanges";

/** A step of a stack in a simulated history: changes of its program, and then a Pulumi command. */
export interface StackStep {
  /** Identifies the step of a simulated history. It stays the same when shrinking removes other steps. */
  readonly number: number;
  readonly actor: "a" | "b";
  readonly pause: number;
  readonly edits: readonly Edit[];
  readonly command: "up" | "up --refresh" | "refresh" | "preview" | "drift" | "destroy";
  /** Limits the Pulumi command to every second resource, as `--target` does. */
  readonly targets?: true;
  /** Limits the Pulumi command to the resources with these names. */
  readonly only?: readonly string[];
  /** What makes the engine replace the resources that the command includes, although the provider does not ask for it. */
  readonly replacedBy?: Replacing;
  /**
   * Provider instances that the engine starts at the beginning of each phase of the Pulumi command, in this order. Without it,
   * each starts when it is needed.
   */
  readonly starts?: readonly Instance[];
  /** Milliseconds after which all processes of the Pulumi command are killed. */
  readonly killedAfter?: number;
}

/** A step of a simulated history in which a person changes objects in the web console. */
export interface HandStep {
  readonly number: number;
  readonly actor: "hand";
  readonly pause: number;
  readonly act:
    | "change"
    | "setUndeclared"
    | "setInside"
    | "delete"
    | "addTile"
    | "create"
    | "createTwin"
    | "deleteOwn";
  /**
   * Selects one of the existing objects for the step of a person: the index is the remainder of `which` divided by the number
   * of objects. A negative index counts from the end.
   */
  readonly which: number;
}

/**
 * A step of a simulated history that runs `pipestack orphans`, which looks for objects that no state contains and may delete
 * them.
 */
export interface OrphansStep {
  readonly number: number;
  readonly actor: "orphans";
  readonly pause: number;
  readonly deletes: boolean;
}

export type Step = StackStep | HandStep | OrphansStep;

/** Adds edits to the steps of stacks, or of one stack. */
export function withEdits(
  steps: readonly Step[],
  draw: (step: StackStep) => readonly Edit[],
  actor?: "a",
): Step[] {
  return steps.map((step) =>
    isStackStep(step) && step.actor === (actor ?? step.actor)
      ? { ...step, edits: [...step.edits, ...draw(step)] }
      : step,
  );
}

export function isStackStep(step: Step): step is StackStep {
  return isStack(step.actor);
}

/**
 * A simulated history (steps of stacks and people, with faults of the service) before it is played. Two plays of equal
 * histories give the same trace.
 */
export interface History {
  readonly seed: number;
  readonly behaviour: Behaviour;
  /** Objects that others made before the simulated history begins, besides those that every history has. */
  readonly world?: readonly WorldPart[];
  readonly steps: readonly Step[];
  readonly faults: Faults;
  readonly maxRetries: number;
  /** The provider setting `onConflict` of all stacks in the simulated history. If absent, it is `warn`. */
  readonly onConflict?: "fail";
}
