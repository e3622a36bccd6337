import { readFile } from "node:fs/promises";

/**
 * Reads a file that a user names as text. PowerShell and editors of Windows begin such files with a byte order mark, which is
 * left out.
 */
export async function textOfFile(path: string): Promise<string> {
  return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
}
