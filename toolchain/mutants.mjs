import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { inCheckout, root, whenRunAsProgram } from "./checkout.mjs";
import { command } from "./command.mjs";

/**
 * @typedef {{ line: number, column: number }} Position
 * @typedef {{ start: Position, end: Position }} Range
 * @typedef {Range & { file: string, mutator: string, replacement?: string, status: string }} Mutant
 */

/** The most mutants in a drawn range: a range around a long function would take the place of many others. */
const mostInRange = 4;

const usage = `Scores mutants drawn from a folder, and writes them down; run again, it tells which of those killed then survive now.
usage: node toolchain/mutants.mjs FOLDER TEST... [--noun NOUN]... [--count 100] [--seed 1]
  --noun: which types' tests of test/life run, as their titles name the type; without it, none of them run`;

/**
 * Draws ranges of the source that have about `count` mutants. The same folder, count and seed give the same ranges.
 * @param {string} folder
 * @param {number} count
 * @param {number} seed
 * @returns {Promise<string[]>} the ranges, as the option `mutate` of Stryker takes them
 */
async function drawnRanges(folder, count, seed) {
  const entries = await readdir(inCheckout(folder), { recursive: true });
  const names = entries.filter((name) => name.endsWith(".ts")).sort();
  const files = names.map(async (name) => {
    const path = `${folder}/${name.replaceAll("\\", "/")}`;
    return { name: path, mutate: true, content: await readFile(join(root, path), "utf8") };
  });
  const log = /** @type {any} */ ({ debug() {}, info() {}, isDebugEnabled: () => false });
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { mutants } = await new Instrumenter(log).instrument(await Promise.all(files), options);
  const left = new Set(mutants);
  const ranges = [];
  // Lehmer's generator of random numbers, since those of Node cannot be repeated.
  let state = seed;
  for (let drawn = 0; drawn < count && left.size > 0; ) {
    state = (state * 48271) % 2147483647;
    const mutant = [...left][state % left.size];
    if (!mutant) break;
    const inside = [...left].filter(
      (one) => one.fileName === mutant.fileName && isWithin(one.location, mutant.location),
    );
    left.delete(mutant);
    if (inside.length > mostInRange) continue;
    for (const one of inside) left.delete(one);
    drawn += inside.length;
    ranges.push(rangeOf(mutant.fileName, mutant.location));
  }
  return ranges;
}

/** @param {Range} inner @param {Range} outer */
function isWithin(inner, outer) {
  return isBefore(outer.start, inner.start) && isBefore(inner.end, outer.end);
}

/** @param {Position} one @param {Position} other */
function isBefore(one, other) {
  return one.line < other.line || (one.line === other.line && one.column <= other.column);
}

/** Stryker counts lines from 1 and columns from 0 in ranges. @param {string} file @param {Range} range */
function rangeOf(file, { start, end }) {
  return `${file}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
}

/**
 * Runs tests against the mutants in ranges of the source.
 * @param {readonly string[]} ranges
 * @param {readonly string[]} tests files, or patterns of them
 * @param {readonly string[]} nouns
 * @returns {Promise<Mutant[]>} in the lines and columns of `rangeOf`, less one line
 */
async function scored(ranges, tests, nouns) {
  const environment = {
    ...process.env,
    MUTATION_TESTS: [...tests, ...(nouns.length > 0 ? ["test/life/*.test.ts"] : [])].join(","),
    MUTATION_NOUNS: nouns.join("|"),
  };
  const args = ["stryker", "run", "--mutate", ranges.join(",")];
  // Stryker writes no report where the tests fail without a mutant, and the one of an earlier run must not count for it.
  const path = inCheckout(".build", "mutation", "report.json");
  await rm(path, { force: true });
  const { output } = await command("npx", args, { environment });
  const { files } = JSON.parse(await readFile(path, "utf8").catch(() => `{"files":{}}`));
  const mutants = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map((/** @type {any} */ { location: { start, end }, mutatorName, replacement, status }) => ({
      file,
      start: { line: start.line - 1, column: start.column - 1 },
      end: { line: end.line - 1, column: end.column - 1 },
      mutator: mutatorName,
      replacement,
      status,
    })),
  );
  if (mutants.length === 0) throw new Error(output);
  return mutants;
}

/** @param {Mutant} mutant */
const nameOf = ({ file, start, end, mutator, replacement }) =>
  `${rangeOf(file, { start, end })} ${mutator}: ${(replacement ?? "").replace(/\s+/g, " ")}`;

/** @param {Mutant} mutant */
const isDetected = ({ status }) => status === "Killed" || status === "Timeout";

whenRunAsProgram(import.meta.url, async (args) => {
  const { values, positionals } = parseArgs({
    args,
    options: {
      noun: { type: "string", multiple: true, default: [] },
      count: { type: "string", default: "100" },
      seed: { type: "string", default: "1" },
    },
    allowPositionals: true,
  });
  const [folder, ...tests] = positionals;
  if (!folder) throw new Error(usage);
  const record = inCheckout(".build", "mutants", `${folder.replaceAll("/", "-")}-${values.seed}.json`);
  if (!existsSync(record)) {
    const ranges = await drawnRanges(folder, Number(values.count), Number(values.seed));
    const mutants = await scored(ranges, tests, values.noun);
    const covered = mutants.filter(({ status }) => status !== "Ignored");
    await mkdir(dirname(record), { recursive: true });
    await writeFile(record, JSON.stringify(mutants, undefined, 2));
    for (const mutant of covered) if (!isDetected(mutant)) console.log(`${mutant.status} ${nameOf(mutant)}`);
    console.log(`${folder}: ${covered.filter(isDetected).length} of ${covered.length} mutants killed`);
    return;
  }
  const before = /** @type {Mutant[]} */ (JSON.parse(await readFile(record, "utf8"))).filter(isDetected);
  const names = new Set(before.map(nameOf));
  const ranges = before.map(({ file, ...range }) => rangeOf(file, range));
  const again = (await scored([...new Set(ranges)], tests, values.noun)).filter((one) =>
    names.has(nameOf(one)),
  );
  const surviving = again.filter((mutant) => !isDetected(mutant));
  for (const mutant of surviving) console.log(`${mutant.status} ${nameOf(mutant)}`);
  console.log(`${folder}: of ${again.length} mutants killed before, ${surviving.length} survive`);
  if (surviving.length > 0 || again.length < names.size) process.exitCode = 1;
});
