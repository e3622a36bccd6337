/** The median; undefined without figures. */
export function median(figures: readonly (number | undefined)[]): number | undefined {
  const sorted = figures.filter((figure) => figure !== undefined).sort((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  if (sorted.length % 2 === 1) return sorted[middle];
  const [below, above] = [sorted[middle - 1], sorted[middle]];
  return below === undefined || above === undefined ? undefined : (below + above) / 2;
}

export function mean(figures: readonly number[]): number {
  return figures.reduce((sum, figure) => sum + figure, 0) / Math.max(1, figures.length);
}

/** Rounded to significant digits. */
export function rounded(figure: number | undefined, digits = 3): number | undefined {
  return figure === undefined ? undefined : Number(figure.toPrecision(digits));
}

/** For a table: three digits, or a dash if there is no figure. */
export function shown(figure: number | undefined, unit = ""): string {
  if (figure === undefined || Number.isNaN(figure)) return "–";
  const text = figure >= 100 ? figure.toFixed(0) : String(Number(figure.toPrecision(3)));
  return unit ? `${text} ${unit}` : text;
}
