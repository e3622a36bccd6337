/**
 * The candidate that is most similar to a misspelt name, for advice in a message: the only one that differs in its prefix alone,
 * such as `engine_max_threads` for `clickhouse_max_threads`, or one that is a few letters away. Undefined if none is.
 */
export function nearest(name: string, candidates: readonly string[]): string | undefined {
  // A longer text is hardly a misspelt name, and comparing it with all names would take too long.
  if (name.length > 40) return undefined;
  const lowered = name.toLowerCase();
  const tail = /_.+/.exec(lowered)?.[0];
  const withOtherPrefix = candidates.filter((candidate) => tail && /_.+/.exec(candidate)?.[0] === tail);
  if (withOtherPrefix.length === 1) return withOtherPrefix[0];
  const [best] = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(lowered, candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.min(2, Math.floor(candidate.length / 3)))
    .sort((left, right) => left.distance - right.distance);
  return best?.candidate;
}

/** The edit distance of two texts: the number of letters to insert, delete, replace or swap. */
function distanceOf(left: string, right: string): number {
  let [before, above]: [number[], number[]] = [[], Array.from({ length: right.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isEqual = left[row - 1] === right[column - 1];
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isEqual ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, above] = [above, current];
  }
  return above[right.length] ?? 0;
}
