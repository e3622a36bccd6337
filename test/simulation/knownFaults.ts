import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { History } from "./history";
import { plain } from "./world/behaviour";
import type { Asked, Fault } from "./world/faults";
import type { Faults } from "./world/network";

/** A fault of the provider that is known and not mended yet. What leads to it happens in no drawn history. */
export interface KnownFault {
  /** Names its history in `knownFaults.json`: a shrunk one, as a failing test prints it. */
  readonly name: string;
  /** What the provider does, in a sentence. */
  readonly title: string;
  /** The promise that the history breaks. */
  readonly promise: string;
  /** Whether a fault of the service leads to it. */
  readonly isCause?: (fault: Fault, request: Asked) => boolean;
  /** No drawn history is judged by the promise. */
  readonly isUnjudged?: true;
}

/** Once a fault is mended, the test of its history fails, and it is taken out of here. */
export const knownFaults: readonly KnownFault[] = [];

/** A drawn history without what is known to break a promise. */
export function withoutKnown(history: History, known: readonly KnownFault[]): History {
  const isLeftOut = (fault: Fault, request: Asked) => known.some(({ isCause }) => isCause?.(fault, request));
  const faults: Faults =
    history.faults instanceof Map ? history.faults : { ...drawn(history.faults), isLeftOut };
  return { ...history, faults };
}

function drawn(faults: Faults): Exclude<Faults, ReadonlyMap<string, Fault>> {
  return faults as Exclude<Faults, ReadonlyMap<string, Fault>>;
}

/** The shrunk history of a known fault. */
export function historyOfKnown({ name }: KnownFault): History {
  const all = JSON.parse(readFileSync(join(__dirname, "knownFaults.json"), "utf8"));
  const { behaviour, faults, ...rest } = all[name];
  return { ...rest, behaviour: { ...plain, ...behaviour }, faults: new Map(faults) };
}
