import type { Agenda } from "../agenda";
import type { CalledOperation } from "../operations";
import type { ApiName } from "../request";
import { Aftermath } from "./aftermath";
import { CallCounter } from "./calls";
import { checkFault, checkFaults, type Fault } from "./fault";
import { type FaultKind, kindOf } from "./kinds";

export interface ActiveFault {
  id: number;
  fault: Fault;
  /** Number of requests with the fault's operation and API since somebody set the fault or reset the sandbox. */
  matched: number;
  /** Number of requests into which the fault was injected. A fault of connections counts as 1 once it has begun. */
  injected: number;
}

/** The faults of a running sandbox. If several faults match a request, the one that was set first is injected. */
export interface Faults {
  /** Lists the faults that are set, oldest first. */
  list(): ActiveFault[];
  /**
   * Adds a fault to the sandbox, and returns its id.
   *
   * @throws TypeError for an invalid fault
   */
  add(fault: Fault): Promise<number>;
  /**
   * Replaces all faults of the sandbox.
   *
   * @throws TypeError for an invalid list, which changes nothing
   */
  set(faults: Fault[]): Promise<void>;
  /**
   * Clears one fault, or all. When the promise is fulfilled, ports that the fault closed are open again, no read shows old
   * records because of the fault, and requests that the fault delayed are carried out.
   */
  clear(id?: number): Promise<void>;
}

/** The port of an API of the sandbox. A fault can close the port, or let it answer with the TLS certificate of another host. */
export interface Door {
  readonly isSecure: boolean;
  setClosed(isClosed: boolean): Promise<void>;
  setForeign(isForeign: boolean): void;
}

export type Doors = { readonly [api in ApiName]?: Door };

interface Entry {
  id: number;
  fault: Fault;
  calls: CallCounter;
  /** Cancels the timer that ends a fault of connections; absent until that fault has begun. */
  callOff?: () => void;
  isOver?: boolean;
}

/** Keeps the faults of a sandbox, counts the requests that match them, and picks the fault to inject into a request. */
export class FaultScript implements Faults {
  readonly aftermath: Aftermath;
  private entries: Entry[] = [];
  private lastId = 0;
  private doors: Doors = {};

  constructor(
    private readonly agenda: Agenda,
    private readonly clock: () => number,
  ) {
    this.aftermath = new Aftermath(agenda);
  }

  /** Takes over the open ports of the sandbox's APIs, and sets the sandbox's first faults. */
  async open(doors: Doors, faults: Fault[]): Promise<void> {
    this.doors = doors;
    await this.set(faults);
  }

  list(): ActiveFault[] {
    return this.entries.map(({ id, fault, calls: { matched, injected } }) => ({
      id,
      fault,
      matched,
      injected,
    }));
  }

  async add(fault: Fault): Promise<number> {
    const entry = this.entryOf(fault);
    this.entries.push(entry);
    await this.updateConnections();
    return entry.id;
  }

  async set(faults: Fault[]): Promise<void> {
    checkFaults(faults);
    const entries = faults.map((fault) => this.entryOf(fault));
    this.end(this.entries);
    this.entries = entries;
    await this.updateConnections();
  }

  async clear(id?: number): Promise<void> {
    const isCleared = (entry: Entry) => id === undefined || entry.id === id;
    this.end(this.entries.filter(isCleared));
    this.entries = this.entries.filter((entry) => !isCleared(entry));
    await this.updateConnections();
  }

  /** Stops all timers of the sandbox's faults. The ports stay as they are. */
  close(): void {
    this.doors = {};
    this.aftermath.forget();
    this.end(this.entries);
    this.entries = [];
  }

  /** Starts to count the requests of all faults anew, and ends the effects of faults. */
  restart(): Promise<void> {
    this.aftermath.forget();
    this.end(this.entries);
    for (const { calls } of this.entries) calls.restart();
    return this.updateConnections();
  }

  match(call: CalledOperation, now: number): Fault | undefined {
    this.aftermath.count(now);
    // If several faults of the sandbox match a request, each of them counts it, whichever is injected.
    const due = this.entries.filter(({ calls }) => calls.count(call));
    const first = due.find(({ fault }) => !kindOf(fault.kind).affectsConnections);
    if (first) first.calls.injected += 1;
    void this.updateConnections();
    return first?.fault;
  }

  /**
   * Whether the sandbox ends the connection after each request to an API, since a fault may have to refuse the next connection.
   */
  endsConnections(api: ApiName): boolean {
    return this.entries.some(({ fault }) => kindOf(fault.kind).affectsConnections && affects(fault, api));
  }

  private entryOf(fault: Fault): Entry {
    checkFault(fault);
    if (fault.kind === "certificate" && !Object.values(this.doors).some((door) => door.isSecure)) {
      throw new TypeError("a fault of kind certificate requires a sandbox with TLS");
    }
    this.lastId += 1;
    return { id: this.lastId, fault: structuredClone(fault), calls: new CallCounter(fault) };
  }

  private async updateConnections(): Promise<void> {
    const doors = Object.entries(this.doors) as [ApiName, Door][];
    await Promise.all(
      doors.map(async ([api, door]) => {
        door.setForeign(this.isDue("certificate", api));
        await door.setClosed(this.isDue("refused", api));
      }),
    );
  }

  private isDue(kind: FaultKind, api: ApiName): boolean {
    const due = this.entries.filter(
      ({ fault, calls, isOver }) =>
        fault.kind === kind && affects(fault, api) && !isOver && calls.matched + 1 >= (fault.nth ?? 1),
    );
    for (const entry of due) {
      entry.calls.injected = 1;
      this.planEnd(entry);
    }
    return due.length > 0;
  }

  private planEnd(entry: Entry): void {
    const { milliseconds } = entry.fault;
    if (milliseconds === undefined || entry.callOff) return;
    entry.callOff = this.agenda.at(this.clock() + milliseconds, () => {
      entry.isOver = true;
      // Opening the port of an API after a fault may fail, since another program may have taken the port while it was closed.
      this.updateConnections().catch((error: Error) => process.emitWarning(error));
    });
  }

  private end(entries: Entry[]): void {
    for (const entry of entries) {
      this.aftermath.end(entry.fault, this.clock());
      entry.callOff?.();
      delete entry.callOff;
      delete entry.isOver;
    }
  }
}

function affects(fault: Fault, api: ApiName): boolean {
  return fault.api === undefined || fault.api === api;
}
