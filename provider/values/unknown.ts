/**
 * Stands for a value that a preview cannot know yet. The adapter of the engine puts it in place of the engine's special texts.
 */
export const unknown: unique symbol = Symbol("unknown");

export function isUnknown(value: unknown): value is typeof unknown {
  return value === unknown;
}

/** Whether a value, or anything inside it, is unknown in a preview. */
export function containsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(containsUnknown);
}
