/**
 * Compares two dotted versions (`3.259.0`, `1.26`). The result is negative if `left` is older, and 0 if they are equal.
 * @param {string} left
 * @param {string} right
 */
export function compareVersions(left, right) {
  const [a, b] = [left.split(".").map(Number), right.split(".").map(Number)];
  for (let part = 0; part < Math.max(a.length, b.length); part++) {
    const difference = (a[part] ?? 0) - (b[part] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
