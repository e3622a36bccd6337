/** Calls a function at the times that it is told, as long as the process lives anyway. */
export class Timer {
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(private readonly act: (now: number) => void) {}

  readonly plan = (due: number): void => {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // The clock of timers may be ahead by a fraction of a millisecond.
      this.act(Math.max(due, Date.now()));
    }, due - Date.now()).unref();
    this.#timers.add(timer);
  };

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
