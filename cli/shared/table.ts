import { printableLine } from "../../provider/values/printable";

/**
 * Formats headings and rows as a table with aligned columns, whose cells are cut at `longest` characters.
 * @param longestLast where the cells of the last column are cut: nothing stands to their right. Default: `longest`
 */
export function table(
  rows: readonly (readonly string[])[],
  longest: number,
  longestLast: number = longest,
): string {
  const last = (rows[0] ?? []).length - 1;
  const cells = rows.map((row) =>
    row.map((cell, column) => shortened(printableLine(cell), column === last ? longestLast : longest)),
  );
  const widths = (cells[0] ?? []).map((_, column) =>
    Math.max(...cells.map((row) => [...(row[column] ?? "")].length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - [...cell].length))
      .join("  ")
      .trimEnd();
  const [headings = [], ...body] = cells;
  return [
    line(headings),
    line(widths.map((width) => "-".repeat(Math.min(width, longest)))),
    ...body.map(line),
  ].join("\n");
}

function shortened(text: string, longest: number): string {
  const characters = [...text];
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join("")}…`;
}
