import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Api } from "../productJudge";

/** An object that a run has created: its API, the path of its collection, and its id. */
export interface Made {
  readonly api: Api;
  readonly collection: string;
  readonly id: string;
}

type Line =
  | { readonly begins: { readonly prefix: string; readonly target: string; readonly process: number } }
  | { readonly creates: Omit<Made, "id"> }
  | { readonly made: Made }
  | { readonly gone: Made };

/**
 * What a run has created, in a file that survives the run: a create is written down before it is sent, so that the next run
 * finds also what a run left whose process was killed.
 */
export class Ledger {
  readonly #made = new Map<string, Made>();
  readonly #gone = new Map<string, Made>();
  readonly #collections = new Map<string, Omit<Made, "id">>();

  private constructor(
    readonly path: string,
    /** The beginning of the names of all objects of the run. */
    readonly prefix: string,
    readonly target: string,
  ) {}

  /** Begins the ledger of a run, whose command has started this process. */
  static begin(folder: string, prefix: string, target: string): Ledger {
    const ledger = new Ledger(join(folder, `${prefix.trim()}.jsonl`), prefix, target);
    mkdirSync(dirname(ledger.path), { recursive: true });
    ledger.#write({ begins: { prefix, target, process: process.ppid } });
    return ledger;
  }

  /** Reads the ledgers that ended runs on the same target have left in a folder. Those of runs that still go on are left alone. */
  static leftIn(folder: string, target: string): Ledger[] {
    const files = fileNames(folder).map((name) => join(folder, name));
    return files.flatMap((path) => {
      const lines = readFileSync(path, "utf8").split("\n").flatMap(parsed);
      const [first] = lines;
      if (!first || !("begins" in first) || first.begins.target !== target) return [];
      if (isRunning(first.begins.process)) return [];
      const ledger = new Ledger(path, first.begins.prefix, target);
      for (const line of lines) ledger.#take(line);
      return [ledger];
    });
  }

  /** The objects that exist, as far as the ledger knows, oldest first. */
  get made(): Made[] {
    return [...this.#made.values()];
  }

  /** The number of services that the run has created, also of those that it has deleted. */
  get services(): number {
    const all = new Map([...this.#gone, ...this.#made]);
    return [...all.values()].filter(({ collection }) => collection.endsWith("/services")).length;
  }

  /** The collections in which the run has created something, or was about to. */
  get collections(): Omit<Made, "id">[] {
    return [...this.#collections.values()];
  }

  has(id: string): boolean {
    return this.#made.has(id);
  }

  /** Whether an object with this id is the run's, or was before it was deleted. */
  hasHad(id: string): boolean {
    return this.#made.has(id) || this.#gone.has(id);
  }

  creates(api: Api, collection: string): void {
    this.#write({ creates: { api, collection } });
  }

  create(made: Made): void {
    this.#write({ made });
  }

  remove(id: string): void {
    const gone = this.#made.get(id);
    if (gone) this.#write({ gone });
  }

  /** Deletes the file, after everything in it is deleted. */
  end(): void {
    rmSync(this.path, { force: true });
  }

  #write(line: Line): void {
    this.#take(line);
    appendFileSync(this.path, `${JSON.stringify(line)}\n`);
  }

  #take(line: Line): void {
    if ("creates" in line)
      this.#collections.set(`${line.creates.api} ${line.creates.collection}`, line.creates);
    if ("made" in line) this.#made.set(line.made.id, line.made);
    if ("gone" in line) {
      this.#made.delete(line.gone.id);
      this.#gone.set(line.gone.id, line.gone);
    }
  }
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  } catch {
    return [];
  }
}

/** Reads a line of a ledger. The last line is cut if the run's process was killed while it wrote. */
function parsed(text: string): Line[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return [];
  }
}
