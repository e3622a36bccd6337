import type { Agenda } from "../agenda";
import type { Records, Snapshot } from "../records";
import type { Fault } from "./fault";
import { kindOf } from "./kinds";

/** The duration of an effect: a time, or a number of requests. */
interface Term {
  readonly fault: Fault;
  requestsLeft: number;
  end(now: number): void;
  callOff(): void;
}

/** Records of which some reads still show an old version. */
interface Stale {
  readonly records: Snapshot;
  readonly isShownBy: (isList: boolean) => boolean;
}

const defaultMilliseconds = 1000;

/**
 * Effects of faults after their answers: reads that show old versions of records, and requests that are carried out
 * later.
 */
export class Aftermath {
  readonly #terms = new Set<Term>();
  readonly #stale = new Set<Stale>();

  constructor(private readonly agenda: Agenda) {}

  /** Carries out a request after the time, or the number of further requests, that the fault names. */
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

  /** Makes reads show the old versions of these records for as long as the fault says. */
  keep(fault: Fault, now: number, records: Snapshot): void {
    const stale: Stale = { records, isShownBy: kindOf(fault.kind).isShownBy ?? (() => true) };
    this.#stale.add(stale);
    this.later(fault, now, () => this.#stale.delete(stale));
  }

  /** The result of a read, with old versions of records if a fault says so. */
  read<Result>(store: Records, isList: boolean, act: () => Result): Result {
    // If there are several old versions, reads show the oldest, as a replica that lags does.
    const versions = [...this.#stale].filter(({ isShownBy }) => isShownBy(isList));
    return versions.reduce(
      (inner, { records }) =>
        () =>
          store.asIn(records, inner),
      act,
    )();
  }

  /** Counts a request, which may end effects. */
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

  /** Drops all effects; requests that were to be carried out later never are. */
  forget(): void {
    for (const { callOff } of this.#terms) callOff();
    this.#terms.clear();
    this.#stale.clear();
  }
}
