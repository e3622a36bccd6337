import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { cachedDataVersionTag } from "node:v8";
import { Script } from "node:vm";
import { makePrivate, privateFolderPath } from "../provider/api/privateFolder";
import { atTheEnd } from "../provider/api/processEnd";

/**
 * Runs a bundle, a function of what a module of Node sees. Its text is ASCII, so that it can be read without decoding.
 * @param code what V8 compiled in an earlier run of the same bundle; V8 compiles anew if another version made it
 */
export function runBundle(bundle: string, path: string, code?: Buffer): Script {
  const script = new Script(bundle, { filename: path, cachedData: code });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, path, dirname(path));
  return script;
}

const longestUnused = 30 * 24 * 60 * 60 * 1000;

/**
 * The code that V8 compiled for a bundle in an earlier run, which halves the time until the bundle's first answer. It is kept in
 * a folder that no other user can write, since code of others must not run. A bundle starts without it as well, so no error
 * counts.
 */
export class CodeCache {
  readonly #folder: string;
  readonly #file: string;

  /** @param bundle has its own hash in its first line, since V8 compares no more than the length of the text */
  constructor(bundle: string, folder = privateFolderPath("code-")) {
    const [, hash] = /^\/\/ (\w{64})\n/.exec(bundle) ?? [];
    if (!hash) throw new Error("the first line of the bundle lacks its hash");
    this.#folder = folder;
    this.#file = join(folder, `${hash}-${cachedDataVersionTag()}`);
  }

  read(): Buffer | undefined {
    return ifPossible(() => {
      makePrivate(this.#folder);
      return readFileSync(this.#file);
    });
  }

  /** Writes the code when the engine interrupts this process at the end of an update: V8 compiles a function when it is called. */
  writeAtTheEnd(script: Script): void {
    atTheEnd(() => this.write(script));
  }

  write(script: Script): void {
    ifPossible(() => {
      makePrivate(this.#folder);
      for (const file of readdirSync(this.#folder)) {
        const path = join(this.#folder, file);
        if (Date.now() - statSync(path).mtimeMs > longestUnused) rmSync(path, { force: true });
      }
      // Another process never reads a part of the file, since it gets its name when it is whole.
      const draft = `${this.#file}.${process.pid}`;
      writeFileSync(draft, script.createCachedData(), { mode: 0o600 });
      renameSync(draft, this.#file);
    });
  }
}

function ifPossible<Result>(action: () => Result): Result | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
