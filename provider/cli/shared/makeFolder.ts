import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it. Node's own way to make all of them never ends below /proc, where what exists cannot
 * hold any.
 */
export async function makeFolder(path: string): Promise<void> {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) await makeFolder(above);
  await mkdir(path);
}
