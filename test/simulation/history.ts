import { isStack } from "../promises/store";
import type { Edit, Instance } from "./program";
import type { Behaviour } from "./world/behaviour";
import type { Faults } from "./world/network";
import type { WorldPart } from "./world/others";

/** What a stack does: a command of the engine, after changes of its program. */
export interface StackStep {
  /** Names the step, also where others have been taken out of the history. */
  readonly number: number;
  readonly actor: "a" | "b";
  /** Milliseconds after the actor's step before. */
  readonly pause: number;
  readonly edits: readonly Edit[];
  readonly command: "up" | "up --refresh" | "refresh" | "preview" | "drift" | "destroy";
  /** Only every second resource, as `--target` names them. */
  readonly targets?: true;
  /** Provider instances that the engine starts at once in each phase, in this order. Default: each when it is needed. */
  readonly starts?: readonly Instance[];
  /** After how many milliseconds the processes are killed. */
  readonly killedAfter?: number;
}

/** What somebody does in the web page. */
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
  /** Which object, of those that there are: the remainder of a division, from the end if it is negative. */
  readonly which: number;
}

/** Somebody looks for what no state holds, and may delete it. */
export interface OrphansStep {
  readonly number: number;
  readonly actor: "orphans";
  readonly pause: number;
  readonly deletes: boolean;
}

export type Step = StackStep | HandStep | OrphansStep;

export function isStackStep(step: Step): step is StackStep {
  return isStack(step.actor);
}

/** All that a history follows from. */
export interface History {
  readonly seed: number;
  readonly behaviour: Behaviour;
  /** What others have made before it begins. Default: nothing but what every history has. */
  readonly world?: readonly WorldPart[];
  readonly steps: readonly Step[];
  readonly faults: Faults;
  readonly maxRetries: number;
  /** The setting of all stacks. Default: `warn`. */
  readonly onConflict?: "fail";
}
