/** The notes of the processes of each update that runs, by the address of its engine. */
const updates = new Map<string, string[][]>();

/** What stands in for the folder in which the processes of one update leave notes for each other. */
export class MemoryBoard {
  readonly #processes: string[][];
  readonly #own: string[] = [];
  readonly #read = new Map<string[], number>();
  #place: unknown;

  constructor(engineAddress: string) {
    this.#processes = updates.get(engineAddress) ?? [];
    updates.set(engineAddress, this.#processes);
    this.#processes.push(this.#own);
  }

  publish(note: string): void {
    this.#own.push(note);
    const [kind, , place] = JSON.parse(note);
    if (kind === "declared") this.#place = place;
  }

  news(): [string, string[]][] {
    return this.#processes.flatMap((notes, index): [string, string[]][] => {
      if (notes === this.#own) return [];
      const news = notes.slice(this.#read.get(notes) ?? 0);
      this.#read.set(notes, notes.length);
      return [[String(index), news.map((note) => this.#here(note))]];
    });
  }

  /** A note with this process's address of the service: in a history each has another, and all mean one service. */
  #here(note: string): string {
    const [kind, key, place, ...rest] = JSON.parse(note);
    return kind === "declared" && place ? JSON.stringify([kind, key, this.#place, ...rest]) : note;
  }
}

/** Forgets the notes of an update. */
export function endUpdate(engineAddress: string): void {
  updates.delete(engineAddress);
}
