import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "chai";

/** True if tests write the generated files of the project instead of comparing them, as `npm run golden` does. */
export const isWriting = Boolean(process.env.PIPESTACK_WRITE_GOLDEN);

/**
 * Expects that a file of the project, given by its path from the root, has this text. `npm run golden` writes the text
 * instead.
 */
export function expectMade(path: string, text: string): void {
  const file = join(__dirname, "..", path);
  if (isWriting) writeFileSync(file, text);
  expect(readFileSync(file, "utf8"), "`npm run golden` writes it").to.equal(text);
}

/**
 * Expects that the part of a file between two given lines has this text. `npm run golden` writes the text instead of comparing
 * it.
 */
export function expectMadeWithin(path: string, [begin, end]: readonly [string, string], text: string): void {
  const file = join(__dirname, "..", path);
  const [above = "", rest = ""] = readFileSync(file, "utf8").split(begin);
  const below = rest.split(end)[1] ?? "";
  expectMade(path, above + begin + text + end + below);
}
