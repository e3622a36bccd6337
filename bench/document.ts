import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tablesOf } from "./report";
import { parts, type Results } from "./results";

const documentFile = join(__dirname, "..", "docs", "performance.md");

/**
 * Replaces the tables of docs/performance.md.
 * @throws when a part has no results, which would leave tables that contradict each other
 */
export async function writeDocument(results: Results): Promise<void> {
  const missing = parts.filter((part) => results[part] === undefined);
  if (missing.length > 0)
    throw new Error(`docs/performance.md stays as it is: no results of ${missing.join(", ")}`);
  let text = await readFile(documentFile, "utf8");
  for (const [name, table] of Object.entries({ machine: results.machine, ...tablesOf(results) })) {
    const [begin, end] = [`<!-- bench ${name} -->`, "<!-- end -->"];
    const from = text.indexOf(begin);
    const to = text.indexOf(end, from);
    if (from < 0 || to < 0) throw new Error(`docs/performance.md has no place for the table ${name}`);
    text = `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
  }
  await writeFile(documentFile, text);
}
