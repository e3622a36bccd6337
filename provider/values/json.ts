export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Parses a text as JSON; returns the text itself if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return asData(JSON.parse(withWholeCharacters(text)));
  } catch {
    return text;
  }
}

/** Matches escape sequences in JSON: those of a surrogate pair, of a single surrogate, or of any other character. */
const escapes = /\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)/gi;

/**
 * Replaces single surrogates in JSON: a service that cuts a text may leave one, and the engine's protocol cannot transport it.
 */
function withWholeCharacters(json: string): string {
  if (!/\\ud/i.test(json)) return json;
  return json.replace(escapes, (whole, half) => (half ? "\\ufffd" : whole));
}

/** Maximum depth of a JSON response: no regular response is nested this deep, and a deeper one could exhaust the stack. */
const deepestNesting = 100;

/** Removes properties called `__proto__` from parsed JSON: they are never data, but could change an object's prototype. */
function asData(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepestNesting) throw new RangeError("nested too deeply");
  Reflect.deleteProperty(value, "__proto__");
  for (const member of Object.values(value)) asData(member, depth + 1);
  return value;
}
