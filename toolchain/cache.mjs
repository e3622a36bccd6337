import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pipestack");

/**
 * Returns a folder in the user's cache, after filling it if it does not exist. The folder is complete or missing, even if two
 * processes fill it at once, or one of them is killed.
 * @param {string} name the folder's name, with everything that the contents depend on, such as versions
 * @param {(folder: string) => Promise<unknown>} fill gets an empty folder, which is moved into the cache once it is filled
 * @returns {Promise<string>}
 */
export async function cachedFolder(name, fill) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  await mkdir(cache, { recursive: true });
  const draft = await mkdtemp(`${folder}-`);
  try {
    await fill(draft);
    await rename(draft, folder).catch((error) => {
      // Another process has filled this folder of the cache first, so its contents are used.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
