import { createHash, randomBytes } from "node:crypto";
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync, writeSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { makePrivate, privateFolderPath } from "../../api/privateFolder";
import { atTheEnd } from "../../api/processEnd";

/** Passes notes between the provider processes of one Pulumi update: each provider instance runs in a process of its own. */
export interface Board {
  /** Publishes a note for the other provider processes of the update; throws if the note cannot be stored. */
  publish(note: string): void;
  /** The notes of the update's other processes since the last call; throws if there may be notes that cannot be read. */
  news(): Iterable<readonly [process: string, notes: readonly string[]]>;
}

/** Milliseconds after the end of a provider process during which its notes may matter to the update's other processes. */
const longestMeaning = 60 * 60 * 1000;

/**
 * Passes notes by files in the folder for temporary files: each process of an update writes one, and reads the others. A file's
 * name contains the address of the update's engine, which no other update has at the same time, and the host name, since
 * containers may share the folder. All versions of this package write notes in the same form.
 */
export class FolderBoard implements Board {
  readonly #update: string;
  readonly #ownFile: string;
  readonly #read = new Map<string, number>();
  #descriptor: number | undefined;

  /** Takes part in the notes of the update whose engine has the given address, such as `127.0.0.1:41207`. */
  constructor(
    engineAddress: string,
    private readonly folder = privateFolderPath(""),
  ) {
    this.#update = createHash("sha256").update(`${hostname()} ${engineAddress}`).digest("hex").slice(0, 32);
    this.#ownFile = `${this.#update}-${process.pid}-${randomBytes(6).toString("hex")}`;
    try {
      // The file of this process shows the other processes that this one takes part in the update, so it is created at once.
      this.#open();
    } catch {
      // If this process cannot create its file of notes now, it tries again with its first note, and then reports the failure.
    }
  }

  publish(note: string): void {
    writeSync(this.#open(), `${note}\n`);
  }

  news(): [string, string[]][] {
    const files = this.#files().filter((file) => file.startsWith(this.#update) && file !== this.#ownFile);
    return files.map((file) => [file, unlessMissing(() => this.#newLines(file)) ?? []]);
  }

  #open(): number {
    if (this.#descriptor === undefined) {
      makePrivate(this.folder);
      this.#removeStale();
      const path = join(this.folder, this.#ownFile);
      this.#descriptor = openSync(path, "wx", 0o600);
      removeAtTheEnd(path);
    }
    return this.#descriptor;
  }

  #files(): string[] {
    return unlessMissing(() => readdirSync(this.folder)) ?? [];
  }

  #newLines(file: string): string[] {
    const descriptor = openSync(join(this.folder, file), "r");
    try {
      const from = this.#read.get(file) ?? 0;
      const bytes = Buffer.alloc(fstatSync(descriptor).size - from);
      const text = bytes.toString("utf8", 0, readSync(descriptor, bytes, 0, bytes.length, from));
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      this.#read.set(file, from + Buffer.byteLength(whole));
      return whole.split("\n").slice(0, -1);
    } finally {
      closeSync(descriptor);
    }
  }

  /**
   * Removes stale files of notes. A former engine may have had the address of this one, and its notes must not count. The notes
   * of a crashed process count while another process of the same update runs.
   */
  #removeStale(): void {
    const files = this.#files();
    const isOngoing = files.some((file) => file.startsWith(this.#update) && isAlive(file));
    for (const file of files) {
      const path = join(this.folder, file);
      const isSameAddress = file.startsWith(this.#update);
      if (isSameAddress ? isOngoing : isAlive(file) || !isOld(path)) continue;
      rmSync(path, { force: true });
    }
  }
}

/** The text of a file of notes; undefined if the file is missing, since another process may remove stale files meanwhile. */
function unlessMissing<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

const ownPaths: string[] = [];

/** Removes the file of notes of this process at the end of the update, when the engine interrupts its provider processes. */
function removeAtTheEnd(path: string): void {
  ownPaths.push(path);
  if (ownPaths.length > 1) return;
  atTheEnd(() => {
    for (const path of ownPaths) rmSync(path, { force: true });
  });
}

function isOld(path: string): boolean {
  const { mtimeMs } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
  return Date.now() - mtimeMs > longestMeaning;
}

/** Whether the process that writes a file of notes is still running. */
function isAlive(file: string): boolean {
  return isRunning(Number(file.split("-")[1]));
}

export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // Sending a signal to a process of another user fails with EPERM, but shows that the process runs.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
