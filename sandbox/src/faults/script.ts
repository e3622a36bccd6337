import type { ApiName } from "../journal";
import type { Call } from "../operations";
import { CallCounter } from "./calls";
import { checkFault, checkFaults, type Fault } from "./fault";
import { type FaultKind, kindOfFault } from "./kinds";
import type { Port, Ports } from "./port";

/** A fault that is set, as plain JSON. */
export interface ActiveFault {
  /** By which it is cleared. */
  id: number;
  fault: Fault;
  /** How many calls it was about since it was set or the sandbox was reset. */
  seen: number;
  /** How many of them it happened to; 1 for one of connections that has begun. */
  met: number;
}

/** The faults of a running sandbox. Of several that a call meets, the one that was set first happens. */
export interface Faults {
  /** What is set, in the order in which it was set. */
  list(): ActiveFault[];
  /** Sets one more. Returns its id. @throws TypeError for what is no fault */
  add(fault: Fault): Promise<number>;
  /** Sets these and clears all others. @throws TypeError for what is no list of faults; then nothing changes */
  set(faults: Fault[]): Promise<void>;
  /** Clears one, or all. A port that was closed is open again when the promise is fulfilled. */
  clear(id?: number): Promise<void>;
}

interface Entry {
  id: number;
  fault: Fault;
  calls: CallCounter;
  /** Runs while the fault has closed the port for a while. */
  timer?: NodeJS.Timeout;
  isOver?: boolean;
}

/** Keeps the faults, counts calls and answers which fault a call meets. */
export class FaultScript implements Faults {
  private entries: Entry[] = [];
  private lastId = 0;
  private ports: Ports = {};

  /** Takes over the ports once they are open, and sets the first faults. */
  async open(ports: Ports, faults: Fault[]): Promise<void> {
    this.ports = ports;
    await this.set(faults);
  }

  list(): ActiveFault[] {
    return this.entries.map(({ id, fault, calls: { seen, met } }) => ({ id, fault, seen, met }));
  }

  async add(fault: Fault): Promise<number> {
    const entry = this.entryOf(fault);
    this.entries.push(entry);
    await this.befallConnections();
    return entry.id;
  }

  async set(faults: Fault[]): Promise<void> {
    checkFaults(faults);
    const entries = faults.map((fault) => this.entryOf(fault));
    this.end(this.entries);
    this.entries = entries;
    await this.befallConnections();
  }

  async clear(id?: number): Promise<void> {
    const isCleared = (entry: Entry) => id === undefined || entry.id === id;
    this.end(this.entries.filter(isCleared));
    this.entries = this.entries.filter((entry) => !isCleared(entry));
    await this.befallConnections();
  }

  /** Lets go of the ports, as they are. */
  close(): void {
    this.end(this.entries);
    this.entries = [];
    for (const port of Object.values(this.ports)) port.release();
    this.ports = {};
  }

  /** Counts from the start again. */
  restart(): Promise<void> {
    this.end(this.entries);
    for (const { calls } of this.entries) calls.restart();
    return this.befallConnections();
  }

  /** Counts a call. Answers the fault that it meets. */
  meet(call: Call): Fault | undefined {
    // All count it, also those behind the one that happens.
    const met = this.entries.filter(({ calls }) => calls.count(call));
    const first = met.find(({ fault }) => !kindOfFault(fault.kind).ofConnections);
    if (first) first.calls.met += 1;
    void this.befallConnections();
    return first?.fault;
  }

  /** Whether connections to an API must not outlive a request, since the next one may not get any. */
  endsConnections(api: ApiName): boolean {
    return this.entries.some(({ fault }) => kindOfFault(fault.kind).ofConnections && isAbout(fault, api));
  }

  private entryOf(fault: Fault): Entry {
    checkFault(fault);
    if (fault.kind === "certificate" && !Object.values(this.ports).some((port) => port.isSecure)) {
      throw new TypeError("a fault of kind certificate needs a sandbox that serves with TLS");
    }
    this.lastId += 1;
    return { id: this.lastId, fault: structuredClone(fault), calls: new CallCounter(fault) };
  }

  private async befallConnections(): Promise<void> {
    const ports = Object.entries(this.ports) as [ApiName, Port][];
    await Promise.all(
      ports.map(async ([api, port]) => {
        port.setForeign(this.isDue("certificate", api));
        await port.setClosed(this.isDue("refused", api));
      }),
    );
  }

  /** Whether the next request to an API would be the one that a fault of connections begins with. */
  private isDue(kind: FaultKind, api: ApiName): boolean {
    const due = this.entries.filter(
      ({ fault, calls, isOver }) =>
        fault.kind === kind && isAbout(fault, api) && !isOver && calls.seen + 1 >= (fault.nth ?? 1),
    );
    for (const entry of due) {
      entry.calls.met = 1;
      this.startClock(entry);
    }
    return due.length > 0;
  }

  private startClock(entry: Entry): void {
    if (entry.fault.milliseconds === undefined || entry.timer) return;
    entry.timer = setTimeout(() => {
      entry.isOver = true;
      // Another program may have taken the port meanwhile.
      this.befallConnections().catch((error: Error) => process.emitWarning(error));
    }, entry.fault.milliseconds);
  }

  private end(entries: Entry[]): void {
    for (const entry of entries) {
      clearTimeout(entry.timer);
      delete entry.timer;
      delete entry.isOver;
    }
  }
}

function isAbout(fault: Fault, api: ApiName): boolean {
  return fault.api === undefined || fault.api === api;
}
