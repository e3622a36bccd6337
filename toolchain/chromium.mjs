import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const commands = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/**
 * Finds the browser for playwright-core: the one in CHROME_BIN, Chromium or Chrome on the PATH, or Chrome in the folder of its
 * installer. Nothing is downloaded.
 * @returns {{ executablePath: string } | { channel: "chrome" }}
 */
export function installedChromium() {
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  const executablePath = process.env.CHROME_BIN || onPath.find((path) => existsSync(path));
  return executablePath ? { executablePath } : { channel: "chrome" };
}
