import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { collectionNames } from "../core/resources/registry";
import type { Store, StoreContents } from "../core/store";

const format = "pipestack-sandbox";
const version = 1;

/** Milliseconds for which the sandbox collects changes of records before it writes them to the state file. */
const pause = 100;

export class StateFile {
  private writing: Promise<void> | undefined;
  private dirty = false;
  private failure: unknown;
  private readonly closing = new AbortController();

  constructor(
    private readonly path: string,
    private readonly store: Store,
  ) {}

  /** Loads the sandbox's records from the state file, if it exists, and checks that the file can be written. */
  async open(): Promise<void> {
    const text = await readFile(this.path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw this.unusable("read", error);
    });
    if (text !== undefined) this.store.load(parse(text, this.path));
    await this.write();
  }

  changed(): void {
    this.dirty = true;
    this.writing ??= this.writeWhileDirty();
  }

  /**
   * Writes pending changes to the sandbox's state file.
   * @throws Error if the last write failed
   */
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
      throw this.unusable("write", error as Error);
    }
  }

  /**
   * Makes an error about the sandbox's state file. The system's own message would name the temporary file, which users do not
   * know.
   */
  private unusable(act: "read" | "write", { message }: Error): Error {
    const reason = message.replace(/^[A-Z]+: |, \w+( '.*)?$/g, "");
    return new Error(`cannot ${act} the state file ${this.path}: ${reason}`);
  }
}

function parse(text: string, path: string): StoreContents {
  const invalid = (reason: string) =>
    new Error(`the state file ${path} ${reason}; use another file, or delete it to start from the seed`);
  let contents: Partial<StoreContents> & { format?: unknown; version?: unknown };
  try {
    contents = JSON.parse(text) ?? {};
  } catch {
    throw invalid("is not JSON");
  }
  const complete = contents.organization && collectionNames.every((name) => Array.isArray(contents[name]));
  if (contents.format !== format || !complete) throw invalid("is not the state of a sandbox");
  if (contents.version !== version) throw invalid("was written by another version of the sandbox");
  return contents as StoreContents;
}
