import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { whenRunAsProgram } from "./checkout.mjs";

const commands = ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

/** Where the installer of Chrome puts it on Linux, macOS and Windows. */
const ofInstaller = [
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/** What to do where there is no browser, as the end of a message. */
export const browserAdvice =
  'install Chromium or Chrome, run "npx playwright-core install chromium", or name one by CHROME_BIN; on Debian "node toolchain/chromium.mjs" installs it as root';

/**
 * Finds a browser for playwright-core: the one in CHROME_BIN, Chromium or Chrome on the PATH or in the folder of its installer, or
 * the Chromium that Playwright has installed. Nothing is downloaded.
 * @returns {string | undefined} the path of the program
 */
export function installedChromium() {
  if (process.env.CHROME_BIN) return process.env.CHROME_BIN;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = commands.flatMap((command) => folders.map((folder) => join(folder, command)));
  return [...onPath, ...ofInstaller, ...ofPlaywright()].find((path) => existsSync(path));
}

/** @returns {string[]} the place of Playwright's Chromium; none in a checkout without its packages */
function ofPlaywright() {
  const require = createRequire(import.meta.url);
  try {
    /** @type {typeof import("playwright-core")} */
    const { chromium } = require("playwright-core");
    return [chromium.executablePath()];
  } catch {
    return [];
  }
}

/** Leaves a browser installed, which is Debian's where there is none yet. */
whenRunAsProgram(import.meta.url, async () => {
  const found = installedChromium();
  if (found !== undefined) return console.error(`The browser of the tests is ${found}.`);
  const run = (/** @type {string[]} */ ...args) =>
    spawnSync("apt-get", args, { stdio: "inherit" }).status === 0;
  const isRoot = process.getuid?.() === 0;
  if (!isRoot || !run("update", "-q") || !run("install", "-qy", "--no-install-recommends", "chromium"))
    throw new Error(`There is no browser: ${browserAdvice}.`);
});
