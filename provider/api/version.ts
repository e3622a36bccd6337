import { readFileSync } from "node:fs";
import path from "node:path";

/** Version of this package, as its package.json says. */
export function packageVersion(): string {
  const manifest = readFileSync(path.join(__dirname, "..", "..", "package.json"), "utf8");
  return (JSON.parse(manifest) as { version: string }).version;
}
