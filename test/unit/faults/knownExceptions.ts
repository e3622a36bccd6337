import type { Cell } from "./matrix";

/** Cells in which the API says something untrue in its own words, and the provider has no way to know. */
export interface KnownException {
  readonly reason: string;
  appliesTo(cell: Cell): boolean;
  /** The shortfalls that are accepted there. */
  readonly accepted: RegExp;
}

/** The only cells that may end otherwise than declared. */
export const knownExceptions: readonly KnownException[] = [
  {
    reason:
      "The management API says in its own envelope that the object is gone. The provider removes it from the state; if it still exists, it stays in the service.",
    appliesTo: ({ step, call, variant }) =>
      variant.fault.kind === "404" &&
      call.api === "management" &&
      (/^(delete|get(Key|Alert|Dashboard))/.test(call.operation) ||
        (/^ServiceScaling/.test(step.table) && step.name !== "create")),
    accepted:
      /^(\S+ is forgotten|it is (still|not) there|it would be restored to .*|(numReplicas|idleScaling|m\w+MemoryGb) is .*)$/,
  },
  {
    reason:
      "The answer to a deletion has no content that could be wrong. Any answer in the API's envelope counts as a success; on the observability API, any JSON object does.",
    appliesTo: ({ call: { operation, api }, variant: { fault } }) =>
      operation.startsWith("delete") &&
      (fault.kind === "null-data" || (api === "observability" && fault.kind === "empty-object")) &&
      fault.when === "before",
    accepted: /^(\S+ is forgotten|it is (still|not) there)$/,
  },
  {
    reason:
      "A complete list counts as true even if its objects are others: what it lacks leaves the state and is created again.",
    appliesTo: ({ call, variant }) => variant.fault.kind === "other-id" && call.operation.startsWith("list"),
    accepted: /^(\S+ is forgotten|it is (still|not) there|the answer is not true)$/,
  },
];
