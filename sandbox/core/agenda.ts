/** An action of the sandbox that is planned for a time, such as the end of a fault. */
interface Entry {
  readonly due: number;
  readonly act: (now: number) => void;
}

/** The planned actions of a sandbox. The agenda has no clock: time only passes by calls of `advance`. */
export class Agenda {
  readonly #entries = new Set<Entry>();

  /**
   * Makes the plan of a sandbox's later actions, which is empty at first.
   * @param planned called with the time of each newly planned action
   */
  constructor(private readonly planned: (due: number) => void) {}

  /**
   * Plans an action of the sandbox for a time.
   * @returns a function that cancels the action
   */
  at(due: number, act: (now: number) => void): () => void {
    const entry = { due, act };
    this.#entries.add(entry);
    this.planned(due);
    return () => this.#entries.delete(entry);
  }

  advance(now: number): void {
    if (this.#entries.size === 0) return;
    const due = [...this.#entries].filter((entry) => entry.due <= now);
    for (const entry of due.sort((a, b) => a.due - b.due))
      if (this.#entries.delete(entry)) entry.act(entry.due);
  }
}
