import type { Timing } from "../../../sandbox/core/faults/definition";
import { type FaultKind, faultKindNames, kindOf } from "../../../sandbox/core/faults/kinds";
import { isWrite } from "../../../sandbox/core/operations";
import type { Fault } from "../../../sandbox/index";

/** Whether a fault happens to one call, or to that one and all that follow. */
export const durations = ["once", "lasting"] as const;

export type Duration = (typeof durations)[number];

/** One row of the matrix: a fault, whichever call it happens to. */
export interface Variant {
  /** What the row is called. */
  readonly name: string;
  readonly fault: Omit<Fault, "operation" | "nth" | "from" | "api">;
  /** Heavy on memory and processor: only a few at once, and not the same thing twice. */
  readonly isHeavy: boolean;
  /** Happens to one call alone, of those that change something: to others it makes no difference. */
  readonly isOfOneWrite: boolean;
}

/** For how many calls a fault is tried out. */
export function durationsOf({ isHeavy, isOfOneWrite }: Variant): readonly Duration[] {
  return isHeavy ? ["lasting"] : isOfOneWrite ? ["once"] : durations;
}

/** Whether a fault makes a difference to a call. */
export function concerns({ isOfOneWrite }: Variant, { operation }: { readonly operation: string }): boolean {
  return !isOfOneWrite || isWrite(operation);
}

/** These stand for all failures of which the request is carried out later. */
const carriedOutLater: readonly FaultKind[] = ["503", "reset"];

const heavy: readonly FaultKind[] = ["huge", "gzip-bomb"];

/** A delay beyond the time limit of a call, in milliseconds. */
const beyondLimit = 35_000;

/** Every fault of the sandbox, at each moment at which it can happen. */
export const variants: readonly Variant[] = faultKindNames.flatMap((kind) => {
  const [, ...laterTimes] = kindOf(kind).when;
  const moments = heavy.includes(kind)
    ? []
    : laterTimes.filter((when) => when !== "later" || carriedOutLater.includes(kind));
  const times = kind === "delay" ? [30, beyondLimit] : [undefined];
  return times.flatMap((milliseconds) =>
    [undefined, ...moments].map((when) => variantOf(kind, when, milliseconds)),
  );
});

function variantOf(kind: FaultKind, when: Timing | undefined, milliseconds: number | undefined): Variant {
  const { affectsWrites = false, parameters = [] } = kindOf(kind);
  return {
    name: `\`${kind}\`${milliseconds === beyondLimit ? " beyond the time limit" : ""}${when ? `, ${when}` : ""}`,
    fault: {
      kind,
      ...(when && { when }),
      ...(milliseconds && { milliseconds }),
      // A wait that the server asks for.
      ...(parameters.includes("seconds") && { seconds: 0.05 }),
      ...(parameters.includes("location") && { location: "https://elsewhere.invalid" }),
      ...(affectsWrites && parameters.includes("requests") && { requests: 1000 }),
      // Carried out between the first look for what came of it and whatever follows.
      ...(when === "later" && { requests: 1 }),
    },
    isHeavy: heavy.includes(kind),
    isOfOneWrite: affectsWrites || when === "later",
  };
}
