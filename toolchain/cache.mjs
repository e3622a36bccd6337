import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pipestack");

/**
 * A folder in the user's cache, filled when there is none of that name. Two processes at once, or one that is cut short,
 * leave a complete folder or none.
 * @param {string} name with all that the contents depend on, such as versions
 * @param {(folder: string) => Promise<unknown>} fill is given an empty folder, which is moved once it is filled
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
      // Another process was first.
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return folder;
}
