/** Calls a function at given times, without keeping the process alive. */
export class Timer {
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(private readonly act: (now: number) => void) {}

  readonly plan = (due: number): void => {
    // An action may be due by now, and Node.js 24 prints a warning about a negative delay.
    const delay = Math.max(0, due - Date.now());
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // A timer of Node.js may fire a fraction of a millisecond early. So the function gets the later one of the planned time
      // and the present.
      this.act(Math.max(due, Date.now()));
    }, delay).unref();
    this.#timers.add(timer);
  };

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
