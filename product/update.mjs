import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { differenceOf } from "./difference.mjs";
import { tableNameOf, tableOf, textOf } from "./table.mjs";

/**
 * Makes the tables of given OpenAPI documents anew, and returns how they differ from the old tables.
 * @param {readonly string[]} places files or https addresses
 * @returns {Promise<string[]>} a line for each difference
 */
export async function update(places) {
  const lines = [];
  for (const place of places) {
    const { name, table } = await read(place);
    const file = fileURLToPath(new URL(`${name}.json`, import.meta.url));
    const before = JSON.parse(await readFile(file, "utf8"));
    const text = `${textOf(table)}\n`;
    const words = differenceOf(before, table);
    // No line describes some changes of an API document, such as another default value. If no other line tells of a change,
    // this general line does.
    if (words.length === 0 && JSON.stringify(before) !== JSON.stringify(table))
      words.push(`${name}.json: small changes`);
    lines.push(...words.map((line) => `${name}: ${line}`));
    await writeFile(file, text);
  }
  // Names in an API document may contain any characters, and a workflow shows the described differences in a GitHub issue. So
  // control characters and backticks are replaced.
  return lines.map((line) => line.replace(/[\p{Cc}`]/gu, "?"));
}

/** Reads an OpenAPI document from a file or an https address. @param {string} place */
async function read(place) {
  try {
    const document = JSON.parse(await textAt(place));
    return { name: tableNameOf(document), table: tableOf(document) };
  } catch (error) {
    throw new Error(`${place} cannot be read: ${/** @type {Error} */ (error).message}`);
  }
}

/** Downloads an OpenAPI document from an https address. @param {string} place */
async function textAt(place) {
  if (!/^https:/.test(place)) return await readFile(place, "utf8");
  const response = await fetch(place, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return await response.text();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const places = process.argv.slice(2);
  try {
    if (places.length === 0)
      throw new Error(
        "Name the OpenAPI documents of ClickHouse Cloud and HyperDX: files or https addresses.",
      );
    const lines = await update(places);
    console.log(lines.length > 0 ? lines.join("\n") : "Nothing is new.");
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exitCode = 1;
  }
}
