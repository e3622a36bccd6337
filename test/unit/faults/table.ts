import { promises } from "../../promises/promises";
import { knownExceptions } from "./knownExceptions";
import type { Cell, Column } from "./matrix";
import { durations, type Variant } from "./variants";

interface Matrix {
  readonly columns: readonly Column[];
  readonly variants: readonly Variant[];
  readonly cells: readonly Cell[];
}

/** Outcomes that have a column of their own. */
const usual = ["done", "done / error", "error"] as const;

/** The promises, and the matrix as Markdown: one row for the calls to which each fault does the same; faults that always do the same share a letter. */
export function printMatrix({ columns, variants, cells }: Matrix): string {
  const words = new Map(cells.map((cell) => [keyOf(cell.call, cell.variant), wordsOf(cell)]));
  const wordOf = ({ call }: Column, variant: Variant) => words.get(keyOf(call, variant)) ?? "";
  const faults = alike(variants, (variant) => columns.map((column) => wordOf(column, variant)));
  const rows = alike(columns, (column) => variants.map((variant) => wordOf(column, variant)));
  const letterOf = (index: number) => String.fromCharCode(65 + index);
  const rowOf = (group: readonly Column[]) => {
    const lettersByWord = new Map<string, string[]>();
    for (const [index, [variant]] of faults.entries()) {
      const word = wordOf(group[0] as Column, variant as Variant);
      if (word !== "") lettersByWord.set(word, [...(lettersByWord.get(word) ?? []), letterOf(index)]);
    }
    const lettersOf = (word: string) => (lettersByWord.get(word) ?? []).join(" ");
    const unusual = [...lettersByWord.keys()].filter((word) => !(usual as readonly string[]).includes(word));
    const further = unusual.map((word) => `${word}: ${lettersOf(word)}`).join("; ");
    return `| ${[callsIn(group), ...usual.map(lettersOf), further].join(" | ")} |`;
  };
  const legend = faults.map(
    (group, index) => `${letterOf(index)}: ${group.map(({ name }) => name).join("; ")}`,
  );
  return [
    promises.map(({ sentence }) => `– ${sentence}`).join("<br>"),
    "",
    `| calls | ${usual.join(" | ")} | else |`,
    `|${"---|".repeat(usual.length + 2)}`,
    ...rows.map(rowOf),
    "",
    legend.join("<br>"),
    "",
  ].join("\n");

  /** Calls of different steps are different objects. */
  function keyOf(call: Column["call"], { name }: Variant): string {
    return `${columns.findIndex((column) => column.call === call)} ${name}`;
  }
}

/** Those for which the same texts stand, together, in the order of the first ones. */
function alike<Item>(items: readonly Item[], textsOf: (item: Item) => readonly string[]): Item[][] {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const key = textsOf(item).join("|");
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()];
}

/** `ApiKey: listKeys (read, update)`. */
function callsIn(group: readonly Column[]): string {
  return alike(group, ({ step }) => [step.table])
    .map((columns) => {
      const table = columns[0]?.step.table ?? "";
      if (table === "functions") return columns.map(({ step }) => step.name).join(", ");
      const calls = alike(columns, ({ call }) => [call.operation]).map(
        (group) => `${group[0]?.call.operation} (${group.map(({ step }) => step.name).join("; ")})`,
      );
      return `${table}: ${calls.join(", ")}`;
    })
    .join("<br>");
}

/** What came of a cell; in two words where it makes a difference whether the fault lasts. */
function wordsOf(cell: Cell): string {
  const outcomes = durations.flatMap((duration) => cell.outcomes[duration] ?? []);
  const exception = knownExceptions.findIndex(({ appliesTo }) => appliesTo(cell)) + 1;
  const words = outcomes.map(({ result, broken }) =>
    exception > 0 && broken.length > 0 ? `exception ${exception}` : result,
  );
  return [...new Set(words)].join(" / ");
}
