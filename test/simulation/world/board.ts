/** The notes of the provider processes of each running update, by the address of the update's engine. */
const updates = new Map<string, string[][]>();

/** Replaces, in the simulation, the folder in which the provider processes of one update leave notes for each other. */
export class MemoryBoard {
  readonly #processes: string[][];
  readonly #own: string[] = [];
  readonly #read = new Map<string[], number>();
  /**
   * The addresses at which this simulated provider process reaches the services of declared objects, by the key of the object.
   */
  readonly #places = new Map<string, unknown>();

  constructor(engineAddress: string) {
    this.#processes = updates.get(engineAddress) ?? [];
    updates.set(engineAddress, this.#processes);
    this.#processes.push(this.#own);
  }

  publish(note: string): void {
    this.#own.push(note);
    const [kind, key, place] = JSON.parse(note);
    if (kind !== "declared" || !place || this.#places.has(key)) return;
    this.#places.set(key, place);
    // In the simulation each provider process has another address for the same service. This process has just learned its own
    // address for the object, so it reads the earlier notes of other processes again.
    this.#read.clear();
  }

  news(): [string, string[]][] {
    return this.#processes.flatMap((notes, index): [string, string[]][] => {
      if (notes === this.#own) return [];
      const news = notes.slice(this.#read.get(notes) ?? 0);
      this.#read.set(notes, notes.length);
      return [[String(index), news.map((note) => this.#here(note))]];
    });
  }

  /**
   * Replaces the address in a note of another provider process by this process's own. In the simulation each process has
   * another address for the same service.
   */
  #here(note: string): string {
    const [kind, key, place, ...rest] = JSON.parse(note);
    return kind === "declared" && place
      ? JSON.stringify([kind, key, this.#places.get(key) ?? place, ...rest])
      : note;
  }
}

export function endUpdate(engineAddress: string): void {
  updates.delete(engineAddress);
}
