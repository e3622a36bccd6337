export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parsed JSON, or the text itself if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return asData(JSON.parse(withWholeCharacters(text)));
  } catch {
    return text;
  }
}

/** Matches escaped characters in JSON: a pair of surrogates, a single surrogate, or any other one. */
const escapes = /\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)/gi;

/**
 * Replaces halves of characters (single surrogates): a service that cuts a text off may leave one, and the engine's
 * protocol cannot transport it.
 */
function withWholeCharacters(json: string): string {
  if (!/\\ud/i.test(json)) return json;
  return json.replace(escapes, (whole, half) => (half ? "\\ufffd" : whole));
}

/** Maximum depth of an answer: no regular answer is nested this deep, and a deeper one could exhaust the stack. */
const deepestNesting = 100;

/** A parsed value without members called `__proto__`, which are never data. */
function asData(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepestNesting) throw new RangeError("nested too deeply");
  Reflect.deleteProperty(value, "__proto__");
  for (const member of Object.values(value)) asData(member, depth + 1);
  return value;
}
