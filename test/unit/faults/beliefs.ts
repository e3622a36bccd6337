import type { Cell } from "./matrix";

/** A kind of cells in which the API says something untrue in its own words, which is believed. */
export interface Belief {
  readonly reason: string;
  isHeld(cell: Cell): boolean;
  /** The shortfalls that follow from it. */
  readonly follows: RegExp;
}

/** The only cells that may end otherwise than declared. */
export const beliefs: readonly Belief[] = [
  {
    reason:
      "The management API says in its own words that the object is gone, and is believed: it leaves the state. If it is still there, it stays.",
    isHeld: ({ step, call, variant }) =>
      variant.fault.kind === "404" &&
      call.api === "management" &&
      (/^(delete|get(Key|Alert|Dashboard))/.test(call.operation) ||
        (/^ServiceScaling/.test(step.table) && step.name !== "create")),
    follows:
      /^(\S+ is forgotten|it is (still|not) there|it would be restored to .*|(numReplicas|idleScaling|m\w+MemoryGb) is .*)$/,
  },
  {
    reason:
      "The receipt of a deletion has no content, so nothing about it can be wrong: in the API's envelope it is believed, which on the observability API is any object.",
    isHeld: ({ call: { operation, api }, variant: { fault } }) =>
      operation.startsWith("delete") &&
      (fault.kind === "null-data" || (api === "observability" && fault.kind === "empty-object")) &&
      fault.when === "before",
    follows: /^(\S+ is forgotten|it is (still|not) there)$/,
  },
  {
    reason:
      "A list that arrives as a whole is believed, also if it is one of other objects: what it lacks leaves the state, and is created again.",
    isHeld: ({ call, variant }) => variant.fault.kind === "other-id" && call.operation.startsWith("list"),
    follows: /^(\S+ is forgotten|it is (still|not) there|the answer is not true)$/,
  },
];
