import { randomUUID } from "node:crypto";
import { existsSync, type Stats } from "node:fs";
import { lstat, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

/** The folder for a command's files, and a test for the existing files that the command may replace there. */
export interface OutputFolder {
  readonly folder: string;
  mayReplace(text: string): boolean;
  /** Advice for the user if a file must not be replaced, such as `add --force`. */
  readonly advice: string;
}

/** Checks that a command may write its files: it overwrites only files that it has made. */
export async function checkOutput(output: OutputFolder, names: readonly string[]): Promise<void> {
  const { folder, mayReplace, advice } = output;
  for (const path of foldersBelowHere(folder))
    if ((await statsOf(path))?.isDirectory() === false)
      throw new Error(`${path} is a link, or not a folder; choose another folder with --out`);
  const foreign: string[] = [];
  for (const path of names.map((name) => join(folder, name))) {
    const stats = await statsOf(path);
    if (stats && !stats.isFile())
      throw new Error(`${path} is a link, or not a file; remove it, or choose another folder with --out`);
    if (stats && !mayReplace(await readFile(path, "utf8"))) foreign.push(path);
  }
  if (foreign.length > 0) throw new Error(`${foreign.join(" and ")} would be overwritten; ${advice}`);
}

/** Writes a command's files by their names. If {@link checkOutput} refuses one, none is written. */
export async function writeOutput(output: OutputFolder, files: ReadonlyMap<string, string>): Promise<void> {
  await checkOutput(output, [...files.keys()]);
  await makeFolder(output.folder);
  for (const [name, text] of files) {
    // The new file replaces the old one by renaming, so nothing is ever written through a symbolic link.
    const unfinished = join(output.folder, `.${randomUUID()}`);
    try {
      await writeFile(unfinished, text, { flag: "wx" });
      await rename(unfinished, join(output.folder, name));
    } finally {
      await rm(unfinished, { force: true });
    }
  }
}

/** The output folder, and the folders between it and the current one. */
function foldersBelowHere(folder: string): string[] {
  const above = dirname(folder);
  const isBelow = !/^(\.\.|$)/.test(relative(".", above)) && resolve(above) !== above;
  return relative(".", folder) === "" ? [] : [...(isBelow ? foldersBelowHere(above) : []), folder];
}

async function statsOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
}

/** Makes a folder and those above it. Node's recursive option never returns below /proc, where no folders can be made. */
async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path);
}
