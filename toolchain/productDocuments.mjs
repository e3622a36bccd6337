import { readFile } from "node:fs/promises";
import { inCheckout, whenRunAsProgram } from "./checkout.mjs";
import { differencesIn } from "./productDocuments/compare.mjs";

/** Exit codes: 0 for nothing new, 1 for news, 2 where a document cannot be read. */
const unreadable = 2;

/**
 * The lines that no known difference is like. In those of the file, `*` stands for any text.
 * @param {readonly string[]} lines
 * @param {string} file the text of known.txt
 */
export function newsIn(lines, file) {
  const patterns = file
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => new RegExp(`^${line.split("*").map(quoted).join(".*")}$`));
  return lines.filter((line) => !patterns.some((pattern) => pattern.test(line)));
}

/** @param {string} text */
const quoted = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** @param {string} place a file or an https address */
async function read(place) {
  let text;
  try {
    if (/^https:/.test(place)) {
      const response = await fetch(place, { signal: AbortSignal.timeout(60_000) });
      if (!response.ok) throw new Error(`status ${response.status}`);
      text = await response.text();
    } else text = await readFile(place, "utf8");
    return differencesIn(JSON.parse(text));
  } catch (error) {
    throw new Error(`${place} cannot be compared: ${/** @type {Error} */ (error).message}`);
  }
}

/**
 * Compares documents with what the provider knows, and prints a line for each difference that is not known.
 * @param {readonly string[]} places
 * @returns {Promise<0 | 1 | 2>} the exit code
 */
export async function compareDocuments(places) {
  if (places.length === 0) {
    console.error("Name the OpenAPI documents of ClickHouse Cloud and HyperDX: files or https addresses.");
    return unreadable;
  }
  try {
    const knownLines = await readFile(inCheckout("toolchain", "productDocuments", "known.txt"), "utf8");
    const lines = newsIn((await Promise.all(places.map(read))).flat(), knownLines);
    // The lines stand in an issue, and names in a document may hold anything.
    for (const line of lines) console.log(line.replace(/[\p{Cc}`]/gu, "?"));
    if (lines.length === 0) console.log("Nothing is new.");
    return lines.length === 0 ? 0 : 1;
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    return unreadable;
  }
}

whenRunAsProgram(import.meta.url, async (places) => {
  process.exitCode = await compareDocuments(places);
});
