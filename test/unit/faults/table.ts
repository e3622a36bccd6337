import { knownExceptions } from "./knownExceptions";
import type { Cell, Column } from "./matrix";
import { durations } from "./step";
import type { Variant } from "./variants";

/** The matrix as Markdown: a table for each type of resource and one for the functions. */
export function printMatrix(matrix: {
  readonly columns: readonly Column[];
  readonly variants: readonly Variant[];
  readonly cells: readonly Cell[];
}): string {
  const tables = [...new Set(matrix.columns.map(({ step }) => step.table))];
  return tables.map((table) => printTable(table, matrix)).join("\n");
}

function printTable(table: string, { columns, variants, cells }: Parameters<typeof printMatrix>[0]): string {
  const own = columns.filter(({ step }) => step.table === table);
  const row = (words: readonly string[]) => `| ${words.join(" | ")} |`;
  return [
    `### ${table}`,
    "",
    row(["fault", ...own.map(nameOf)]),
    `|${"---|".repeat(own.length + 1)}`,
    ...variants.map((variant) =>
      row([
        variant.name,
        ...own.map(({ step, call }) => {
          const cell = cells.find(
            (other) => other.step === step && other.call === call && other.variant === variant,
          );
          return cell ? wordsOf(cell) : "–";
        }),
      ]),
    ),
    "",
  ].join("\n");
}

function nameOf({ step, call }: Column): string {
  return step.table === "functions" ? step.name : `${step.name}: ${call.operation}`;
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
