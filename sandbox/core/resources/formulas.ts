/** A word, a number, or any other character of a formula. */
const tokens = /[A-Za-z]+|\d+(?:\.\d*)?|\.\d+|\S/g;

/**
 * Checks a formula of a chart as HyperDX does: arithmetic with `+`, `-`, `*`, `/` and brackets over numbers and the letters of
 * the chart's series, of which it needs one. Returns the server's messages.
 */
export function formulaFailures(expression: string, seriesCount: number): string[] {
  const parts = expression.match(tokens) ?? [];
  if (parts.length === 0) return ["Expression is empty"];
  const strange = parts.map(strangeToken).find((message) => message !== undefined);
  if (strange) return [strange];
  const misplaced = misplacedToken(parts);
  if (misplaced) return [misplaced];
  const letters = [...new Set(parts.filter((part) => /[A-Z]/.test(part)))];
  if (letters.length === 0) return ["Expression must reference at least one series (A, B, C, ...)"];
  const last = letterOf(seriesCount - 1);
  return letters
    .filter((letter) => letter > last)
    .map((letter) => `Unknown series "${letter}" — this chart only has series A through ${last}`);
}

/** The letter by which a formula names the series at an index of `select`. */
const letterOf = (index: number) => String.fromCharCode("A".charCodeAt(0) + index);

function strangeToken(token: string): string | undefined {
  if (/^([A-Z]|[\d.]+|[-+*/()])$/.test(token) && token !== ".") return undefined;
  if (/^[A-Z]+$/.test(token))
    return `Unexpected "${token}" — series references are single letters (A, B, C, ...) and functions are not supported`;
  if (/^[A-Za-z]/.test(token))
    return `Unexpected "${token}" — series references are uppercase letters (A, B, C, ...)`;
  return `Unexpected character "${token}"`;
}

/** Finds the first token that may not stand where it does. */
function misplacedToken(parts: readonly string[]): string | undefined {
  let [depth, needsValue] = [0, true];
  for (const part of parts) {
    if (part === "(") {
      if (!needsValue) return "Unexpected opening parenthesis";
      depth++;
    } else if (part === ")") {
      if (needsValue) return "Unexpected closing parenthesis";
      if (depth-- === 0) return "Unmatched closing parenthesis";
    } else if (/[-+*/]/.test(part)) {
      if (needsValue && part !== "-") return `Unexpected operator "${part}"`;
      needsValue = true;
    } else {
      if (!needsValue) return `Unexpected ${/[A-Z]/.test(part) ? "series reference" : "number"} "${part}"`;
      needsValue = false;
    }
  }
  if (needsValue) return "Unexpected end of expression";
  return depth > 0 ? "Missing closing parenthesis" : undefined;
}
