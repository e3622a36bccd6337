import type { Agenda } from "../agenda";
import type { Records, Snapshot } from "../records";
import type { Fault } from "./fault";
import { kindOf } from "./kinds";

/** How long an effect of an injected fault lasts: for a time, or for a number of requests. */
interface Term {
  readonly fault: Fault;
  requestsLeft: number;
  end(now: number): void;
  callOff(): void;
}

/** Old versions of the sandbox's records, which some reads still show because of an injected fault. */
interface Stale {
  readonly records: Snapshot;
  readonly isShownBy: (isList: boolean) => boolean;
}

const defaultMilliseconds = 1000;

/**
 * Keeps the effects of injected faults that outlast their responses: reads that show old versions of records, and requests that
 * are carried out later.
 */
export class Aftermath {
  readonly #terms = new Set<Term>();
  readonly #stale = new Set<Stale>();

  constructor(private readonly agenda: Agenda) {}

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

  /** Makes reads show the old versions of the given records for as long as the parameters of the injected fault say. */
  keep(fault: Fault, now: number, records: Snapshot): void {
    const stale: Stale = { records, isShownBy: kindOf(fault.kind).isShownBy ?? (() => true) };
    this.#stale.add(stale);
    this.later(fault, now, () => this.#stale.delete(stale));
  }

  read<Result>(store: Records, isList: boolean, act: () => Result): Result {
    // If faults have left several old versions of a record, reads show the oldest, as a replica that lags behind does.
    const versions = [...this.#stale].filter(({ isShownBy }) => isShownBy(isList));
    return versions.reduce(
      (inner, { records }) =>
        () =>
          store.asIn(records, inner),
      act,
    )();
  }

  count(now: number): void {
    for (const term of [...this.#terms]) {
      if (term.requestsLeft === 0) term.end(now);
      else term.requestsLeft -= 1;
    }
  }

  end(fault: Fault, now: number): void {
    for (const term of [...this.#terms]) if (term.fault === fault) term.end(now);
  }

  /** Drops all lasting effects of faults; requests that the sandbox was to carry out later are never carried out. */
  forget(): void {
    for (const { callOff } of this.#terms) callOff();
    this.#terms.clear();
    this.#stale.clear();
  }
}
