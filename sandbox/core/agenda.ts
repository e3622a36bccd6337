/** Something that is to happen at a time. */
interface Entry {
  readonly due: number;
  readonly act: (now: number) => void;
}

/** Future events. It has no clock: time passes when somebody says so. */
export class Agenda {
  readonly #entries = new Set<Entry>();

  /** @param planned called with the time of something new */
  constructor(private readonly planned: (due: number) => void) {}

  /** @returns a function that calls it off */
  at(due: number, act: (now: number) => void): () => void {
    const entry = { due, act };
    this.#entries.add(entry);
    this.planned(due);
    return () => this.#entries.delete(entry);
  }

  /** Runs the entries that are due, in their order. */
  advance(now: number): void {
    if (this.#entries.size === 0) return;
    const due = [...this.#entries].filter((entry) => entry.due <= now);
    for (const entry of due.sort((a, b) => a.due - b.due))
      if (this.#entries.delete(entry)) entry.act(entry.due);
  }
}
