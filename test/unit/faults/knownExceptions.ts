import type { Cell } from "./matrix";

/**
 * Cells of the fault matrix (one fault at one request) in which the API itself answers something untrue that the provider
 * cannot detect.
 */
export interface KnownException {
  readonly reason: string;
  appliesTo(cell: Cell): boolean;
  /**
   * The names of the promises (rules) that the provider breaks in those cells of the fault matrix to which this exception
   * applies.
   */
  readonly broken: readonly string[];
}

/**
 * The complete list of cells of the fault matrix in which the provider may break a promise (a rule that it otherwise keeps).
 */
export const knownExceptions: readonly KnownException[] = [
  {
    reason:
      "The observability API's receipt of a deletion is an empty object. A gateway that answers so without passing the request on cannot be told from it.",
    appliesTo: ({ call: { operation, api }, variant: { fault } }) =>
      operation.startsWith("delete") &&
      api === "observability" &&
      fault.kind === "empty-object" &&
      fault.when === "before",
    broken: ["forgets nothing", "leaves nothing behind"],
  },
  {
    reason:
      "The API says in its own words that it deleted an object, and has not. A look after every deletion would double the requests of a destroy, so the object leaves the state; `npx pipestack orphans` finds it.",
    appliesTo: ({ call, variant }) => variant.fault.kind === "ignored" && call.operation.startsWith("delete"),
    broken: ["forgets nothing", "leaves nothing behind"],
  },
  {
    reason:
      "A complete list counts as true even if its objects are others, or have ids that nobody has. A refresh asks for an object that the list lacks by itself, or for another list where only lists show it; what it shows of a scaling, or of an object under the id of another, is drift, and a function answers it.",
    appliesTo: ({ call, variant }) =>
      ["other-id", "path-id", "blank-id", "foreign-id"].includes(variant.fault.kind) &&
      call.operation.startsWith("list"),
    broken: ["answers the truth", "reports only drift"],
  },
];
