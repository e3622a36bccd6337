/** Whether a value is an object and not an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parsed text, or the text itself where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return asData(JSON.parse(text));
  } catch {
    return text;
  }
}

/** No answer of either API is nested this deep; a deeper one could exhaust the stack later. */
const deepestNesting = 100;

/** A parsed value without members called `__proto__`, which are never data. */
function asData(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === deepestNesting) throw new RangeError("nested too deep");
  Reflect.deleteProperty(value, "__proto__");
  for (const member of Object.values(value)) asData(member, depth + 1);
  return value;
}
