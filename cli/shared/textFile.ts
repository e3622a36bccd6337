import { readFile } from "node:fs/promises";

/** Reads a file of the user as text, without the byte order mark that PowerShell and editors of Windows write. */
export async function textOfFile(path: string): Promise<string> {
  return (await readFile(path, "utf8")).replace(/^\uFEFF/, "");
}
