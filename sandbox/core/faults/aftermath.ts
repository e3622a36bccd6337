import type { Agenda } from "../agenda";
import type { Records, Snapshot } from "../records";
import type { Fault } from "./fault";
import { kindOf } from "./kinds";

/** An effect that lasts for some time, or for some requests. */
interface Term {
  readonly fault: Fault;
  requestsLeft: number;
  end(now: number): void;
  callOff(): void;
}

/** Records that some reads show as they were. */
interface Stale {
  readonly records: Snapshot;
  readonly isShownBy: (isList: boolean) => boolean;
}

const defaultMilliseconds = 1000;

/** The effects of faults after their calls were answered: stale records, and requests that are carried out later. */
export class Aftermath {
  readonly #terms = new Set<Term>();
  readonly #stale = new Set<Stale>();

  constructor(private readonly agenda: Agenda) {}

  /** Carries something out after the time, or after the further requests, that the fault names. */
  later(fault: Fault, now: number, carryOut: (now: number) => void): void {
    const { requests, milliseconds = requests === undefined ? defaultMilliseconds : undefined } = fault;
    const end = (at: number) => {
      term.callOff();
      if (this.#terms.delete(term)) carryOut(at);
    };
    const callOff =
      milliseconds === undefined ? () => {} : this.agenda.at(now + milliseconds, (at) => end(at));
    const term: Term = { fault, requestsLeft: requests ?? Number.POSITIVE_INFINITY, end, callOff };
    this.#terms.add(term);
  }

  /** For as long as the fault says, reads show these records as they were. */
  keep(fault: Fault, now: number, records: Snapshot): void {
    const stale: Stale = { records, isShownBy: kindOf(fault.kind).isShownBy ?? (() => true) };
    this.#stale.add(stale);
    this.later(fault, now, () => this.#stale.delete(stale));
  }

  /** The result of a read, in which stale records are as they were. */
  read<Result>(store: Records, isList: boolean, act: () => Result): Result {
    // Of several versions the oldest is shown: the later ones have not arrived yet.
    const versions = [...this.#stale].filter(({ isShownBy }) => isShownBy(isList));
    return versions.reduce(
      (inner, { records }) =>
        () =>
          store.asIn(records, inner),
      act,
    )();
  }

  /** A request has come in. */
  count(now: number): void {
    for (const term of [...this.#terms]) {
      if (term.requestsLeft === 0) term.end(now);
      else term.requestsLeft -= 1;
    }
  }

  /** Ends the effects of a fault. */
  end(fault: Fault, now: number): void {
    for (const term of [...this.#terms]) if (term.fault === fault) term.end(now);
  }

  /** Nothing of it comes to pass. */
  forget(): void {
    for (const { callOff } of this.#terms) callOff();
    this.#terms.clear();
    this.#stale.clear();
  }
}
