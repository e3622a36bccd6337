import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { History } from "./history";
import { plain } from "./world/behaviour";
import type { Asked, Fault } from "./world/faults";
import type { DrawnFaults } from "./world/network";

/** A known fault of the provider that is not mended yet. Random histories of the simulation leave out its trigger. */
export interface KnownFault {
  /** The name of the known fault's entry in `knownFaults.json`: a shrunk history, as a failing test prints it. */
  readonly name: string;
  /** The known fault of the provider, as a phrase that follows "it". */
  readonly title: string;
  /** The promise (a rule that the provider must keep) which the known fault breaks. */
  readonly promise: string;
  /**
   * Returns true for a fault of the simulated service that triggers this known fault of the provider. Random histories leave it
   * out.
   */
  readonly isCause?: (fault: Fault, request: Asked) => boolean;
  /** Set if random histories cannot avoid the known fault of the provider: then the broken promise is not judged in them. */
  readonly isUnjudged?: true;
}

/**
 * The known faults of the provider. Once one is mended, the test of its history fails, and its entry in this list must be
 * removed.
 */
export const knownFaults: readonly KnownFault[] = [];

/** Removes from a random history the faults of the simulated service that are known to make the provider break a promise. */
export function withoutKnown(history: History, known: readonly KnownFault[]): History {
  const isLeftOut = (fault: Fault, request: Asked) => known.some(({ isCause }) => isCause?.(fault, request));
  const { faults } = history;
  return { ...history, faults: faults instanceof Map ? faults : { ...(faults as DrawnFaults), isLeftOut } };
}

export function historyOfKnown({ name }: KnownFault): History {
  const all = JSON.parse(readFileSync(join(__dirname, "knownFaults.json"), "utf8"));
  const { behaviour, faults, ...rest } = all[name];
  return { ...rest, behaviour: { ...plain, ...behaviour }, faults: new Map(faults) };
}
