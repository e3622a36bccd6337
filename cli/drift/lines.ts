/** Number of common lines that a comparison of two texts shows around differing lines. */
const around = 2;

/** Maximum numbers of lines that a comparison of two texts shows, and of characters in a line. */
const mostLines = 60;
const longestLine = 200;

/**
 * Maximum number of pairs of lines that a comparison of two texts looks at. For longer texts, all lines between the common ends
 * are shown as changed, since comparing them takes too long.
 */
const mostPairs = 4_000_000;

/** A line in the comparison of two texts: a line of the first text, of the second, or of both. */
interface Line {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** The differing lines of two texts, with common lines around: `- ` for the first, `+ ` for the second, `…` for omissions. */
export function differingLines(before: string, after: string): string[] {
  const lines = compared(before.split("\n"), after.split("\n"));
  const isNear = (at: number) => lines.slice(Math.max(0, at - around), at + around + 1).some(isChange);
  const output: string[] = [];
  for (const [at, { mark, text }] of lines.entries()) {
    if (isNear(at)) output.push(`${mark} ${cut(text)}`.trimEnd());
    else if (output.at(-1) !== "…") output.push("…");
  }
  if (output.length <= mostLines) return output;
  return [...output.slice(0, mostLines), `… and ${output.length - mostLines} more lines`];
}

function isChange({ mark }: Line): boolean {
  return mark !== " ";
}

function cut(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
}

function compared(before: readonly string[], after: readonly string[]): Line[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const marked = (mark: Line["mark"], texts: readonly string[]) => texts.map((text) => ({ mark, text }));
  const inside = (texts: readonly string[]) => texts.slice(start, texts.length - end);
  const [lost, gained] = [inside(before), inside(after)];
  const changed =
    lost.length * gained.length > mostPairs
      ? [...marked("-", lost), ...marked("+", gained)]
      : merged(lost, gained);
  return [
    ...marked(" ", before.slice(0, start)),
    ...changed,
    ...marked(" ", before.slice(before.length - end)),
  ];
}

/** Merges the lines of two texts, with as many common lines as their order allows. */
function merged(before: readonly string[], after: readonly string[]): Line[] {
  const width = after.length + 1;
  // For each pair of positions in two texts, the number of common lines from there on.
  const common = new Uint32Array((before.length + 1) * width);
  const at = (row: number, column: number) => common[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      common[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: Line[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [lost, gained] = [before[row], after[column]];
    if (lost !== undefined && lost === gained) {
      lines.push({ mark: " ", text: lost });
      [row, column] = [row + 1, column + 1];
    } else if (lost !== undefined && (gained === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ mark: "-", text: lost });
      row++;
    } else {
      lines.push({ mark: "+", text: gained ?? "" });
      column++;
    }
  }
  return lines;
}
