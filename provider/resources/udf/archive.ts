import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { crc32 } from "node:zlib";

/** The source of a function as a ZIP archive, the SHA-256 of that in base64, and whether Python can start it. */
export interface Archive {
  readonly bytes: Buffer;
  readonly hash: string;
  /** Whether `main.py` is at its root; undefined if a ZIP archive does not tell. */
  readonly hasMain: boolean | undefined;
}

/**
 * Reads the source of a function: a ZIP archive as it is, or a folder or a single file, of which it makes an archive. Equal files
 * give equal archives, whenever and wherever they were written.
 * @throws Error if there is nothing to read, or a `.zip` is no archive
 */
export function archiveAt(path: string): Archive {
  const isZip = /\.zip$/i.test(path);
  const bytes = isZip ? readAt(path) : zipOf(filesAt(path));
  if (isZip && endOf(bytes) < 0) throw new Error(`${path} is no ZIP archive`);
  const hash = createHash("sha256").update(bytes).digest("base64");
  return { bytes, hash, hasMain: namesIn(bytes)?.some((name) => /^(\.\/)?main\.py$/.test(name)) };
}

/** Where the end of the directory of a ZIP archive begins; negative for anything else. */
const endOf = (archive: Buffer) => archive.lastIndexOf("PK\x05\x06", undefined, "latin1");

/** The names of the files in a ZIP archive; undefined if its directory is in a form that this reader does not know. */
function namesIn(archive: Buffer): string[] | undefined {
  const end = endOf(archive);
  const names: string[] = [];
  try {
    let at = archive.readUInt32LE(end + 16);
    for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
      if (archive.toString("latin1", at, at + 4) !== "PK\x01\x02") return undefined;
      const begin = at + 46;
      const nameEnd = begin + archive.readUInt16LE(at + 28);
      names.push(archive.toString("utf8", begin, nameEnd));
      at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    }
  } catch {
    return undefined;
  }
  return names;
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

/** 1 January 1980, the first day that the archives know: the times of the files must not count. */
const firstDay = 0x21;

/** The mode of a regular file that everybody may run, in the form of the archives. */
const executable = 0o100755 * 0x10000;

/** Makes a ZIP archive without compression, whose bytes follow from the files alone. */
function zipOf(files: readonly File[]): Buffer {
  const contents: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const path = Buffer.from(name);
    // What the header of a file and its entry in the directory have in common: version, flag for names in UTF-8, no
    // compression, time, day, checksum, sizes and lengths.
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(firstDay, 8);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(executable, 6);
    entry.writeUInt32LE(offset, 10);
    const madeOnUnix = Buffer.from([20, 3]);
    directory.push(Buffer.from("PK\x01\x02", "latin1"), madeOnUnix, common, entry, path);
    const content = [Buffer.from("PK\x03\x04", "latin1"), common, path, bytes];
    contents.push(...content);
    offset += content.reduce((sum, { length }) => sum + length, 0);
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...contents, list, end]);
}
