import { knownExceptions } from "./knownExceptions";
import type { Cell, Column } from "./matrix";
import { durations } from "./step";
import type { Variant } from "./variants";

interface Matrix {
  readonly columns: readonly Column[];
  readonly variants: readonly Variant[];
  readonly cells: readonly Cell[];
}

/** The matrix as Markdown: calls to which each fault does the same share a column, and faults that do the same a row. */
export function printMatrix({ columns, variants, cells }: Matrix): string {
  const words = new Map(
    columns.map((column) => [column, new Map<Variant, string>(variants.map((each) => [each, "–"]))]),
  );
  const columnOf = new Map(columns.map((column) => [column.call, column]));
  for (const cell of cells) words.get(columnOf.get(cell.call) as Column)?.set(cell.variant, wordsOf(cell));
  const wordOf = (column: Column, variant: Variant) => words.get(column)?.get(variant) ?? "";
  const groups = alike(columns, (column) => variants.map((variant) => wordOf(column, variant)));
  const rows = alike(variants, (variant) => groups.map(([column]) => wordOf(column as Column, variant)));
  const row = (texts: readonly string[]) => `| ${texts.join(" | ")} |`;
  return [
    row(["column", "calls"]),
    "|---|---|",
    ...groups.map((group, index) => row([String(index + 1), callsIn(group)])),
    "",
    row(["fault", ...groups.map((_, index) => String(index + 1))]),
    `|${"---|".repeat(groups.length + 1)}`,
    ...rows.map((same) =>
      row([
        same.map(({ name }) => name).join("; "),
        ...groups.map(([column]) => wordOf(column as Column, same[0] as Variant)),
      ]),
    ),
    "",
  ].join("\n");
}

/** Those for which the same texts stand, together, in the order of the first ones. */
function alike<One>(all: readonly One[], textsOf: (one: One) => readonly string[]): One[][] {
  const groups = new Map<string, One[]>();
  for (const one of all) {
    const key = textsOf(one).join("|");
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** `ApiKey: listKeys (read, update)`. */
function callsIn(group: readonly Column[]): string {
  return alike(group, ({ step }) => [step.table])
    .map((own) => {
      const table = own[0]?.step.table ?? "";
      if (table === "functions") return own.map(({ step }) => step.name).join(", ");
      const calls = alike(own, ({ call }) => [call.operation]).map(
        (same) => `${same[0]?.call.operation} (${same.map(({ step }) => step.name).join("; ")})`,
      );
      return `${table}: ${calls.join(", ")}`;
    })
    .join("<br>");
}

/** What came of a cell; in two words where it makes a difference whether the fault lasts. */
function wordsOf(cell: Cell): string {
  const outcomes = durations.flatMap((duration) => cell.outcomes[duration] ?? []);
  const exception = knownExceptions.findIndex(({ appliesTo }) => appliesTo(cell)) + 1;
  const words = outcomes.map(({ result, shortfalls }) =>
    exception > 0 && shortfalls.length > 0 ? `exception ${exception}` : result,
  );
  return [...new Set(words)].join(" / ");
}
