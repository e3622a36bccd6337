/** Calls a function at given times, without keeping the process alive. */
export class Timer {
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(private readonly act: (now: number) => void) {}

  readonly plan = (due: number): void => {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // A timer of Node.js may fire a fraction of a millisecond early. So the function gets the later one of the planned time
      // and the present.
      this.act(Math.max(due, Date.now()));
    }, due - Date.now()).unref();
    this.#timers.add(timer);
  };

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
