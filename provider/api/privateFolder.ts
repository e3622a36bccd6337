import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The path of a folder for temporary files of this user, through which processes on this machine talk to each other. */
export function privateFolderPath(purpose: string): string {
  return join(tmpdir(), `pipestack-${purpose}${process.getuid?.() ?? "updates"}`);
}

/** Makes the folder unless it exists. @throws Error if other users may write to it */
export function makePrivate(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(folder);
  if (process.getuid && (uid !== process.getuid() || (mode & 0o077) !== 0))
    throw new Error(`other users may write to the folder ${folder}, so notes in it cannot be trusted`);
}

let folderOfLimits: string | undefined;

/** From now on this process keeps the rate limits of servers together with the other processes of this user on this machine. */
export function shareLimits(folder = privateFolderPath("limits-")): void {
  folderOfLimits = folder;
}

/** The folder in which processes keep limits together; undefined in a process that does not take part, such as a test. */
export const limitsFolder = (): string | undefined => folderOfLimits;
