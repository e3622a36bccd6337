/** Computes the median of measured figures, rounded to three digits; undefined without figures. */
export function median(figures: readonly (number | undefined)[]): number | undefined {
  const sorted = figures.filter((figure) => figure !== undefined).sort((a, b) => a - b);
  const middle = sorted.slice(Math.ceil(sorted.length / 2) - 1, Math.floor(sorted.length / 2) + 1);
  if (middle.length === 0) return undefined;
  return Number((middle.reduce((sum, figure) => sum + figure, 0) / middle.length).toPrecision(3));
}
