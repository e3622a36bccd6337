import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";

/** Passes notes between the provider processes of one Pulumi update: each provider instance runs in a process of its own. */
export interface Board {
  /**
   * Publishes a note for the other provider processes of the update.
   *
   * @throws if the note cannot be stored, so that no other process will see it
   */
  publish(note: string): void;
  /**
   * The notes that other provider processes of the update have published since the last call, by process.
   *
   * @throws if there may be notes that cannot be read
   */
  news(): Iterable<readonly [process: string, notes: readonly string[]]>;
}

/**
 * Milliseconds after the end of a provider process during which its file of notes may still matter to the other processes of
 * the update.
 */
const longestMeaning = 60 * 60 * 1000;

/**
 * Passes notes between the provider processes of one update by files in the folder for temporary files: each process writes one
 * file, and reads those of the others. The files of an update are named by the address of its engine, which the engine passes
 * to each process, and which no other update at the same time has. A file name also contains the host name, since several
 * containers may share the folder. All versions of this package write notes in the same form.
 */
export class FolderBoard implements Board {
  readonly #update: string;
  readonly #ownFile: string;
  readonly #read = new Map<string, number>();
  #descriptor: number | undefined;

  /**
   * Takes part in the notes of an update with a file of its own.
   *
   * @param engineAddress the address of the update's engine, such as `127.0.0.1:41207`
   * @param folder the folder for the files of notes of this user, which is created if it does not exist
   */
  constructor(
    engineAddress: string,
    private readonly folder = join(tmpdir(), `pipestack-${process.getuid?.() ?? "updates"}`),
  ) {
    this.#update = createHash("sha256").update(`${hostname()} ${engineAddress}`).digest("hex").slice(0, 32);
    this.#ownFile = `${this.#update}-${process.pid}-${randomBytes(6).toString("hex")}`;
    try {
      // Creates the file of this process at once, since it shows the other processes that this process takes part in the
      // update.
      this.#open();
    } catch {
      // If the file of notes cannot be created now, the first note tries it again, and reports the failure.
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
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      const { uid, mode } = lstatSync(this.folder);
      if (process.getuid && (uid !== process.getuid() || (mode & 0o077) !== 0))
        throw new Error(`others may write to ${this.folder}`);
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
   * Removes the files of notes of updates that have ended. The notes of a crashed process count until its update ends, which is
   * so once none of its processes lives. An engine may get the address of an earlier engine, whose files are then stale.
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

/**
 * The text of a file of notes; undefined if the file is missing, since another process may remove stale files at the same time.
 */
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
  process.once("SIGINT", () => {
    for (const path of ownPaths) rmSync(path, { force: true });
    if (process.listenerCount("SIGINT") === 0) process.kill(process.pid, "SIGINT");
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

/** Whether a process with this id runs. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    // Sending a signal to a process of another user fails with EPERM, but shows that the process runs.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
