import type { Timing } from "../../../sandbox/core/faults/definition";
import { type FaultKind, faultKindNames, kindOf } from "../../../sandbox/core/faults/kinds";
import { isWrite } from "../../../sandbox/core/operations";
import type { Fault } from "../../../sandbox/index";

/** A fault of the fault matrix happens either only to one request, or to that request and all later ones. */
export const durations = ["once", "lasting"] as const;

export type Duration = (typeof durations)[number];

/** A row of the fault matrix: a fault that can happen to any request. */
export interface Variant {
  readonly name: string;
  readonly fault: Omit<Fault, "operation" | "nth" | "from" | "api">;
  /**
   * True if the fault needs so much memory and processor time that the fault matrix runs few cells with it at once and repeats
   * none.
   */
  readonly isHeavy: boolean;
  /** True if the fault matters only for a write, so that the fault matrix tries it at one request alone. */
  readonly isOfOneWrite: boolean;
}

export function durationsOf({ isHeavy, isOfOneWrite }: Variant): readonly Duration[] {
  return isHeavy ? ["lasting"] : isOfOneWrite ? ["once"] : durations;
}

export function concerns({ isOfOneWrite }: Variant, { operation }: { readonly operation: string }): boolean {
  return !isOfOneWrite || isWrite(operation);
}

/** The only faults that the fault matrix also tries with a request that the sandbox carries out later. */
const carriedOutLater: readonly FaultKind[] = ["503", "reset"];

const heavy: readonly FaultKind[] = ["huge", "gzip-bomb"];

/** A delay in milliseconds that is longer than the time limit of a request. */
const beyondLimit = 35_000;

/** Every fault that the sandbox can inject, at each time at which it can happen. */
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
      ...(parameters.includes("seconds") && { seconds: 0.05 }),
      ...(parameters.includes("location") && { location: "https://elsewhere.invalid" }),
      ...(affectsWrites && parameters.includes("requests") && { requests: 1000 }),
      // The sandbox carries out the delayed request after one more request, which is the client's first read of the result.
      ...(when === "later" && { requests: 1 }),
    },
    isHeavy: heavy.includes(kind),
    isOfOneWrite: affectsWrites || when === "later",
  };
}
