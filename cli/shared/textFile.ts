import { readFile } from "node:fs/promises";

/**
 * Reads a file of the user as text, without the byte order mark that PowerShell and editors of Windows write. What Windows
 * PowerShell redirects into a file is UTF-16.
 */
export async function textOfFile(path: string): Promise<string> {
  const content = await readFile(path);
  const isUtf16 = content[0] === 0xff && content[1] === 0xfe;
  return content.toString(isUtf16 ? "utf16le" : "utf8").replace(/^\uFEFF/, "");
}
