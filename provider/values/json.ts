export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parsed text, or the text itself where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return asData(JSON.parse(withWholeCharacters(text)));
  } catch {
    return text;
  }
}

/** An escaped character beyond 16 bits, half of one, or any other escaped character. */
const escapes = /\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)/gi;

/** A service that cuts a text may leave half of a character, which no protocol of the engine can carry. */
function withWholeCharacters(json: string): string {
  if (!/\\ud/i.test(json)) return json;
  return json.replace(escapes, (whole, half) => (half ? "\\ufffd" : whole));
}

/** No answer of either API is nested this deep; a deeper one could exhaust the stack later. */
const deepestNesting = 100;

/** A parsed value without members called `__proto__`, which are never data. */
function asData(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepestNesting) throw new RangeError("nested too deeply");
  Reflect.deleteProperty(value, "__proto__");
  for (const member of Object.values(value)) asData(member, depth + 1);
  return value;
}
