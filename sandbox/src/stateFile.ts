import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { collections, type Store, type StoreContents } from "./store";

const format = "pipestack-sandbox";
const version = 1;

/** Milliseconds between a change and its writing; the changes in between are written together. */
const pause = 100;

/** Keeps a store in a file of JSON. */
export class StateFile {
  private writing: Promise<void> | undefined;
  private dirty = false;
  private failure: unknown;
  private readonly closing = new AbortController();

  constructor(
    private readonly path: string,
    private readonly store: Store,
  ) {}

  /** Fills the store from the file, if there is one, and makes sure that the file can be written. */
  async open(): Promise<void> {
    const text = await readFile(this.path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new Error(`cannot read the state file ${this.path}: ${error.message}`);
    });
    if (text !== undefined) this.store.load(parse(text, this.path));
    await this.write();
  }

  /** Writes the store soon, in the background. */
  changed(): void {
    this.dirty = true;
    this.writing ??= this.writeWhileDirty();
  }

  /** Writes what is not written yet. Throws if the last writing failed. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.writing;
    if (this.failure) throw this.failure;
  }

  private async writeWhileDirty(): Promise<void> {
    try {
      while (this.dirty) {
        await delay(pause, undefined, { signal: this.closing.signal }).catch(() => undefined);
        this.dirty = false;
        await this.write();
      }
      this.failure = undefined;
    } catch (error) {
      if (!this.failure) process.emitWarning(error as Error);
      this.failure = error;
    } finally {
      this.writing = undefined;
    }
  }

  private async write(): Promise<void> {
    const temporary = `${this.path}.${process.pid}.tmp`;
    try {
      await writeFile(temporary, JSON.stringify({ format, version, ...this.store.contents() }), {
        mode: 0o600,
      });
      await rename(temporary, this.path);
    } catch (error) {
      throw new Error(`cannot write the state file ${this.path}: ${(error as Error).message}`);
    }
  }
}

function parse(text: string, path: string): StoreContents {
  const refuse = (problem: string) =>
    new Error(`the state file ${path} ${problem}; name another file, or remove it to start afresh`);
  let contents: Partial<StoreContents> & { format?: unknown; version?: unknown };
  try {
    contents = JSON.parse(text) ?? {};
  } catch {
    throw refuse("is not JSON");
  }
  const complete = contents.organization && collections.every((name) => Array.isArray(contents[name]));
  if (contents.format !== format || !complete) throw refuse("is not the state of a sandbox");
  if (contents.version !== version) throw refuse("was written by another version of the sandbox");
  return contents as StoreContents;
}
