import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { ZipOptions } from "fflate";

/** The source of a function as a ZIP archive, the SHA-256 of that in base64, and whether Python can start it. */
export interface Archive {
  readonly bytes: Buffer;
  readonly hash: string;
  /** Whether `main.py` is at its root. */
  readonly hasMain: boolean;
}

/**
 * Reads the source of a function: a ZIP archive as it is, or a folder or a single file, of which it makes an archive. Equal files
 * give equal archives, whenever and wherever they were written.
 * @throws Error if there is nothing to read, or a `.zip` is no archive
 */
export function archiveAt(path: string): Archive {
  const bytes = /\.zip$/i.test(path) ? readAt(path) : zipOf(filesAt(path));
  const names = namesIn(bytes);
  if (!names) throw new Error(`${path} is no ZIP archive`);
  const hash = createHash("sha256").update(bytes).digest("base64");
  return { bytes, hash, hasMain: names.some((name) => /^(\.\/)?main\.py$/.test(name)) };
}

/** Loaded when needed, since few programs have functions of the database. */
const zip = () => require("fflate") as typeof import("fflate");

/** The names of the files in a ZIP archive; undefined if it is none. */
function namesIn(archive: Buffer): string[] | undefined {
  const names: string[] = [];
  const filter = ({ name }: { name: string }) => names.push(name) === 0;
  try {
    zip().unzipSync(archive, { filter });
    return names;
  } catch {
    return undefined;
  }
}

interface File {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What running the code leaves, such as `__pycache__`, is no part of it, and nor is what tools hide, such as `.git`. */
const isLeftOut = (name: string) => name.startsWith(".") || name === "__pycache__";

function filesAt(path: string): readonly File[] {
  if (!statOf(path).isDirectory()) return [{ name: basename(path), bytes: readAt(path) }];
  const files = filesIn(path, "");
  if (files.length === 0) throw new Error(`the folder ${path} in ${process.cwd()} has no files`);
  return files;
}

function filesIn(folder: string, prefix: string): File[] {
  const names = readdirSync(folder).filter((name) => !isLeftOut(name));
  return names.sort().flatMap((name) => {
    const path = join(folder, name);
    const stat = statOf(path);
    if (stat.isSymbolicLink())
      throw new Error(`${path} is a symbolic link: put the file itself in its place`);
    if (stat.isDirectory()) return filesIn(path, `${prefix}${name}/`);
    return [{ name: prefix + name, bytes: readAt(path) }];
  });
}

const statOf = (path: string) => asTold(path, () => lstatSync(path));
const readAt = (path: string) => asTold(path, () => readFileSync(path));

function asTold<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const { code = "unknown reason" } = error as NodeJS.ErrnoException;
    throw new Error(`${path} in ${process.cwd()} cannot be read (${code})`);
  }
}

/** Makes a ZIP archive without compression, whose bytes follow from the files alone. Everybody may run these. */
function zipOf(files: readonly File[]): Buffer {
  const firstDay = new Date(1980, 0, 1);
  const options: ZipOptions = { level: 0, mtime: firstDay, os: 3, attrs: 0o100755 * 0x10000 };
  const entries = files.map(({ name, bytes }): [string, [Buffer, ZipOptions]] => [name, [bytes, options]]);
  return Buffer.from(zip().zipSync(Object.fromEntries(entries)));
}
